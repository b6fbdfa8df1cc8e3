"""What the exact values say of a game that was played: start, luck, guess, and every decision's loss."""

from __future__ import annotations

from functools import lru_cache
from math import fsum
from typing import NamedTuple

from duelbook.coach.scales import weigh_game
from duelbook.core import BOTH, LUCK
from duelbook.games import load
from duelbook.match import Match
from duelbook.solving.library import known_solution
from duelbook.solving.solution import Solution

MOST_KNOWN = 1 << 16
"""So many positions a scale remembers."""


class Account(NamedTuple):
    """Nothing but zeros and no losses where the duel cannot be solved."""

    losses: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    start: float = 0.0
    luck: float = 0.0
    guess: float = 0.0


def account(match: Match) -> Account:
    """Weigh a game, wherever it began: at the usual start or in another position that play can reach."""
    scale = scale_of(match.game.id, match.rules)
    if scale is None:
        return Account()
    weights = weigh_game(scale, match)
    losses: tuple[list[float], list[float]] = ([], [])
    for step, weight in zip(match.steps, weights, strict=True):
        for seat in () if step.turn == LUCK else (0, 1) if step.turn == BOTH else (step.turn,):
            losses[seat].append(weight.lost[seat] / 2)
    luck, guess = fsum(weight.luck for weight in weights), fsum(weight.guess for weight in weights)
    return Account((tuple(losses[0]), tuple(losses[1])), scale.value(match.start), luck + 0.0, guess + 0.0)


class Scale:
    """Says what positions are worth and decisions lose. The same ones come up game after game, so it remembers them."""

    def __init__(self, solution: Solution) -> None:
        self.value = lru_cache(MOST_KNOWN)(solution.value)
        self.loss = lru_cache(MOST_KNOWN)(solution.loss)


@lru_cache(maxsize=64)
def scale_of(game: str, rules: object) -> Scale | None:
    """None where the duel cannot be solved."""
    solution = known_solution(load(game), rules)
    return None if solution is None else Scale(solution)
