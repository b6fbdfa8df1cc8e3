"""One game of a tournament: played through the referee, weighed, and written down.

This is what workers run, here or on another machine. Everything it needs comes in as plain values, and plain values go
back. A program that fails loses its game by a named fault; nothing else notices.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from duelbook.arena.results import FAULTS, Entrant, Fault, Result, Task
from duelbook.arena.seats import seats
from duelbook.arena.weighing import account
from duelbook.core import BOTH, LUCK, IllegalMove, variant
from duelbook.engine.fault import ILLEGAL
from duelbook.games import load
from duelbook.match import Match, Player, PlayerFault
from duelbook.record import Record, writes

SLICE = 0.1
"""Seconds after which a worker hands back the games it has finished, however many it was given."""
MOST_OUTPUT = 2000
"""So much of what a failing program wrote to its standard error is kept: the last of it."""
WORKER = "worker"
"""In place of a kind of fault: the worker itself died, and nobody knows whose fault that was."""


SEATS = {0: (0,), 1: (1,), BOTH: (0, 1)}
"""Who decides in a turn that somebody decides."""


class Settings(NamedTuple):
    """What all games of a tournament have in common."""

    event: str = "Duelbook arena"
    fingerprint: str = ""
    date: str = "????.??.??"


def play_some(tasks: Sequence[Task], entrants: tuple[Entrant, ...], settings: Settings) -> list[Result]:
    """Play as many of the games as fit into a slice of time, from the first on, and at least one.

    A game is not begun when one like the longest so far would not fit any more: those that have ended would wait for
    it, and be lost with it.
    """
    begun = last = time.monotonic()
    longest = 0.0
    results: list[Result] = []
    for task in tasks:
        results.append(play_task(task, entrants, settings))
        now = time.monotonic()
        longest, last = max(longest, now - last), now
        if now - begun + longest >= SLICE:
            break
    return results


def play_task(task: Task, entrants: tuple[Entrant, ...], settings: Settings) -> Result:
    match = new_match(task, entrants)
    mine = seats()
    with mine.lock:
        players = [mine.player(task, entrants, number) for number in task.seats]
        suspects = players
        try:
            fault = _play(match, players)
            suspects = [] if fault is None else [players[fault.seat]]
        finally:
            # Nobody sits down again with a program that failed, or that was left in the middle of a game.
            for player in suspects:
                mine.dismiss(player)
    return result_of(task, match, entrants, settings, fault)


def new_match(task: Task, entrants: Sequence[Entrant]) -> Match:
    game = load(task.game)
    one, two = task.seats
    names = (entrants[one].name, entrants[two].name)
    rules = variant(game, task.rules)
    start = game.read_position(rules, task.opening) if task.opening else None
    return Match(game, rules, start=start, seed=task.seed, max_turns=task.max_turns, names=names)


def _play(match: Match, players: Sequence[Player]) -> Fault | None:
    """Let them play to the end, or until one of them fails."""
    seat = 0
    try:
        for seat in (0, 1):
            prepare = getattr(players[seat], "prepare", None)  # to ask the protocol takes longer than a move
            if prepare is not None:
                prepare(match.view(seat))
        while match.outcome is None:
            turn = match.turn
            if turn == LUCK:
                match.deal()
                continue
            for seat in SEATS[turn]:
                match.play(seat, players[seat].choose(match.view(seat)))
    except PlayerFault as error:
        return _fault(seat, error.kind, error.sentence, getattr(error, "stderr", ""))
    except IllegalMove as error:
        return _fault(seat, ILLEGAL, str(error))
    return None


def _fault(seat: int, kind: str, sentence: str, stderr: str = "") -> Fault:
    """A fault as a record can hold it: one line that can be seen, and not too much of the rest."""
    shown = "".join(letter if letter.isprintable() else " " for letter in sentence)
    return Fault(seat, kind, " ".join(shown.split()) or "It failed.", stderr[-MOST_OUTPUT:])


def result_of(
    task: Task, match: Match, entrants: Sequence[Entrant], settings: Settings, fault: Fault | None = None
) -> Result:
    """What came of a game. A game read back from its record gives the same, to the last digit."""
    weights = account(match)
    if fault is not None and match.outcome is None:
        match.fault(fault.seat, fault.kind, fault.sentence)
    outcome = match.outcome
    one, two = task.seats
    record = Record(
        match, (entrants[one].kind, entrants[two].kind), settings.date, dict(_tags(task, settings, fault, match))
    )
    return Result(
        task,
        outcome.winner if outcome else None,
        outcome.reason if outcome else GAVE_UP,
        match.turns,
        fault,
        weights.losses,
        weights.start,
        weights.luck,
        writes(record),
        weights.guess,
    )


GAVE_UP = "The worker that played this game died again and again, so it was given up."


def given_up(task: Task, entrants: Sequence[Entrant], settings: Settings) -> Result:
    """A game that nobody could play to its end: no result, and no fault of a player's, for nobody can tell whose."""
    return result_of(task, new_match(task, entrants), entrants, settings)


# Tags


EVENT, ROUND, ARENA, TASK = "Event", "Round", "Arena", "ArenaTask"
FAULT, FAULT_OUTPUT = "Fault", "FaultOutput"


def _tags(task: Task, settings: Settings, fault: Fault | None, match: Match) -> Iterator[tuple[str, str]]:
    yield EVENT, settings.event
    yield ROUND, str(task.round)
    yield ARENA, settings.fingerprint
    yield TASK, str(task.number)
    if match.outcome is None:
        yield FAULT, WORKER
    elif fault is not None:
        yield FAULT, fault.kind
        if fault.stderr:
            yield FAULT_OUTPUT, json.dumps(fault.stderr)[1:-1]


def fault_in(record: Record) -> Fault | None:
    """The fault that a record tells of."""
    outcome, kind = record.match.outcome, record.extra.get(FAULT)
    if outcome is None or outcome.kind != "fault" or outcome.winner is None or kind not in FAULTS:
        return None
    _, _, sentence = outcome.reason.partition(f"({kind}): ")
    output = json.loads(f'"{record.extra.get(FAULT_OUTPUT, "")}"')
    return Fault(1 - outcome.winner, kind, sentence, str(output))


def was_given_up(record: Record) -> bool:
    return record.extra.get(FAULT) == WORKER


__all__ = ["SLICE", "Settings", "fault_in", "given_up", "play_some", "play_task", "result_of", "was_given_up"]
