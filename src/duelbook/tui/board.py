"""The table drawn: both duellists with bars or towers, the cards, the last picks. It draws scenes and knows no rule."""

from __future__ import annotations

import re
from itertools import chain
from textwrap import wrap

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from duelbook.scene import TOWER, Gauge, Pile, Scene, Side
from duelbook.tui.themes import SEATS

MOVING = 0.45
"""Seconds that a bar takes to reach its new length."""
FULL, GONE, COMING = "█", "░", "▒"
LOWER = "▄"
LAST_PICKS = ("  last picks ", "  last ")
"""What stands before them, the shorter one where there is no room for the longer."""
FRAMED_PICKS = 16
"""Columns of two cards with a short word each, and what stands between them."""

LEVEL = re.compile(r"level \d+")


class Board(Widget):
    """One position, with the change that the highlighted action would make."""

    DEFAULT_CSS = "Board { height: 1fr; padding: 0 1; }"

    scene: reactive[Scene | None] = reactive(None)
    names: reactive[tuple[str, str]] = reactive(("", ""))
    tags: reactive[tuple[str, str]] = reactive(("", ""))
    """Who sits there, in a word or two."""
    turn: reactive[frozenset[int]] = reactive(frozenset())
    """The seats whose turn it is."""
    preview: reactive[Scene | None] = reactive(None)
    one: reactive[float] = reactive(0.0)
    """What the first player's gauge shows at this moment, on its way to the scene's value."""
    two: reactive[float] = reactive(0.0)

    def show(self, scene: Scene, *, at_once: bool = False) -> None:
        """Move to a new position: at once, or with bars that are seen to grow and fall."""
        self.preview = None
        values = [float(side.gauge.value) for side in scene.sides]
        jump = at_once or self.scene is None or not self.is_attached
        self.scene = scene
        for name, value in zip(("one", "two"), values, strict=True):
            if jump:
                setattr(self, name, value)
            elif getattr(self, name) != value:
                self.animate(name, value, duration=MOVING, easing="in_out_cubic")

    def render(self) -> Content:
        scene = self.scene
        if scene is None:
            return Content()
        width, height = self.content_size.width, self.content_size.height
        if scene.sides[0].gauge.shape == TOWER:
            lines = self._towers(scene, width, height)
        else:
            lines = self._bars(scene, width, height)
        return Content("\n").join(lines)

    # Names

    def _named(self, seat: int, width: int) -> Content:
        mark = "▶ " if seat in self.turn else "  "
        name = Content.styled(self.names[seat], f"bold {SEATS[seat]}")
        return Content.assemble((mark, SEATS[seat]), name).truncate(width, ellipsis=True)

    def _tagged(self, seat: int, width: int) -> Content:
        named, tag = self._named(seat, width), self.tags[seat]
        said = f"  {_short(tag, width - named.cell_length - 2)}" if tag else ""
        return Content.assemble(named, (said, "$text-muted")).truncate(width, ellipsis=True)

    def _after(self, seat: int) -> int | None:
        """What the highlighted action would make of this seat's gauge; None if it would not change it."""
        if self.preview is None or self.scene is None:
            return None
        now, then = self.scene.sides[seat].gauge.value, self.preview.sides[seat].gauge.value
        return then if then != now else None

    def _figure(self, seat: int, gauge: Gauge) -> Content:
        after = self._after(seat)
        figure = Content.styled(f"{gauge.value}", "bold")
        if after is not None:
            figure += Content.styled(f" → {after}", "bold $warning")
        return figure

    # Bars

    def _bars(self, scene: Scene, width: int, height: int) -> list[Content]:
        """As airy as the room allows. Where it is short, air goes first, then frames of cards, and at last the bars."""
        spare = height - 8 - (5 if scene.pile else 0) - (4 if scene.picks else 0)
        thick = 3 if spare >= 8 else 2 if spare >= 4 else 1
        gap = [Content()] * (2 if spare >= 10 else 1 if spare >= 0 else 0)
        lines: list[Content] = [Content()] if height > 9 and spare >= 1 else []
        for seat, side in enumerate(scene.sides):
            lines += [self._tagged(seat, width), *self._bar(seat, side, width, thick)]
            lines += [*(self._notes(side, width) or [Content()]), *gap]
        lines += self._below(scene, width, framed=True)
        if len(lines) <= height:
            return lines
        for bars, framed in ((True, True), (True, False), (False, False)):
            sides = (self._close(seat, side, width, bars=bars) for seat, side in enumerate(scene.sides))
            lines = [*chain.from_iterable(sides), *self._below(scene, width, framed=framed)]
            if len(lines) <= height:
                break
        return lines

    def _close(self, seat: int, side: Side, width: int, *, bars: bool) -> list[Content]:
        """A duellist in few lines, without bars in as few as there can be."""
        if bars:
            return [self._tagged(seat, width), *self._bar(seat, side, width, 1), *self._notes(side, width)]
        figure = Content.assemble((f"  {side.gauge.name} ", "$text-muted"), self._figure(seat, side.gauge))
        name = self._named(seat, width - figure.cell_length)
        return [Content.assemble(name, figure), *self._notes(side, width)]

    def _below(self, scene: Scene, width: int, *, framed: bool) -> list[Content]:
        """What lies on the table below the two duellists."""
        picks = self._picks(scene, width, framed=framed) if scene.picks else []
        return [*picks, *(_cards(scene.pile, width, framed=framed) if scene.pile else [])]

    def _bar(self, seat: int, side: Side, width: int, thick: int) -> list[Content]:
        gauge = side.gauge
        if gauge.top <= 0:
            return []
        figure = Content.assemble((f"{gauge.name} ", "$text-muted"), self._figure(seat, gauge))
        room = max(4, min(60, width - 2 - 16))
        shown = (self.one, self.two)[seat]
        after = self._after(seat)
        cells = _cells(shown, gauge.top, room)
        if after is None:
            parts = [(FULL * cells, _colour(shown, gauge)), (GONE * (room - cells), "$text-disabled")]
        else:
            low, high = sorted((cells, _cells(after, gauge.top, room)))
            parts = [
                (FULL * low, _colour(shown, gauge)),
                (COMING * (high - low), "$warning"),
                (GONE * (room - high), "$text-disabled"),
            ]
        bar = Content.assemble("  ", *parts)
        return [*([bar] * (thick - 1)), Content.assemble(bar, "  ", figure)]

    def _notes(self, side: Side, width: int) -> list[Content]:
        said = wrap("; ".join(side.notes), max(8, width - 2))
        return [Content.styled(f"  {line}", "italic $warning") for line in said]

    def _picks(self, scene: Scene, width: int, *, framed: bool) -> list[Content]:
        """The two numbers or words that were shown last, as cards."""
        said = [str(side.pick or "-") for side in scene.sides]
        label = next((label for label in LAST_PICKS if len(label) + FRAMED_PICKS <= width), LAST_PICKS[-1])
        room = min(max(4, *map(len, said)), max(4, (width - len(label) - 8) // 2))
        one, two = (word if len(word) <= room else f"{word[: room - 1]}…" for word in said)
        if not framed:
            return [Content.assemble((label, "$text-muted"), (one, SEATS[0]), (" to ", "$text-muted"), (two, SEATS[1]))]
        edge, margin = "─" * room, " " * len(label)
        return [
            Content.assemble(margin, (f"╭{edge}╮", SEATS[0]), "    ", (f"╭{edge}╮", SEATS[1])),
            Content.assemble(
                (label, "$text-muted"),
                (f"│{one:^{room}}│", SEATS[0]),
                (" to ", "$text-muted"),
                (f"│{two:^{room}}│", SEATS[1]),
            ),
            Content.assemble(margin, (f"╰{edge}╯", SEATS[0]), "    ", (f"╰{edge}╯", SEATS[1])),
        ]

    # Towers

    def _towers(self, scene: Scene, width: int, height: int) -> list[Content]:
        """Two towers side by side, as tall as there is room: a unit is one row, or half of one."""
        gauges = [side.gauge for side in scene.sides]
        top = max(gauges[0].top, gauges[1].top)
        most = max(top, *(gauge.value for gauge in gauges))
        room = max(1, height - 5)
        each = next((each for each in (2, 1) if most * each <= room * 2), 0)  # half rows for a unit
        half = width // 2
        rows = room if each == 0 else -(-most * each // 2)
        lines = []
        for row in range(rows, 0, -1):
            columns = [self._storey(seat, gauges[seat], row, rows, each, half) for seat in (0, 1)]
            lines.append(Content.assemble(*columns))
        lines.append(Content.styled("─" * width, "$text-muted"))
        figures = [
            _centre(Content.assemble((f"{gauge.name} ", "$text-muted"), self._figure(seat, gauge)), half)
            for seat, gauge in enumerate(gauges)
        ]
        names = [_centre(self._named(seat, half - 1), half) for seat in (0, 1)]
        said = [Content.styled(_short(tag, half), "$text-muted") for tag in self.tags]
        tags = [_centre(tag, half) for tag in said]
        lines += [Content.assemble(*names), Content.assemble(*figures), Content.assemble(*tags)]
        return [Content()] * max(0, height - len(lines)) + lines  # what is left over is sky

    def _storey(self, seat: int, gauge: Gauge, row: int, rows: int, each: int, width: int) -> Content:
        """One row of one tower, with the goal's mark beside it where the goal is."""
        scale = each or 2 * rows / max(1, gauge.top)
        shown = (self.one, self.two)[seat] * scale
        after = self._after(seat)
        then = shown if after is None else after * scale
        lower, upper = 2 * row - 1, 2 * row
        broad = max(4, min(12, width - 12))
        low, high = _lit(lower, shown, then), _lit(upper, shown, then)
        cell, style = _halves(low, high, SEATS[seat])
        goal = gauge.top * scale
        mark = f" ◀ {gauge.top}" if lower <= goal <= upper else ""
        left = (width - broad) // 2
        return Content.assemble(
            " " * left, (cell * broad, style), (mark.ljust(width - left - broad)[: width - left - broad], "$accent")
        )


def _short(tag: str, width: int) -> str:
    """As much of a tag as there is room for. The number of a level says all of it; of any other the cut is seen."""
    level = LEVEL.match(tag)
    if len(tag) <= width:
        return tag
    return level[0] if level and len(level[0]) <= width else f"{tag[: max(0, width - 1)]}…"


def _lit(half: int, shown: float, then: float) -> str:
    """Whether this half of a row stands, would change, or is air."""
    stands, would = shown >= half - 0.5, then >= half - 0.5
    if stands != would:
        return "change"
    return "stands" if stands else "air"


def _halves(low: str, high: str, colour: str) -> tuple[str, str]:
    """The letter and colour for a row whose lower and upper half are in these states."""
    if "change" in (low, high):
        return (LOWER if high == "air" else COMING), "$warning"
    if low == "stands":
        return (FULL if high == "stands" else LOWER), colour
    return " ", ""


def _cells(value: float, top: int, room: int) -> int:
    """How many cells of a bar are full. Whoever has something left has a cell to show for it."""
    cells = round(max(0.0, min(1.0, value / top)) * room)
    return max(1, cells) if value > 0.5 else cells


def _colour(value: float, gauge: Gauge) -> str:
    share = value / gauge.top
    return "$success" if share > 0.5 else "$warning" if share > 0.25 else "$error"


def _centre(content: Content, width: int) -> Content:
    spare = max(0, width - content.cell_length)
    return content.pad_left(spare // 2).pad_right(spare - spare // 2)


def _cards(pile: Pile, width: int, *, framed: bool) -> list[Content]:
    """The deck with what is left in it, the discard, and the card on the table."""
    gone = [card for card in pile.cards if card not in pile.left and card != pile.drawn]
    deck = Content(" ").join(
        Content.styled(str(card), "bold")
        if card in pile.left
        else Content.styled("·" * len(str(card)), "$text-disabled")
        for card in pile.cards
    )
    labels = ("  Deck     ", "  Discard  ", "  Card     ")
    if len(labels[0]) + deck.cell_length > width:
        labels = ("Deck    ", "Discard ", "Card    ")
    lines = [
        Content.assemble((labels[0], "$text-muted"), deck),
        Content.assemble(
            (labels[1], "$text-muted"),
            " ".join(map(str, gone)) if gone else Content.styled("none", "$text-disabled"),
        ),
    ]
    style = "bold $accent" if pile.drawn else "$text-disabled"
    face, said = (str(pile.drawn), "the card") if pile.drawn else ("??", f"{len(pile.left)} left")
    if not framed:
        about = "" if pile.drawn else f"  {said}"
        return [*lines, Content.assemble((labels[2], "$text-muted"), (face, style), (about, "$text-muted"))]
    card = [
        Content.styled("  ╭────╮", style),
        Content.assemble((f"  │{face:^4}│", style), (f"  {said}", "$text-muted")),
        Content.styled("  ╰────╯", style),
    ]
    return [*lines, *card]
