"""Results that need not be played for: between players whose every choice is known, every chance is known exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from duelbook.arena.play.results import Entrant
from duelbook.arena.play.schedule import Duel, Schedule, pairings
from duelbook.core import DuelError, variant
from duelbook.games import load
from duelbook.match import BELL
from duelbook.policies.levels import RUNGS
from duelbook.policies.meeting import Meeting
from duelbook.policies.standings import standings


class Exact(NamedTuple):
    """The chances of one entrant in the first seat against another in the second."""

    duel: Duel
    seats: tuple[int, int]
    meeting: Meeting


FROM_THE_USUAL_START = "Exact chances are known from the usual start; with other openings all games are played."


def tabular(entrant: Entrant) -> bool:
    return entrant.kind in RUNGS


def exact_results(
    entrants: Sequence[Entrant],
    duels: Sequence[Duel],
    tournament: str,
    max_turns: int = BELL,
    *,
    usual_start: bool = True,
) -> tuple[list[Exact], list[str]]:
    """What can be computed of a tournament, and for what cannot be, why not."""
    met = [pair for pair in pairings(len(entrants), tournament) if all(tabular(entrants[each]) for each in pair)]
    if met and max_turns != BELL:
        return [], [f"Exact chances are known for a bell after {BELL} turns; with another one all games are played."]
    if met and not usual_start:
        return [], [FROM_THE_USUAL_START]
    found, refused = [], []
    for duel in duels if met else ():
        game = load(duel.game)
        try:
            table = standings(game, variant(game, duel.rules))
        except DuelError as error:
            refused.append(f"{error} Until then these games are played.")
            continue
        for one, two in met:
            kinds = entrants[one].kind, entrants[two].kind
            found.append(Exact(duel, (one, two), table[kinds]))
            found.append(Exact(duel, (two, one), table[kinds[::-1]]))
    return found, refused


def to_play(tasks: Schedule, known: Sequence[Exact]) -> Schedule:
    """The games that must be played because nothing better is known. Their numbers and luck stay what they were."""
    return tasks.without({(each.duel, each.seats) for each in known})
