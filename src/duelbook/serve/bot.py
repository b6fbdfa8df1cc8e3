"""A program that dials in: it leaves games open on a server, plays whoever sits down, and opens the next ones.

It plays at several tables at once, one decision after the other. What it needs to come back is kept as a person's
terminal keeps it: who stops it and starts it again finds it in the same seats.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Event as Bell
from time import monotonic
from typing import NamedTuple

from duelbook.core import BOTH, LUCK, DuelError
from duelbook.luck import new_seed
from duelbook.match import Closable, Player, PlayerFault, Prepared
from duelbook.players import HUMAN, check_kind, seat_player
from duelbook.serve.arriving import Challenge, challenge, next_table, sit_down
from duelbook.serve.belongings import folder
from duelbook.serve.connection import Place
from duelbook.serve.events import Refused
from duelbook.serve.online import GONE
from duelbook.serve.remote import what_is_proved
from duelbook.serve.wire import Wire

FOR_EVER = 10**9
LOOK_AGAIN = 5.0
"""Seconds after which it looks at its tables though nothing has come."""
Tell = Callable[[str], None]


class Played(NamedTuple):
    """A game that came to its end."""

    link: str
    opponent: str
    won: bool | None
    """None where nobody did."""


class Bot(NamedTuple):
    """Who dials in, and where."""

    server: str
    duels: tuple[str, ...]
    kind: str
    name: str


class Table:
    """One game that the bot has opened or was asked for."""

    patience = GONE
    """Seconds that it waits for the other's part of the toss."""

    def __init__(self, wire: Wire, bot: Bot, tell: Tell, ring: Callable[[], None]) -> None:
        self.wire, self.bot, self.tell = wire, bot, tell
        self._since = monotonic()
        """When it did not wait for the other's part of the toss."""
        self.player: Player | None = None
        self._trouble = ""
        wire.news = ring
        wire.start()

    @property
    def over(self) -> bool:
        return self.wire.online.over

    def _is_held_up(self) -> bool:
        """Whether somebody has sat down, and has kept their part of the toss to themselves for long."""
        online, now = self.wire.online, monotonic()
        if online.begun or self.wire.seat in online.due() or not online.due():
            self._since = now
        return now - self._since > self.patience

    def step(self) -> None:
        """Take in what has come, and decide where that is due."""
        wire = self.wire
        wire.take_in()
        if wire.trouble != self._trouble:
            self._trouble = wire.trouble
            self.tell(wire.trouble or f"{wire.connection.place.server} can be reached again.")
        if wire.failed is not None:
            raise wire.failed
        refusals, wire.refusals = wire.refusals, []
        for sentence in refusals:
            self.tell(f"{wire.link}: {sentence}")
        if wire.online.begun and not self.over and not wire.sending:
            self._decide()
        elif self._is_held_up() and not wire.sending:
            wire.send({"do": "withdraw"}, "withdraw")  # and the next who comes finds a table

    def _decide(self) -> None:
        online, seat, match = self.wire.online, self.wire.seat, self.wire.online.match
        if seat is None or match is None or seat not in online.due():
            return
        if match.turn == LUCK:
            if match.next_seat() == seat:
                self.wire.send({"do": "link", **self.wire.next_link()}, match.game.chance.draw)
            return
        if match.turn == BOTH and online.seats[seat].seal:
            return  # it is opened by itself
        try:
            if self.player is None:
                self.player = seat_player(self.bot.kind, new_seed())
                if isinstance(self.player, Prepared):
                    self.player.prepare(match.view(seat))
            assert self.player is not None, "a bot is no person"
            word = match.game.dialogue.words(match.rules)[self.player.choose(match.view(seat))]
        except PlayerFault as fault:
            self.wire.send({"do": "fail", "fault": fault.kind, "sentence": fault.sentence}, "fail")
            return
        if match.turn == BOTH:
            self.wire.pick(match.turns + 1, word)
        else:
            self.wire.send({"do": "move", "move": word, **(self.wire.next_link() if match.game.faces else {})}, word)

    def let_go(self) -> None:
        """The program is not needed any more."""
        if isinstance(self.player, Closable):
            self.player.close()
        self.player = None

    def played(self) -> Played:
        online, seat = self.wire.online, self.wire.seat
        assert online.match is not None
        assert online.match.outcome is not None
        assert seat is not None
        outcome, opponent = online.match.outcome, online.seats[1 - seat].name
        said = f"{self.bot.name} against {opponent}, {outcome.result}. {outcome.reason}"
        self.tell(f"{self.wire.link}: {said} {what_is_proved(self.wire)[1]}")
        return Played(self.wire.link, opponent, outcome.winner == seat if outcome.winner in (0, 1) else None)


class Dialled:
    """A bot at its tables."""

    def __init__(self, bot: Bot, games: int, tell: Tell) -> None:
        self.bot, self.left, self.tell = bot, games, tell
        self.bell = Bell()
        self.tables: list[Table] = []
        self.before: list[Wire] = []
        """Games that are over, whose other side may want another one."""
        self.played: list[Played] = []

    def run(self) -> list[Played]:
        """Play until so many games are over. Whoever interrupts it has lost nothing."""
        try:
            self._come_back()
            self._open_what_is_missing()
            while self.tables:
                self.bell.wait(LOOK_AGAIN)
                self.bell.clear()
                for table in list(self.tables):
                    table.step()
                    if table.over:
                        self._end(table)
                self._look_for_rematches()
                self._open_what_is_missing()
            return self.played
        finally:
            for table in self.tables:
                table.let_go()
                table.wire.stop()
            for wire in self.before:
                wire.stop()

    def _sit(self, wire: Wire, words: str) -> None:
        self.left -= 1
        self.tables.append(Table(wire, self.bot, self.tell, self.bell.set))
        self.bell.set()
        _remember(self.bot, [table.wire for table in self.tables])
        self.tell(f"{self.bot.name} {words} {wire.link}")

    def _come_back(self) -> None:
        for game in _remembered(self.bot):
            with suppress(Refused):  # the server has forgotten it
                wire = sit_down(Place(self.bot.server, game), self.bot.name, program=True)
                if wire.online.over or wire.online.duel.id not in self.bot.duels:
                    wire.stop()
                elif self.left > 0:
                    self._sit(wire, "comes back to" if wire.online.begun else "waits at")

    def _open_what_is_missing(self) -> None:
        """One game of every duel waits for somebody, as long as there are games to play."""
        waiting = [table.wire.online.duel.id for table in self.tables if not table.wire.online.begun]
        for duel in self.bot.duels:
            if duel not in waiting and self.left > 0:
                wish = Challenge(duel, first="toss", is_open=True)
                try:
                    wire = challenge(self.bot.server, wish, self.bot.name, program=True)
                except DuelError as error:
                    if not self.tables:  # otherwise it is tried again when the others have news
                        raise
                    self.tell(str(error))
                    return
                self._sit(wire, "waits at")

    def _end(self, table: Table) -> None:
        self.tables.remove(table)
        table.let_go()
        if table.wire.online.withdrawn is not None:
            self.left += 1  # which was no game
            self.tell(f"{table.wire.link}: {table.wire.online.reason}")
            table.wire.stop()
            return
        self.played.append(table.played())
        if self.left > 0:
            table.wire.send({"do": "rematch"})  # whoever wants another game gets it
            self.before = [*self.before[-20:], table.wire]
        else:
            table.wire.stop()

    def _look_for_rematches(self) -> None:
        for wire in list(self.before):
            wire.take_in()
            wire.refusals.clear()
            if wire.online.next_game:
                self.before.remove(wire)
                wire.stop()
                self._sit(next_table(wire, program=True), "plays again at")


def play_whoever_comes(bot: Bot, games: int = FOR_EVER, *, tell: Tell) -> list[Played]:
    """So many games, or until somebody stops it. `tell` hears how each of them stands."""
    kind = check_kind(bot.kind)
    if kind == HUMAN:
        raise DuelError("A bot is a program: name a kind of player such as level:3, or a program with --engine.")
    return Dialled(bot._replace(kind=kind), games, tell).run()


# Where it sits


def _file(bot: Bot) -> Path:
    whose = sha256(f"{bot.server} {bot.name}".encode()).hexdigest()[:16]
    return folder() / f"bot-{whose}.json"


def _remember(bot: Bot, wires: Sequence[Wire]) -> None:
    new = _file(bot).with_suffix(f".{secrets.token_hex(4)}")
    with suppress(OSError):  # then it opens new games when it comes back
        new.write_text(json.dumps([wire.online.id for wire in wires]), encoding="utf-8")
        new.replace(_file(bot))


def _remembered(bot: Bot) -> list[str]:
    try:
        found = json.loads(_file(bot).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [str(game) for game in found if str(game).isalnum()] if isinstance(found, list) else []
