"""A table on a server, on the full screen: the same table as everywhere, with somebody else at its other side."""

from __future__ import annotations

from typing import cast

from textual.binding import Binding

from duelbook.core import DuelError
from duelbook.match import Dealt
from duelbook.players import short_kind
from duelbook.saves import Save
from duelbook.serve.remote import NO_COACH, Remote
from duelbook.serve.wire import Wire
from duelbook.table.host import Due, Happening, What
from duelbook.tui.actions import Actions
from duelbook.tui.commanding import Word
from duelbook.tui.dialogs import Page
from duelbook.tui.news import LONG, News, OpenWire
from duelbook.tui.online_aftermath import OnlineAftermath
from duelbook.tui.table import Table
from duelbook.tui.table_help import WORDS, online_help
from duelbook.tui.table_screen import TableScreen

ABSENT = ("undo", "coach", "stop", "pause", "step", "take over")
"""Words of a table that have no meaning where the other side is elsewhere."""

LOOK_AGAIN = 5.0
"""Seconds after which it is seen again whether the other player may be gone."""


class OnlineTable(Table):
    BINDINGS = [Binding("y,f10", "claim", "Claim")]
    words = {name: word for name, word in WORDS.items() if name not in ABSENT} | {
        "claim": Word("ask_for_it", "claim the game, where the other player is gone"),
        "coach": Word("without_a_coach", "not while a game goes on"),
        "undo": Word("it_stands", "not where the other side has seen it"),
    }

    def __init__(self, wire: Wire, copy: Save | None, go_on: OpenWire) -> None:
        """`go_on` shows the game after this one."""
        TableScreen.__init__(self, Remote(wire, copy=copy, complain=self._disk_failed), "")
        self.lost = self.curtain_drawn = False
        self._trouble, self._open_next = "", go_on

    @property
    def remote(self) -> Remote:
        return cast(Remote, self.host)

    @property
    def wire(self) -> Wire:
        return self.remote.wire

    @property
    def watching(self) -> bool:
        """Nobody sets the pace of a game that others play, nor takes over a seat of it."""
        return False

    def on_mount(self) -> None:
        self.wire.news = lambda: self.post_message(News())
        self.wire.start()
        self.set_interval(LOOK_AGAIN, self.refresh_bindings)
        self.post_message(News())

    def tag(self, seat: int) -> str:
        place = self.wire.online.seats[seat]
        if seat == self.remote.seat:
            return "you"
        if place.program:
            return "a program"
        return "" if place.is_person else short_kind(place.kind)

    # What comes next

    def on_news(self) -> None:
        if self.host.left or not self.is_mounted:
            return
        self._tell(self.remote.take_in())
        self._speak_of_trouble()
        refusals, self.wire.refusals = self.wire.refusals, []
        for sentence in refusals:
            self.duelbook.complain(sentence)
        if self.wire.failed is not None:
            self.duelbook.complain(str(self.wire.failed))
        self._go_on()

    def _speak_of_trouble(self) -> None:
        """Said as long as it lasts: what is typed meanwhile waits, and is sent once."""
        trouble = self.wire.trouble
        if trouble == self._trouble:
            return
        self._trouble = trouble
        self.app.clear_notifications()
        if trouble:
            self.app.notify(trouble, severity="error", timeout=LONG, markup=False)
        else:
            self.duelbook.say("Connected again.")

    async def _drive(self) -> None:
        due, ours = self.host.due(), self.ours()
        if ours is not None:
            if ours != self.on_offer:
                self.offer(ours)
        elif due and due[0].what is What.OVER:
            self.offer_to_look_back()
        elif due:
            self.on_offer = None
            self.offer_nothing()
        self.refresh_bindings()

    def offer_nothing(self) -> None:
        """What is on its way, or whom everybody waits for; it can be read, resigned and left meanwhile."""
        self.prompt(f"{'You watch. ' if self.remote.seat is None else ''}{self.remote.waits_for()}")
        if self.query_one(Actions).offered:
            self.query_one(Actions).offer([])

    def not_now(self) -> str:
        if self.match.outcome is None and self.remote.seat is None:
            return "You watch this game; only those who play can do that."
        if self.match.outcome is None and self.ours() is None:
            return f"It is not your turn. {self.remote.waits_for()}"
        return super().not_now()

    # What people do

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("coach", "undo"):
            return False
        if action == "hint":
            return self.ours() is not None and not self.wire.between_people
        if action == "claim":
            return self.remote.may_be_gone
        return super().check_action(action, parameters)

    def action_draw(self) -> None:
        if due := self.ours(What.DRAW):
            self.host.draw(due)
            self._go_on()

    def _play(self, due: Due, move: int) -> None:
        try:
            self.host.answer(due, move)
        except DuelError as error:
            self.app.notify(str(error), severity="warning", markup=False)
            return
        self._go_on()

    def action_ask_for_it(self) -> None:
        """What was typed goes to the server, which knows whether the time has come."""
        self.action_claim()

    def action_claim(self) -> None:
        try:
            self.remote.claim()
        except DuelError as error:
            self.duelbook.complain(str(error))
        self._go_on()

    def action_without_a_coach(self) -> None:
        self.duelbook.complain(NO_COACH)

    def action_it_stands(self) -> None:
        self.action_undo()

    def action_help(self) -> None:
        due = self.ours()
        lines = online_help(self.match, None if due is None else due.seat, self.key_for, self.people)
        self.app.push_screen(Page(self.match.game.name, lines))

    def _tell(self, happenings: list[Happening]) -> bool:
        """Before a draw of the other one stands whose it is."""
        voice, match = self.match.game.dialogue, self.match
        for each in happenings:
            if isinstance(each, Dealt) and voice.drawer(each.before) not in self.people:
                self._head(voice.before_draw(match.rules, each.before, match.names))
            super()._tell([each])
        return False

    # Leaving

    def action_look_back(self) -> None:
        if self.host.left or self.match.outcome is None:
            return
        self.workers.cancel_node(self)
        self.host.left = True  # the wire is handed on: the other side may want another game
        self.host.keeper.close()
        self.app.switch_screen(OnlineAftermath(self.remote, self._open_next))

    def leave(self) -> None:
        said = self.put_away()
        if said:
            self.duelbook.say(said)
        self.dismiss()
