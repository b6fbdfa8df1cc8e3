"""Results that need not be played for: between players whose every choice is known, every chance is known exactly."""

from __future__ import annotations

from typing import NamedTuple

from duelbook.arena.play.results import Duel, Entrant
from duelbook.arena.play.schedule import Plan, pairings
from duelbook.core import DuelError
from duelbook.match import BELL
from duelbook.policies.characters import CHARACTERS
from duelbook.policies.levels import TABULAR
from duelbook.policies.meeting import Meeting
from duelbook.policies.standings import standings


class Exact(NamedTuple):
    """The chances of one entrant in the first seat against another in the second."""

    duel: Duel
    seats: tuple[int, int]
    meeting: Meeting


FROM_THE_USUAL_START = "Exact chances are known from the usual start; with other openings all games are played."


def tabular(entrant: Entrant) -> bool:
    return entrant.kind in TABULAR


def exact_results(plan: Plan) -> tuple[list[Exact], list[str]]:
    """What can be computed of a tournament, and for what cannot be, why not."""
    kinds = [entrant.kind for entrant in plan.entrants]
    met = [pair for pair in pairings(len(kinds), plan.tournament) if all(kinds[each] in TABULAR for each in pair)]
    if met and plan.max_turns != BELL:
        return [], [f"Exact chances are known for a bell after {BELL} turns; with another one all games are played."]
    if met and plan.openings.kind:
        return [], [FROM_THE_USUAL_START]
    found, refused = [], []
    for duel in plan.duels if met else ():
        try:
            table = standings(*duel.loaded(), characters=any(kind in CHARACTERS for kind in kinds))
        except DuelError as error:
            refused.append(f"{str(error).rstrip('.')}. Until then these games are played.")
            continue
        for one, two in met:
            found.append(Exact(duel, (one, two), table[kinds[one], kinds[two]]))
            found.append(Exact(duel, (two, one), table[kinds[two], kinds[one]]))
    return found, refused
