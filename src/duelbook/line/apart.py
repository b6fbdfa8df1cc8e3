"""A game of which one side is somewhere else, talked through line by line: as any other, with waiting in between."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from duelbook.core import BOTH, DuelError
from duelbook.line.console import Console
from duelbook.line.meanwhile import Meanwhile
from duelbook.line.session import LEAVING, Session
from duelbook.match import Dealt
from duelbook.serve.remote import NO_COACH, Remote
from duelbook.speech import Line
from duelbook.table.host import Happening

ABOUT_COMMANDS = (
    "At every prompt: help, rules, status, save FILE, claim (where the other one is gone), resign, quit; hint against "
    "a program. None of them uses a turn. Leave whenever you like: the game stays on the server."
)
A_MOMENT = 0.7
"""Seconds that an answer takes before anybody is told that it is awaited."""
WHILE_WAITING = (*LEAVING, "help", "?", "rules", "status", "save", "claim", "resign")


class Apart(Session):
    about_commands = ABOUT_COMMANDS

    def __init__(self, host: Remote, console: Console, meanwhile: Meanwhile, warn: Callable[[str], None]) -> None:
        super().__init__(host, console)
        self.remote, self.meanwhile, self.warn = host, meanwhile, warn
        self._trouble = ""

    def wait(self) -> None:
        """Until something is due here, or something has happened. What is typed meanwhile is answered."""
        before, told, begun = self.host.due(), "", monotonic()
        while self.host.due() == before and not self.take_in():
            waits = self.remote.waits_for()
            if told != waits and monotonic() - begun >= A_MOMENT:
                told = waits
                self.console.say(Line(told, "quiet"))
            left = None if told == waits else max(0.0, begun + A_MOMENT - monotonic())
            typed = self.meanwhile.hear(left)
            if typed is not None:
                self._answer(typed)

    def take_in(self) -> bool:
        """What has come is told. True where something has happened, or was refused."""
        wire, happened = self.remote.wire, self.remote.take_in()
        if wire.trouble != self._trouble:
            self._trouble = wire.trouble
            self.warn(wire.trouble or "Connected again.")
        if wire.failed is not None:
            raise wire.failed
        self.tell(happened)
        refusals, wire.refusals = wire.refusals, []
        for sentence in refusals:
            self.console.complain(sentence)
        return bool(happened or refusals)

    def _answer(self, typed: str) -> None:
        """Something that was typed while the game waits for somebody else."""
        if not typed:
            return
        try:
            if self.command(typed, -1 if self.remote.seat is None else self.remote.seat):
                return
            self.console.complain(self._not_now())
        except DuelError as error:
            self.console.complain(str(error))

    def _not_now(self) -> str:
        if self.remote.seat is None:
            return "You watch this game. (Or: help, rules, status, quit.)"
        if self.match.turn == BOTH and not self.remote.wire.sending:
            return f"You have picked; it stands. {self.remote.waits_for()} (Or: help.)"
        return f"It is not your turn. {self.remote.waits_for()} (Or: help.)"

    def tell(self, happenings: list[Happening]) -> None:
        """Before a draw of the other one stands whose it is, as everywhere."""
        voice, match = self.voice, self.match
        for each in happenings:
            if isinstance(each, Dealt) and voice.drawer(each.before) not in self.host.people:
                self.console.say("", *voice.before_draw(match.rules, each.before, match.names))
            super().tell([each])

    # Words that work at every prompt

    def command(self, line: str, seat: int) -> bool:
        name = line.strip().lower().lstrip("/")
        if name == "claim":
            self.remote.claim()
            return True
        if seat < 0 and name in ("resign", "undo", "hint", "coach"):
            self.console.complain("You watch this game; only those who play can do that.")
            return True
        if seat < 0 and name in ("help", "?"):
            self.console.say(Line("You watch this game. What can be typed: rules, status, save FILE, quit.", "quiet"))
            return True
        return super().command(line, seat)

    def _coach(self, seat: int) -> None:
        self.console.complain(NO_COACH)
