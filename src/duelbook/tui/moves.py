"""The moves of a game in a list: what each one lost beside it, the current one marked and in view."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from duelbook.coach.decision import Decision
from duelbook.coach.review import Review
from duelbook.coach.words import SAME, SIGNS, points
from duelbook.core import BOTH, LUCK
from duelbook.match import Match, Step
from duelbook.table.telling import Frame
from duelbook.tui.recorded import clip
from duelbook.tui.themes import SEATS

LONGEST_NAME, BRIEFEST_NAME = 12, 4
CURRENT = "▶"


class Moves(ScrollView, can_focus=False):
    """Draws only the rows that are seen, so that a game of any length steps without a wait."""

    current: reactive[int] = reactive(0)

    class Chosen(Message):
        """A row was clicked."""

        def __init__(self, row: int) -> None:
            super().__init__()
            self.row = row

    rows: Sequence[Content] = ()
    ways: tuple[Sequence[Content], ...] = ()

    def fill(self, *ways: Sequence[Content]) -> None:
        """The same rows, in words of different length: the first for which there is room are shown."""
        self.ways = ways
        self._choose()

    def _choose(self) -> None:
        if self.ways:
            room = self.scrollable_content_region.width - len(CURRENT) - 1
            fits = (rows for rows in self.ways if all(row.cell_length <= room for row in rows))
            self.rows = next(fits, self.ways[-1])
            self.virtual_size = Size(0, len(self.rows))
            self.refresh()

    def on_resize(self) -> None:
        self._choose()
        self.watch_current()

    def watch_current(self) -> None:
        """Bring it into view with a row or two around it, so that one sees what came before and what comes."""
        height = self.scrollable_content_region.height
        around = min(2, max(0, (height - 1) // 2))
        region = Region(0, max(0, self.current - around), 1, 2 * around + 1)
        self.scroll_to_region(region, animate=False, force=True)

    def render_line(self, y: int) -> Strip:
        row = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        if row >= len(self.rows):
            return Strip.blank(width, self.rich_style)
        here = row == self.current
        content = Content.assemble((f"{CURRENT if here else ' '} ", "bold $accent"), self.rows[row])
        content = content.truncate(width, ellipsis=True, pad=True)
        if here:
            content = content.stylize("bold on $accent 25%")
        return Visual.to_strips(self, content, width, 1, self.visual_style)[0]

    def on_click(self, event: events.Click) -> None:
        where = event.get_content_offset(self)
        row = -1 if where is None else where.y + self.scroll_offset.y
        if 0 <= row < len(self.rows):
            self.post_message(self.Chosen(row))


# What the rows say


def rows_of(match: Match, frames: Sequence[Frame], found: Review | None, *, brief: bool) -> list[Content]:
    """A row for the start and one for every step; with a review also what it lost, or what the card did.

    A brief row has only what tells the two names apart, and no tenths of points.
    """
    by_turn: dict[int, list[Decision]] = {}
    for decision in found.decisions if found else ():
        by_turn.setdefault(decision.turn, []).append(decision)
    moves = max(len(_said(frame, step)) for frame, step in zip(frames, match.steps, strict=True)) if frames else 0
    numbers = max(2, len(str(match.turns)))
    known, most = (brief_names(match.names), BRIEFEST_NAME) if brief else (match.names, LONGEST_NAME)
    names = [clip(name, most).ljust(min(most, max(map(len, known)))) for name in known]
    rows = [Content(f"{0:>{numbers}}  the start")]
    for at, (frame, step) in enumerate(zip(frames, match.steps, strict=True)):
        decided = by_turn.get(frame.turn, [])
        said = Content(f"  {_said(frame, step).ljust(moves)}")
        parts = [Content.styled(f"{frame.turn:>{numbers}}", "$text-muted")]
        if step.turn == LUCK:
            seat = match.game.dialogue.drawer(step.before)
            last = at + 1 == len(frames) or match.steps[at + 1].turn != LUCK
            parts += [_who(names, seat), said, _luck(found, decided, brief) if last else Content()]
        elif step.turn == BOTH:
            parts += [said, *(_lost(each, brief) for each in decided)]
        else:
            parts += [_who(names, step.turn), said, *(_lost(each, brief) for each in decided)]
        rows.append(Content.assemble(*parts))
    return rows


def brief_names(names: tuple[str, str]) -> tuple[str, str]:
    """What tells two names apart: `1` and `2` of Player 1 and Player 2."""
    one, two = (name.split(" ") for name in names)
    while len(one) > 1 and len(two) > 1 and one[0] == two[0]:
        one, two = one[1:], two[1:]
    return " ".join(one), " ".join(two)


def _who(names: Sequence[str], seat: int) -> Content:
    return Content.styled(f"  {names[seat]}", SEATS[seat])


def _said(frame: Frame, step: Step) -> str:
    return f"draws {frame.text.rstrip(':')}" if step.turn == LUCK else frame.text


def _lost(decision: Decision, brief: bool) -> Content:
    """`?? -100.0`: the mark, and the points of win probability that went."""
    sign, decimals = SIGNS.get(decision.mark, ""), 0 if brief else 1
    lost = f"-{100 * decision.lost:.{decimals}f}" if decision.lost > SAME else "-"
    figure = f"{lost:>{'5' if brief else '7'}}"
    return Content.assemble((f"  {sign:<2}", "bold $error"), (figure, "bold" if decision.mark else "$text-muted"))


def _luck(found: Review | None, decided: Sequence[Decision], brief: bool) -> Content:
    """What the cards of a turn did for the player who drew them; those of a turn that was not played out wait apart."""
    if decided:
        luck = decided[0].luck
    elif found is not None and found.waiting is not None:
        luck = found.waiting[1]
    else:
        return Content()
    return Content.styled(f"{points(luck):>9}" if brief else f"  luck {points(luck):>5}", "$text-muted")
