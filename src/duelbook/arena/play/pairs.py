"""Pairs of games played through the referee, step by step noted down.

This is what workers run, here or on another machine. Everything it needs comes in as plain values, and plain values go
back. A program that fails loses its game by a named fault; nothing else notices.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from duelbook.arena.play.exact import tabular
from duelbook.arena.play.ledger import ANSWERED, ASK, Begun, clock_line, ending_line, game_line, read
from duelbook.arena.play.results import Entrant, Fault, Played, Task
from duelbook.arena.play.seats import dismiss, seated
from duelbook.arena.play.telling import match_as_far_as
from duelbook.arena.play.traces import Trace
from duelbook.match import Match, Player, Prepared, Step, View
from duelbook.speech import in_one_line
from duelbook.table.keeper import thoughts

SLICE = 0.1
"""Seconds after which a worker hands back the games it has finished, however many it was given."""
MOST_OUTPUT = 2000
"""So much of what a failing program wrote to its standard error is kept: the last of it."""

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
    trace = Trace(folder if traced else None, games[0].pair, known)
    before = {game.number: game for game in read(known)}
    try:
        return [_play_on(task, before.get(task.number), entrants, run, trace, alone) for task in games]
    finally:
        trace.close()


def _play_on(
    task: Task, before: Begun | None, entrants: tuple[Entrant, ...], run: str, trace: Trace, alone: bool
) -> Played:
    """A game from where it stood to its end. What programs say of their thinking is kept where that is asked for."""
    if before is not None and before.over:
        return before.played()
    match = match_as_far_as(task, entrants, before.plays if before is not None else ())
    if before is None:
        before = Begun(task.number, task.opening)
        trace.note(game_line(before))
    said: dict[int, str] = {}
    fault: Fault | None = None
    if match.outcome is None:
        players = [seated(task, entrants, seat, None if alone else run) for seat in (0, 1)]
        sitting = [entrants[number] for number in task.seats]
        listening = any(entrant.limits.around.keep_info for entrant in sitting)

        def note(step: Step) -> None:
            trace.step(step.play)
            if listening and (words := thoughts(match.names, players, step.turn)):
                said[len(match.steps)] = words

        asked = [_beside(player, seat, sitting[seat], before, trace, alone) for seat, player in enumerate(players)]
        suspects = players
        try:
            match.run(asked, note if listening or trace.kept else None)
            fault = _fault_in(match)
            suspects = [] if fault is None else [players[fault.seat]]
        finally:
            # Nobody sits down again with a program that failed, or that was left in the middle of a game.
            for player in suspects:
                dismiss(player)
    trace.note(ending_line(fault))
    return Played(task.number, tuple(step.play for step in match.steps), fault, match, tuple(said.items()))


def _beside(player: Player, seat: int, entrant: Entrant, before: Begun, trace: Trace, alone: bool) -> Player:
    """The player, with somebody beside it who notes down what must be known when its referee dies."""
    asked = player
    if entrant.limits.clock is not None:
        asked = _Clocked(asked, seat, before.clocks, trace)
    if alone and not tabular(entrant):
        asked = _CalledIn(asked, seat, trace, lambda: dismiss(player))
    return asked


class _Clocked:
    """A player whose clock is noted after every move, and goes on from there after a break."""

    def __init__(self, player: Any, seat: int, clocks: dict[int, float], trace: Trace) -> None:  # with `time_left`
        self.player, self.seat, self.clocks, self.trace = player, seat, clocks, trace

    def prepare(self, view: View) -> None:
        self.player.prepare(view)
        if self.seat in self.clocks:
            self.player.time_left = self.clocks[self.seat]

    def choose(self, view: View) -> int:
        move: int = self.player.choose(view)
        left = self.clocks[self.seat] = self.player.time_left
        self.trace.note(clock_line(self.seat, left))
        return move


class _CalledIn:
    """A program that sits down only to answer one question, and leaves before anything else happens.

    When the referee dies meanwhile, nobody else can have done it.
    """

    def __init__(self, player: Player, seat: int, trace: Trace, dismiss: Callable[[], None]) -> None:
        self.player, self.seat, self.trace, self.dismiss = player, seat, trace, dismiss

    def choose(self, view: View) -> int:
        self.trace.note(f"{ASK}{self.seat}")
        try:
            if isinstance(self.player, Prepared):
                self.player.prepare(view)
            return self.player.choose(view)
        finally:
            self.dismiss()
            self.trace.note(f"{ANSWERED}{self.seat}")


def _fault_in(match: Match) -> Fault | None:
    """How a player failed in this match, as a record can hold it: not too much of what a program wrote last."""
    failed, outcome = match.failed, match.outcome
    if failed is None or outcome is None or outcome.winner is None:
        return None
    sentence = in_one_line(failed.sentence) or "It failed."
    return Fault(1 - outcome.winner, failed.kind, sentence, getattr(failed, "stderr", "")[-MOST_OUTPUT:])
