"""A table with the coach beside it: who is ahead, and a hint for whoever asks."""

from __future__ import annotations

from duelbook.core import BOTH, DuelError
from duelbook.tui.background import in_background, keep_busy
from duelbook.tui.dialogs import Page
from duelbook.tui.table_screen import TableScreen
from duelbook.tui.value import ValueBar


class CoachedTable(TableScreen):
    def show_value(self) -> None:
        super().show_value()
        if self.host.coaching and not self.host.coach_is_awake:
            keep_busy(self, "coach", self._wake_the_coach)

    async def _wake_the_coach(self) -> None:
        """Have the solution at hand. Under unusual rules that takes a while, and the game goes on meanwhile."""
        try:
            await in_background(self.host.wake_the_coach)
        except DuelError as error:
            self.host.coaching = False
            self.query_one(ValueBar).display = False
            self.app.notify(f"The coach has nothing to say here. {error}", severity="warning", markup=False)
            return
        self.show_value()

    def action_coach(self) -> None:
        coaching = self.host.coaching = not self.host.coaching
        self.query_one(ValueBar).display = coaching
        self.show_value()
        self.app.notify(f"The coach {'watches and speaks up' if coaching else 'is silent'}.", timeout=2)

    def action_hint(self) -> None:
        if self.ours() is not None:
            keep_busy(self, "hint", self._give_a_hint, self.match.state)

    async def _give_a_hint(self, state: object) -> None:
        """Look it up, or work it out beside the screen; a hint for a position that has gone helps nobody."""
        match = self.match
        seats = self.people if match.turn == BOTH else (match.next_seat(),)
        if not self.host.coach_is_awake and match.rules != match.game.book:
            self.app.notify("The coach is thinking ...", timeout=3)
        try:
            told = [(seat, await in_background(self.host.hint, seat)) for seat in seats]
        except DuelError as error:
            self.app.notify(f"There is no hint here. {error}", severity="warning", markup=False)
            return
        if match.state != state or not self.is_current:
            return
        lines: list[str] = []
        for seat, hint in told:
            heading = [f"{match.names[seat]}:"] if len(seats) > 1 else []
            lines += [*([""] if lines else []), *heading, *hint]
        self.app.push_screen(Page("A hint", lines))
