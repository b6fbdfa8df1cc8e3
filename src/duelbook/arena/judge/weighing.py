"""What the exact values say of a game that was played: start, luck, guess, and every decision's loss."""

from __future__ import annotations

from functools import lru_cache
from math import fsum
from typing import Any, NamedTuple

from duelbook.coach.scales import given_away, guess_in, lost_by_picks, worth_of
from duelbook.core import BOTH, LUCK, DuelError
from duelbook.games import load
from duelbook.match import Match
from duelbook.solving.library import solution_for
from duelbook.solving.solution import Solution

MOST_KNOWN = 1 << 16
"""So many positions a scale remembers; then it forgets them all and begins anew."""


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
    steps = match.steps
    start = was = scale.worth(match.start)
    losses: tuple[list[float], list[float]] = ([], [])
    luck, guess = [], []
    for at, (turn, play, before) in enumerate(steps, 1):
        now = scale.worth(steps[at].before if at < len(steps) else match.state)
        if turn == LUCK:
            luck.append(now - was)
        elif turn == BOTH:
            one, two = scale.lost_by_picks(before, play)
            losses[0].append(one / 2)
            losses[1].append(two / 2)
            guess.append(guess_in(was, now, one, two))
        else:
            losses[turn].append((given_away(was, now) if turn == 0 else given_away(now, was)) / 2)
        was = now
    return Account((tuple(losses[0]), tuple(losses[1])), start, fsum(luck) + 0.0, fsum(guess) + 0.0)


class Scale:
    """Says what positions and pairs of picks are worth. The same ones come up game after game, so it remembers them."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self._worth: dict[Any, float] = {}
        self._lost: dict[Any, tuple[float, float]] = {}

    def worth(self, state: Any) -> float:
        known = self._worth.get(state)
        if known is None:
            known = _room_in(self._worth)[state] = worth_of(self.solution, state)
        return known

    def lost_by_picks(self, state: Any, picks: tuple[int, int]) -> tuple[float, float]:
        known = self._lost.get((state, picks))
        if known is None:
            known = _room_in(self._lost)[state, picks] = lost_by_picks(self.solution, state, picks)
        return known


def _room_in(known: dict[Any, Any]) -> dict[Any, Any]:
    if len(known) >= MOST_KNOWN:
        known.clear()
    return known


@lru_cache(maxsize=64)
def scale_of(game: str, rules: Any) -> Scale | None:
    """None where the duel cannot be solved."""
    try:
        return Scale(solution_for(load(game), rules))
    except DuelError:
        return None
