"""What came of a game: its moves played through the referee once more, weighed, and written down.

Whoever played the game, here or on another machine, hands back its steps and nothing else. All that counts is worked
out from them here, so there is nothing that a worker would have to be believed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from duelbook.arena.judge.weighing import account
from duelbook.arena.play.results import FAULTS, Duel, Entrant, Fault, Played, Result, Settings, Task
from duelbook.core import BOTH, LUCK, DuelError, IllegalMove
from duelbook.match import Match
from duelbook.record import Record, writes

WORKER = "worker"
"""In place of a kind of fault: the worker itself died, and nobody knows whose fault that was."""
GAVE_UP = "The worker that played this game died again and again, so it was given up."


def new_match(task: Task, entrants: Sequence[Entrant]) -> Match:
    game, rules = Duel(task.game, task.rules).loaded()
    one, two = task.seats
    names = (entrants[one].name, entrants[two].name)
    start = game.read_position(rules, task.opening) if task.opening else None
    return Match(game, rules, start=start, seed=task.seed, stacked=task.stacked, max_turns=task.max_turns, names=names)


def replay(match: Match, plays: Iterable[Any], *, believed: bool = False) -> None:
    """Play these steps. Cards come from the match's own luck, and a step that says another one is refused, unless what
    was shown is believed."""
    for play in plays:
        turn = match.turn
        if match.outcome is not None:
            raise IllegalMove("The game is over; no move can follow.")
        if turn == LUCK:
            if match.deal(play if believed else None) != play:
                raise IllegalMove("Another card was drawn than luck gives.")
        elif turn == BOTH:
            for seat in (0, 1):
                match.play(seat, play[seat])
        else:
            match.play(turn, play)


def match_as_far_as(task: Task, entrants: Sequence[Entrant], plays: Iterable[Any], *, believed: bool = False) -> Match:
    """A game that was begun, as its trace has it."""
    match = new_match(task, entrants)
    try:
        replay(match, plays, believed=believed)
    except (DuelError, TypeError, IndexError) as error:
        raise DuelError(f"Game {task.number} cannot go on, because its trace is wrong. {error}") from None
    return match


def tell(task: Task, played: Played, entrants: Sequence[Entrant], settings: Settings) -> Result:
    """The result of a game. One that another process has played is played again; if it cannot be, that is an error."""
    if played.match is not None:
        return result_of(task, played.match, entrants, settings, played.fault, dict(played.said))
    match, fault = new_match(task, entrants), played.fault
    try:
        if played.number != task.number:
            raise DuelError(f"It says that it is game {played.number}.")
        replay(match, played.plays)
        if fault is None and match.outcome is None:
            raise DuelError("It is not over.")
        if fault is not None and (match.outcome is not None or fault.seat not in (0, 1) or fault.kind not in FAULTS):
            raise DuelError("It tells of a fault that there cannot be.")
        comments = {int(at): str(words) for at, words in played.said if 0 <= at <= len(match.steps)}
    except (DuelError, TypeError, ValueError, IndexError) as error:
        raise DuelError(f"Game {task.number} cannot have been played so. {error}") from None
    return result_of(task, match, entrants, settings, fault, comments)


def result_of(
    task: Task,
    match: Match,
    entrants: Sequence[Entrant],
    settings: Settings,
    fault: Fault | None = None,
    comments: Mapping[int, str] = MappingProxyType({}),
) -> Result:
    """What came of a game. A game read back from its record gives the same, to the last digit."""
    weights = account(match)
    if fault is not None and match.outcome is None:
        match.fault(fault.seat, fault.kind, fault.sentence)
    outcome = match.outcome
    one, two = task.seats
    kinds = (entrants[one].kind, entrants[two].kind)
    record = Record(match, kinds, settings.date, dict(_tags(task, settings, fault, match)), dict(comments))
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
    return Fault(1 - outcome.winner, kind, sentence, _output(record.extra.get(FAULT_OUTPUT, "")))


def _output(said: str) -> str:
    """What a program wrote last, out of its tag. What nobody can have written there is a mistake in the file."""
    try:
        output = json.loads(f'"{said}"')
        output.encode()
    except ValueError:
        raise DuelError(f"{FAULT_OUTPUT}: it is not written as a program's words are.") from None
    return str(output)


def was_given_up(record: Record) -> bool:
    return record.extra.get(FAULT) == WORKER
