"""How many mistakes the levels of a duel make, found so that its ladder has even steps and keeps its promise.

From the top down each level gets as many temptations for one perfect move as let the rung above it score the same share
against it. That share is the widest with which level 1 scores as much against random. The promise is that no pattern
wins more than half of its matches against a level from the fourth up (see `patterns`). Where even steps break it, the
steps down to the fourth level are as wide as the promise allows, and those below it are even among themselves.

How much a level heeds that the other side could win at once depends on the mistakes that are known when this begins
(see `alarm`): it is done again until it stays.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log
from typing import Any

from duelbook.core import Game
from duelbook.policies.ladder import laid_out
from duelbook.policies.levels import LEVELS, PERFECT, PROMISED
from duelbook.policies.patterns import Tried, beating, tried_on

FEWEST, MOST = 0.001, 20_000.0
"""No level makes fewer or more mistakes than this for one perfect move."""
WIDEST, NARROWEST = 0.80, 0.552
"""No step is wider or narrower than these."""
CLOSE = 0.0005
"""A level is found when the score is as close as this to what it should be."""
STRIDE, TRIES = 0.8, 12
WIDTHS = 6
"""So many widths of steps are tried, each half as far from the last as that from the one before it."""


def calibrated(game: Game) -> list[float]:
    """The mistakes of the levels, the first level first."""
    scale = _Scale(game)
    found = scale.down_to_random(scale.perfect, len(LEVELS))
    above = len(LEVELS) - PROMISED + 1
    if any(scale.broken(mistakes) for mistakes in found[:above]):
        top = _widest(lambda step: scale.kept(scale.chain(scale.perfect, step, above)))
        found = top + scale.down_to_random(scale.plan(top[-1]), len(LEVELS) - above)
    return found[::-1]


class _Scale:
    """A duel laid out, on which levels are held against each other."""

    def __init__(self, game: Game) -> None:
        self.table, self.machine = laid_out(game, game.book)
        self.meet: Callable[[Any, Any], Any] = self.table.meeting(self.machine)
        self.perfect, self.anything = self.table.plan(self.machine, 0.0), self.table.plan(self.machine, None)
        self.tried: Tried = tried_on(self.table, self.machine)

    def plan(self, mistakes: float) -> Any:
        return self.table.plan(self.machine, mistakes)

    def score(self, one: Any, two: Any) -> float:
        first: float = self.meet(one, two).score
        return first if self.table.even else (first + 1 - self.meet(two, one).score) / 2

    def chain(self, above: Any, step: float, count: int) -> list[float] | None:
        """The mistakes of so many levels with steps of this width, from the top down; None if they do not fit."""
        found = list[float]()
        for _level in range(count):
            mistakes = _crossing(self._over(above, step), log(found[-1] if found else FEWEST))
            if mistakes is None:
                return None
            found.append(float(f"{exp(mistakes):.4g}"))
            above = self.plan(found[-1])
        return found

    def _over(self, above: Any, step: float) -> Callable[[float], float]:
        return lambda many: self.score(above, self.plan(exp(many))) - step

    def down_to_random(self, above: Any, count: int) -> list[float]:
        """So many levels with steps as wide as the one from random to the lowest of them allows."""

        def fitting(step: float) -> list[float] | None:
            found = self.chain(above, step, count)
            return found if found and self.score(self.plan(found[-1]), self.anything) >= step else None

        return _widest(fitting)

    def kept(self, found: list[float] | None) -> list[float] | None:
        return found if found and not any(self.broken(mistakes) for mistakes in found) else None

    def broken(self, mistakes: float) -> bool:
        """Whether a pattern beats a level that makes so many mistakes."""
        return any(beating(self.tried, {PERFECT: self.perfect, "level": self.plan(mistakes)}, "level"))


def _widest(found_for: Callable[[float], list[float] | None]) -> list[float]:
    """What is found for the widest step for which anything is."""
    low, high, best = NARROWEST, WIDEST, found_for(NARROWEST)
    if best is None:
        raise ValueError(f"There is no room for {len(LEVELS)} levels between random and perfect.")
    for _width in range(WIDTHS):
        step = (low + high) / 2
        found = found_for(step)
        if found is None:
            high = step
        else:
            low, best = step, found
    return best


def _crossing(over: Callable[[float], float], below: float) -> float | None:
    """Where a function that grows comes to 0, beyond where it is less: by strides, then by false position."""
    low, at_low, high, at_high = below, -1.0, below, -1.0
    while at_high < 0:
        low, at_low, high = high, at_high, high + STRIDE
        if high > log(MOST):
            return None
        at_high = over(high)
    for _try in range(TRIES):
        if abs(at_high) < CLOSE:
            return high
        middle = (low + high) / 2 if at_low == -1.0 else low + (high - low) * -at_low / (at_high - at_low)
        found = over(middle)
        if abs(found) < CLOSE:
            return middle
        low, at_low, high, at_high = (middle, found, high, at_high) if found < 0 else (low, at_low, middle, found)
    return (low + high) / 2
