"""Pairs of games played through the referee, step by step noted down.

This is what workers run, here or on another machine. Everything it needs comes in as plain values, and plain values go
back. A program that fails loses its game by a named fault; nothing else notices.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from duelbook.arena.play.exact import tabular
from duelbook.arena.play.ledger import Begun, read
from duelbook.arena.play.results import Entrant, Fault, Played, Result, Task
from duelbook.arena.play.seats import Seats, seats
from duelbook.arena.play.telling import Settings, new_match, replay, tell
from duelbook.arena.play.traces import NoTrace, Trace
from duelbook.core import BOTH, LUCK, DuelError, IllegalMove
from duelbook.engine.fault import ILLEGAL
from duelbook.match import Match, Player, PlayerFault
from duelbook.table.keeper import thoughts

SLICE = 0.1
"""Seconds after which a worker hands back the games it has finished, however many it was given."""
MOST_OUTPUT = 2000
"""So much of what a failing program wrote to its standard error is kept: the last of it."""

SEATS = {0: (0,), 1: (1,), BOTH: (0, 1)}
"""Who decides in a turn that somebody decides."""

Games = tuple[Task, ...]
"""The games of one pair."""


def play_some(
    pairs: Sequence[Games],
    entrants: tuple[Entrant, ...],
    run: str,
    folder: Path,
    known: Mapping[int, str],
    alone: bool = False,
) -> list[Played]:
    """Play as many of the pairs as fit into a slice of time, from the first on, and at least one.

    A pair is not begun when one like the longest so far would not fit any more: those that have ended would wait for
    it. `run` tells this tournament from others, `folder` is for traces, and `known` are the traces of pairs that go on.
    """
    begun = last = time.monotonic()
    longest = 0.0
    played: list[Played] = []
    for games in pairs:
        played += play_pair(games, entrants, run, folder, known.get(games[0].pair, ""), alone)
        now = time.monotonic()
        longest, last = max(longest, now - last), now
        if now - begun + longest >= SLICE:
            break
    return played


def play_pair(
    games: Games, entrants: tuple[Entrant, ...], run: str, folder: Path, known: str = "", alone: bool = False
) -> list[Played]:
    """Play what is left of a pair. `alone` lets a program run only while it is asked, so that it is known who ran."""
    traced = any(not tabular(entrants[number]) for number in games[0].seats)
    trace = Trace(folder, games[0].pair, known) if traced else NoTrace()
    before = {game.number: game for game in read(known)}
    try:
        return [_play_on(task, before.get(task.number), entrants, run, trace, alone) for task in games]
    finally:
        trace.close()


def play_task(task: Task, entrants: tuple[Entrant, ...], settings: Settings) -> Result:
    """One game from its beginning to its end, in this process and without a trace."""
    return tell(task, _play_on(task, None, entrants, "", NoTrace(), alone=False), entrants, settings)


def _play_on(
    task: Task, before: Begun | None, entrants: tuple[Entrant, ...], run: str, trace: Trace | NoTrace, alone: bool
) -> Played:
    """A game from where it stood to its end."""
    if before is not None and before.over:
        return before.played()
    match = new_match(task, entrants)
    if before is None:
        before = Begun(task.number, task.opening)
        trace.game(task.number, task.opening)
    try:
        replay(match, before.plays)
    except (DuelError, TypeError, IndexError) as error:
        raise DuelError(f"Game {task.number} cannot go on, for its trace is wrong. {error}") from None
    fault: Fault | None = None
    said: tuple[tuple[int, str], ...] = ()
    if match.outcome is None:
        mine = seats()
        with mine.lock:
            table = (_Alone if alone else _Table)(mine, run, task, entrants, trace, before)
            fault, said = table.play(match), tuple(table.said.items())
    trace.end(fault)
    return Played(task.number, tuple(step.play for step in match.steps), fault, match, said)


class _Table:
    """Two players in their seats, who stay there for the whole game."""

    def __init__(
        self,
        mine: Seats,
        run: str,
        task: Task,
        entrants: tuple[Entrant, ...],
        trace: Trace | NoTrace,
        before: Begun,
    ) -> None:
        self.mine, self.trace, self.before = mine, trace, before
        self.entrants = [entrants[number] for number in task.seats]
        self.clocked = [entrant.limits.clock is not None for entrant in self.entrants]
        self.said: dict[int, str] = {}
        """What programs say of their thinking, where it is to be kept."""
        self.listening = any(entrant.limits.around.keep_info for entrant in self.entrants)
        self.players = self.sit_down(run, task, entrants)

    def sit_down(self, run: str, task: Task, entrants: tuple[Entrant, ...]) -> list[Player]:
        return [self.mine.player(run, task, entrants, seat) for seat in (0, 1)]

    def play(self, match: Match) -> Fault | None:
        """Let them play to the end, or until one of them fails."""
        suspects = self.players
        try:
            fault = self._play(match)
            suspects = [] if fault is None else [self.players[fault.seat]]
        finally:
            # Nobody sits down again with a program that failed, or that was left in the middle of a game.
            for player in suspects:
                self.mine.dismiss(player)
        return fault

    def _play(self, match: Match) -> Fault | None:
        seat = 0
        trace = self.trace
        try:
            for seat in (0, 1):
                self.prepare(match, seat)
            while match.outcome is None:
                turn = match.turn
                if turn == LUCK:
                    trace.step(match.deal())
                    continue
                for seat in SEATS[turn]:
                    match.play(seat, self.choose(match, seat))
                trace.step(match.steps[-1].play)
                if self.listening and (words := thoughts(match.names, self.players, turn)):
                    self.said[len(match.steps)] = words
        except PlayerFault as error:
            return _fault(seat, error.kind, error.sentence, getattr(error, "stderr", ""))
        except IllegalMove as error:
            return _fault(seat, ILLEGAL, str(error))
        return None

    def prepare(self, match: Match, seat: int) -> None:
        prepare = getattr(self.players[seat], "prepare", None)  # to ask the protocol takes longer than a move
        if prepare is not None:
            prepare(match.view(seat))
        if seat in self.before.clocks:
            self.players[seat].time_left = self.before.clocks[seat]  # type: ignore[attr-defined]  # it has a clock

    def choose(self, match: Match, seat: int) -> int:
        player = self.players[seat]
        move = player.choose(match.view(seat))
        if self.clocked[seat]:
            left = self.before.clocks[seat] = player.time_left  # type: ignore[attr-defined]  # it has a clock
            self.trace.clock(seat, left)
        return move


class _Alone(_Table):
    """Two players, of whom a program sits down only to answer one question, and leaves before anything else happens.

    When the referee dies meanwhile, nobody else can have done it.
    """

    def sit_down(self, run: str, task: Task, entrants: tuple[Entrant, ...]) -> list[Player]:
        return [self.mine.new_player(task, entrants, seat) for seat in (0, 1)]

    def prepare(self, match: Match, seat: int) -> None:
        if tabular(self.entrants[seat]):
            super().prepare(match, seat)

    def choose(self, match: Match, seat: int) -> int:
        if tabular(self.entrants[seat]):
            return super().choose(match, seat)
        self.trace.ask(seat)
        try:
            super().prepare(match, seat)
            return super().choose(match, seat)
        finally:
            self.mine.dismiss(self.players[seat])
            self.trace.answered(seat)


def _fault(seat: int, kind: str, sentence: str, stderr: str = "") -> Fault:
    """A fault as a record can hold it: one line that can be seen, and not too much of the rest."""
    shown = "".join(letter if letter.isprintable() else " " for letter in sentence)
    return Fault(seat, kind, " ".join(shown.split()) or "It failed.", stderr[-MOST_OUTPUT:])


__all__ = ["SLICE", "Games", "play_pair", "play_some", "play_task"]
