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

from duelbook.coach.review import Decision, Review
from duelbook.coach.words import SAME, SIGNS, points
from duelbook.core import BOTH, LUCK
from duelbook.match import Match, Step
from duelbook.table.telling import Frame
from duelbook.tui.recorded import clip
from duelbook.tui.themes import SEATS

LONGEST_NAME = 12
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

    def fill(self, rows: Sequence[Content]) -> None:
        self.rows = rows
        self.virtual_size = Size(0, len(rows))
        self.refresh()

    def on_resize(self) -> None:
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


def rows_of(match: Match, frames: Sequence[Frame], found: Review | None) -> list[Content]:
    """A row for the start and one for every step; with a review also what it lost, or what the card did."""
    by_turn: dict[int, list[Decision]] = {}
    for decision in found.decisions if found else ():
        by_turn.setdefault(decision.turn, []).append(decision)
    moves = max(len(_said(frame, step)) for frame, step in zip(frames, match.steps, strict=True)) if frames else 0
    numbers = max(2, len(str(match.turns)))
    names = [clip(name, LONGEST_NAME).ljust(min(LONGEST_NAME, max(map(len, match.names)))) for name in match.names]
    rows = [Content(f"{0:>{numbers}}  the start")]
    for at, (frame, step) in enumerate(zip(frames, match.steps, strict=True)):
        decided = by_turn.get(frame.turn, [])
        said = Content(f"  {_said(frame, step).ljust(moves)}")
        parts = [Content.styled(f"{frame.turn:>{numbers}}", "$text-muted")]
        if step.turn == LUCK:
            seat = match.game.dialogue.drawer(step.before)
            last = at + 1 == len(frames) or match.steps[at + 1].turn != LUCK
            parts += [_who(names, seat), said, _luck(found, decided) if last else Content()]
        elif step.turn == BOTH:
            parts += [said, *map(_lost, decided)]
        else:
            parts += [_who(names, step.turn), said, *map(_lost, decided)]
        rows.append(Content.assemble(*parts))
    return rows


def _who(names: Sequence[str], seat: int) -> Content:
    return Content.styled(f"  {names[seat]}", SEATS[seat])


def _said(frame: Frame, step: Step) -> str:
    return f"draws {frame.text.rstrip(':')}" if step.turn == LUCK else frame.text


def _lost(decision: Decision) -> Content:
    """`?? -100.0`: the mark, and the points of win probability that went."""
    sign = SIGNS.get(decision.mark, "")
    lost = f"-{100 * decision.lost:.1f}" if decision.lost > SAME else "-"
    return Content.assemble(
        (f"  {sign:<2}", "bold $error"), (f" {lost:>6}", "bold" if decision.mark else "$text-muted")
    )


def _luck(found: Review | None, decided: Sequence[Decision]) -> Content:
    """What the cards of a turn did for the player who drew them; those of a turn that was not played out wait apart."""
    if decided:
        luck = decided[0].luck
    elif found is not None and found.waiting is not None:
        luck = found.waiting[1]
    else:
        return Content()
    return Content.styled(f"{'luck ' + points(luck):>11}", "$text-muted")
