"""What every screen that looks at a recorded game does: have it reviewed in the background, and write it to files."""

from __future__ import annotations

import re
from pathlib import Path

from duelbook.coach.review import Review, review
from duelbook.coach.words import MARKS
from duelbook.core import DuelError
from duelbook.patience import standing
from duelbook.record import Record, writes
from duelbook.saves import SaveError
from duelbook.speech import plain
from duelbook.table.keeper import reserved, usable_path
from duelbook.tui.background import in_background, keep_busy
from duelbook.tui.base import BaseScreen
from duelbook.tui.dialogs import AskForText
from duelbook.tui.picture import picture
from duelbook.tui.value import ValueGraph

AT_WORK = "The coach is looking at the game ..."


class LookingBack(BaseScreen[None]):
    """A screen about one record. The coach works beside it, so that no key ever waits for him."""

    HORIZONTAL_BREAKPOINTS = [(0, "-few-columns"), (72, "-columns"), (110, "-broad")]
    VERTICAL_BREAKPOINTS = [(0, "-few-rows"), (24, "-rows"), (32, "-high")]

    def __init__(self, record: Record) -> None:
        super().__init__()
        self.record, self.match = record, record.match
        self.review: Review | None = None
        """What the coach found; None until he is done, and where he cannot say anything."""

    def on_mount(self) -> None:
        self._say_how_it_stands()
        self._standing_told = self.set_interval(1, self._say_how_it_stands)
        keep_busy(self, "review", self._have_it_reviewed)

    def _say_how_it_stands(self) -> None:
        """Rules that nobody has asked about before are solved first, which takes its time."""
        self.query_one(ValueGraph).excuse = f"{AT_WORK} {standing()}".rstrip()

    async def _have_it_reviewed(self) -> None:
        try:
            try:
                self.review = await in_background(review, self.record)
            finally:
                self._standing_told.stop()
        except DuelError as error:
            self.query_one(ValueGraph).excuse = f"There is no review of this game. {error}"
        else:
            self.query_one(ValueGraph).show(self.review.curve, worst_marks(self.review), ended=self.review.ends_apart)
            await self.show_review(self.review)

    async def show_review(self, found: Review) -> None:
        raise NotImplementedError

    # Files

    def action_picture(self) -> None:
        """Save the screen as it is now, before a question covers it."""
        self._ask_where("Save this screen as a picture called:", picture(self.duelbook), ".svg")

    def action_keep(self) -> None:
        self._ask_where("Save the game as a record called:", writes(self.record), ".duel")

    def _ask_where(self, question: str, text: str, suffix: str, typed: str | None = None) -> None:
        """Ask for a name until one can be used, or the player has had enough."""

        def write(name: str | None) -> None:
            if name is None:
                return
            try:
                place = reserved(usable_path(name if Path(name).suffix else f"{name}{suffix}"))
                place.write(text)
            except SaveError as error:
                self.duelbook.complain(str(error))
                self._ask_where(question, text, suffix, name)
                return
            self.duelbook.say(f"Saved as {plain(place.path.absolute())}")

        offered = free_name(self.record, suffix) if typed is None else typed
        self.app.push_screen(AskForText(question, offered, replaced=typed is None), write)


def free_name(record: Record, suffix: str) -> str:
    """A name for a file that is not there yet: the duel and the day it was played."""
    day = f"-{record.date.replace('.', '-')}" if re.fullmatch(r"\d{4}\.\d\d\.\d\d", record.date) else ""
    stem = f"{record.match.game.id}{day}"
    count = 1
    while Path(name := f"{stem}{'' if count == 1 else f'-{count}'}{suffix}").exists():
        count += 1
    return name


def worst_marks(found: Review) -> dict[int, str]:
    """The worst mark of every turn that has one."""
    order = [name for _, name in MARKS]
    marks: dict[int, str] = {}
    for decision in found.decisions:
        if decision.mark:
            marks[decision.turn] = min(decision.mark, marks.get(decision.turn, decision.mark), key=order.index)
    return marks


def clip(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: max(0, width - 1)]}…"
