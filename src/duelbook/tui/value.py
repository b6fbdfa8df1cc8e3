"""Who is ahead, as the coach knows it: a bar for now, a curve over the turns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from duelbook.coach.graph import END
from duelbook.coach.words import MARKS, SIGNS, chance, percent
from duelbook.tui.themes import SEATS

MARGIN = 6
"""Cells to the left of the curve, for the percentages."""
WIDEST = 14
"""Cells that one turn takes at most."""
CAPTION_FROM = 6
"""Rows from which on there is room to say what up and down mean."""
SHORTEST = 6
"""Cells of a bar below which it gives way to the second number."""
PERFECT_PLAY, PERFECT = "Perfect play: ", "Perfect: "
"""What the first number is, and the same where there is less room."""
THINKING = "The coach is still working out who is ahead ..."
ENDED = "The game is over."
ORDER = [name for _, name in MARKS]


class ValueBar(Widget):
    """`Perfect play: Player 1 62 % ██████▒▒▒▒ 38 % Player 2`, moving as the game does; before a value is known, no
    figure at all.

    It says what it is, for people do not play perfectly. Where the chance against this very opponent is known, it
    stands beside it.
    """

    DEFAULT_CSS = "ValueBar { height: 1; padding: 0 1; }"
    wins: reactive[float] = reactive(0.5)
    """What the bar shows at this moment, on its way to the value."""
    known: reactive[float | None] = reactive(None)
    names: reactive[tuple[str, str]] = reactive(("", ""))
    beside: reactive[str] = reactive("")
    """The other number in words, or nothing."""
    whose: reactive[int] = reactive(0)
    """The seat that the other number is about."""
    alone: reactive[bool] = reactive(False)
    """Whether the only person at the screen sits there."""
    over: reactive[bool] = reactive(False)
    """Whether the game has ended in a position from which it could have gone on: then nobody has a chance any more."""

    def show(self, value: float, beside: str = "", whose: int = 0, *, alone: bool = False) -> None:
        wins, self.beside, self.whose, self.alone = chance(value), beside, whose, alone
        if self.known is None:
            self.wins = wins
        else:
            self.animate("wins", wins, duration=0.4)
        self.known = wins

    def render(self) -> Content:
        if self.over:
            return Content.styled(ENDED, "$text-muted")
        if self.known is None:
            return Content.styled(THINKING, "$text-muted")
        before, behind = PERFECT_PLAY, f"  {self.beside}" if self.beside else ""
        one = f"{self.names[0]} {percent(self.known)} "
        two = f" {percent(1 - self.known)} {self.names[1]}"
        room = self.content_size.width - len(before + one + two + behind)
        if room < SHORTEST and self.beside:  # the colours tell as well whose the other end is
            two = f" {percent(1 - self.known)}"
            room = self.content_size.width - len(before + one + two + behind)
        if room < SHORTEST and self.beside:  # both numbers are worth more than a bar
            mine = percent(self.known if self.whose == 0 else 1 - self.known)
            for what, name in self._briefly(self.content_size.width - len(f" {mine}{behind}")):
                return Content.assemble((what, "$text-muted"), (f"{name} {mine}", SEATS[self.whose]), (behind, "bold"))
            two, behind = f" {percent(1 - self.known)} {self.names[1]}", ""
            room = self.content_size.width - len(before + one + two)
        if room < SHORTEST:  # names this long leave no room to say what it is
            before, room = "", room + len(before)
        room = max(4, room)
        full = round(room * self.wins)
        return Content.assemble(
            (before, "$text-muted"),
            (one, SEATS[0]),
            ("█" * full, SEATS[0]),
            ("░" * (room - full), SEATS[1]),
            (two, SEATS[1]),
            (behind, "bold"),
        )

    def _briefly(self, room: int) -> Iterator[tuple[str, str]]:
        """What the first number is and whose, as far as there is room for it: a number alone would be nobody's."""
        names = [self.names[self.whose], *(["you"] if self.alone else [])]
        yield from ((what, name) for what in (PERFECT_PLAY, PERFECT) for name in names if len(what + name) <= room)


class _Plan(NamedTuple):
    """How the turns are shared out over the width: worked out anew for every size of the window."""

    each: int
    """So many turns share a column where there are more turns than columns."""
    edges: tuple[int, ...]
    """Where every column begins, and where the last one ends."""
    gap: int
    """Wide columns leave a cell between them, so that turns can be counted."""
    half: int
    """Rows above the middle, and as many below it."""
    caption: bool

    @property
    def columns(self) -> int:
        return len(self.edges) - 1

    def column(self, turn: int) -> int:
        return min(turn // self.each, self.columns - 1)

    def width(self, column: int) -> int:
        return self.edges[column + 1] - self.edges[column]


def _edges(columns: int, room: int) -> tuple[int, ...]:
    """Wide columns are all alike; narrow ones share the whole room, so that the curve is as long as it can be."""
    cell = min(WIDEST, room // columns)
    return tuple(column * cell if cell > 2 else column * room // columns for column in range(columns + 1))


class ValueGraph(Widget):
    """The value over the turns: bars up where the first player is ahead, down where the second is.

    Under the bars stand the marks of decisions that lost something, then the turns, with a cursor where a replay
    stands. A click says which turn was meant.
    """

    DEFAULT_CSS = "ValueGraph { height: 9; padding: 0 1; }"
    cursor: reactive[int | None] = reactive(None)
    excuse: reactive[str] = reactive("")
    """What is said where there is no curve to draw."""

    class Chosen(Message):
        """A turn was clicked; 0 is the start."""

        def __init__(self, turn: int) -> None:
            super().__init__()
            self.turn = turn

    def __init__(
        self,
        curve: Sequence[float] = (),
        marks: Mapping[int, str] | None = None,
        names: tuple[str, str] = ("", ""),
        id: str | None = None,
    ) -> None:
        """`curve` holds the value at the start and after every turn; `marks` the worst mark of a turn."""
        super().__init__(id=id)
        self.curve, self.marks, self.names = list(curve), dict(marks or {}), names
        self.ended = False

    def show(self, curve: Sequence[float], marks: Mapping[int, str], *, ended: bool = False) -> None:
        """With `ended` the last value is no turn's: somebody resigned, or the game was ended in another way."""
        self.curve, self.marks, self.ended = list(curve), dict(marks), ended
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        where = event.get_content_offset(self)
        plan = self._plan()
        if where is None or plan is None:
            return
        column = max(0, min(plan.columns, bisect_right(plan.edges, where.x - MARGIN)) - 1)
        self.post_message(self.Chosen(min(len(self.curve), (column + 1) * plan.each) - 1))

    # Drawing

    def _plan(self) -> _Plan | None:
        """None where there is nothing to draw, or no room for it."""
        width, height = self.content_size.width, self.content_size.height
        room = width - MARGIN
        if not self.curve or room < 6 or height < 5:
            return None
        each = -(-len(self.curve) // room)
        edges = _edges(-(-len(self.curve) // each), room)
        caption = height >= CAPTION_FROM
        rows = height - 2 - caption
        return _Plan(each, edges, int(edges[1] > 2), max(1, (rows - 1) // 2), caption)

    def render(self) -> Content:
        plan = self._plan()
        if plan is None:
            return Content.styled("" if self.curve else self.excuse, "$text-muted")
        shown = [self._value(plan, column) for column in range(plan.columns)]
        caption = [self._caption()] if plan.caption else []
        rows = [self._row(plan, row, shown) for row in range(plan.half, -plan.half - 1, -1)]
        return Content("\n").join([*caption, *rows, self._marks(plan), self._numbers(plan)])

    def _value(self, plan: _Plan, column: int) -> float:
        """What a column shows: the last of its turns, or the one under the cursor."""
        if self.cursor is not None and plan.column(self.cursor) == column:
            return self.curve[min(self.cursor, len(self.curve) - 1)]
        return self.curve[min(len(self.curve), (column + 1) * plan.each) - 1]

    def _caption(self) -> Content:
        """What up and down mean; where there is room, what the marks mean too."""
        one, two = self.names
        ways = (" is ahead", " ahead", "")
        room = self.content_size.width - len(one) - len(two) - 7
        ahead = next((words for words in ways if 2 * len(words) <= room), "")
        caption = Content.assemble((f"↑ {one}{ahead}", SEATS[0]), "   ", (f"↓ {two}{ahead}", SEATS[1]))
        used = [name for name in ORDER if name in self.marks.values()]
        legend = "   ".join(f"{SIGNS[name]} {name}" for name in used)
        spare = self.content_size.width - caption.cell_length - len(legend)
        if legend and spare >= 3:
            caption = Content.assemble(caption, " " * spare, (legend, "$text-muted"))
        return caption.truncate(self.content_size.width, ellipsis=True)

    def _row(self, plan: _Plan, row: int, shown: Sequence[float]) -> Content:
        label = f"{50 + 50 * row // plan.half} %" if row in (plan.half, 0, -plan.half) else ""
        widths = [plan.width(column) for column in range(plan.columns)]
        if row == 0:
            cells, colour = ["─" * width for width in widths], "$text-muted"
        else:
            letters = [_cell(row, value, plan.half) for value in shown]
            cells = [(letter * (width - plan.gap)).ljust(width) for letter, width in zip(letters, widths, strict=True)]
            colour = SEATS[0 if row > 0 else 1]
        at = plan.columns if self.cursor is None else plan.column(self.cursor)
        here = "".join(cells[at : at + 1])
        bar = len(here) - plan.gap
        return Content.assemble(
            (f"{label:>{MARGIN - 1}} ", "$text-muted"),
            ("".join(cells[:at]), colour),
            (here[:bar], f"{colour} on $accent 25%"),
            (here[bar:], colour),
            ("".join(cells[at + 1 :]), colour),
        )

    def _marks(self, plan: _Plan) -> Content:
        """The worst mark of each column, under it: its sign, or its first letter where the next one is too near."""
        worst: dict[int, str] = {}
        for turn, name in self.marks.items():
            column = plan.column(turn)
            worst[column] = min(name, worst.get(column, name), key=ORDER.index)
        line = ""
        for column, name in sorted(worst.items()):
            crowded = plan.width(column) < len(SIGNS[name]) and (column + 1 in worst or column + 1 == plan.columns)
            line = line.ljust(plan.edges[column]) + (name[0] if crowded else SIGNS[name])
        return Content.assemble(" " * MARGIN, (line, "bold $error"))

    def _numbers(self, plan: _Plan) -> Content:
        """Turns under the columns, as many as there is room for, the cursor's first of all."""
        pointer, start = "", plan.edges[-1] + 1
        if self.cursor is not None:
            pointer = f"▲{self.cursor}"
            start = max(0, min(plan.edges[plan.column(self.cursor)], plan.edges[-1] - len(pointer)))
        end = start + len(pointer)
        before = after = ""
        for at, number in self._ticks(plan):
            if at + len(number) < start:
                before = before.ljust(at) + number
            elif at > end:
                after = after.ljust(at - end) + number
        before = before.ljust(start) if pointer else before
        return Content.assemble(
            " " * MARGIN, (before, "$text-muted"), (pointer, "bold $accent"), (after, "$text-muted")
        )

    def _ticks(self, plan: _Plan) -> Iterator[tuple[int, str]]:
        widest = len(str(len(self.curve)))
        steps = (1, 2, 5, 10, 20, 50, 100, 1000)
        step = next((step for step in steps if step * plan.edges[-1] // plan.columns > widest), plan.columns)
        last = plan.columns - 1
        end = min(plan.edges[last], plan.edges[-1] - len(END)) if self.ended else plan.edges[-1] + 1
        for column in range(0, plan.columns, step):
            number = str(column * plan.each)
            if plan.edges[column] + len(number) < end and not (self.ended and column == last):
                yield plan.edges[column], number
        if self.ended:
            yield end, END


def _cell(row: int, value: float, half: int) -> str:
    """Bars in halves of a cell, so that small leads show."""
    height = abs(value) * half
    if (value > 0) != (row > 0) or height < abs(row) - 0.75:
        return " "
    if height >= abs(row) - 0.25:
        return "█"
    return "▄" if row > 0 else "▀"
