"""What the exact values say of a game that was played: start, luck, guess, and every decision's loss."""

from __future__ import annotations

from functools import lru_cache
from math import fsum
from typing import Any, NamedTuple

from duelbook.coach.weigh import Weighed, weigh, worth_of
from duelbook.core import BOTH, LUCK, DuelError
from duelbook.games import load
from duelbook.match import Match
from duelbook.solve.library import solution_for
from duelbook.solve.solution import Solution


class Account(NamedTuple):
    """Nothing but zeros and no losses where the duel cannot be solved."""

    losses: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    start: float = 0.0
    luck: float = 0.0
    guess: float = 0.0


def account(match: Match) -> Account:
    """Weigh a game that begins where its duel does."""
    solution = solution_or_none(match.game.id, match.rules)
    if solution is None:
        return Account()
    losses: tuple[list[float], list[float]] = ([], [])
    luck, guess = [], []
    game, rules, steps = match.game.id, match.rules, match.steps
    for at, step in enumerate(steps):
        after = steps[at + 1].before if at + 1 < len(steps) else match.state
        weight = _weighed(game, rules, step.turn, step.play, step.before, after)
        if step.turn == LUCK:
            luck.append(weight.luck)
            continue
        for seat in (0, 1) if step.turn == BOTH else (step.turn,):
            losses[seat].append(weight.lost[seat] / 2)
        guess.append(weight.guess)
    return Account(
        (tuple(losses[0]), tuple(losses[1])), worth_of(solution, match.start), fsum(luck) + 0.0, fsum(guess) + 0.0
    )


@lru_cache(maxsize=64)
def solution_or_none(game: str, rules: Any) -> Solution | None:
    try:
        return solution_for(load(game), rules)
    except DuelError:
        return None


@lru_cache(maxsize=1 << 17)
def _weighed(game: str, rules: Any, turn: int, play: Any, before: Any, after: Any) -> Weighed:
    """The same step comes up again and again, and where both pick at once it takes a while to weigh."""
    solution = solution_or_none(game, rules)
    assert solution is not None  # or nobody would ask
    return weigh(solution, turn, play, before, after)
