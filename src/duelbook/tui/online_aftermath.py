"""After a game on a server: as after any other, and another one begins when both want it."""

from __future__ import annotations

from textual.content import Content

from duelbook.core import DuelError
from duelbook.serve.arriving import next_table
from duelbook.serve.remote import Remote
from duelbook.tui.aftermath import CHOICES, Aftermath
from duelbook.tui.background import in_background, keep_busy
from duelbook.tui.news import News, OpenWire


class OnlineAftermath(Aftermath):
    ways_on = tuple(choice for choice in CHOICES if choice.action != "again")

    def __init__(self, remote: Remote, go_on: OpenWire) -> None:
        """`go_on` shows the next game in place of this page."""
        super().__init__(remote.keeper.record, None)
        self.remote, self.wire, self._open_next = remote, remote.wire, go_on
        self._wanted = self._told = self._handed_on = False

    def on_mount(self) -> None:
        self.query_one("#after-verdict").border_subtitle = Content(self.remote.proof)
        if not self.remote.proved:
            self.duelbook.complain(self.remote.proof)
        self.wire.news = lambda: self.post_message(News())
        self.post_message(News())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "rematch":
            return self.wire.mine is not None
        return action not in ("again", "climb")

    def on_news(self) -> None:
        wire = self.wire
        wire.take_in()
        refusals, wire.refusals = wire.refusals, []
        for sentence in refusals:
            self.duelbook.complain(sentence)
        if wire.mine is None or self._handed_on:
            return
        other = wire.online.seats[1 - wire.mine.seat]
        if wire.online.next_game and self._wanted:
            self._handed_on = True
            keep_busy(self, "next", self._go_to_the_next)
        elif other.again and not self._wanted and not self._told:
            self._told = True
            self.duelbook.say(f"{other.name} wants another game: N plays it.")

    async def _go_to_the_next(self) -> None:
        try:
            following = await in_background(next_table, self.wire)
        except DuelError as error:
            self.duelbook.complain(str(error))
            return
        self.wire.stop()
        self._open_next(following, self)

    def action_rematch(self, *, swapped: bool = True) -> None:
        if self._wanted:
            return
        self._wanted = True
        self.wire.send({"do": "rematch"})
        assert self.wire.mine is not None
        self.show_typed(
            f"Another game begins when both want it: asking {self.wire.online.seats[1 - self.wire.mine.seat].name} ..."
        )

    def on_unmount(self) -> None:
        self.wire.stop()
