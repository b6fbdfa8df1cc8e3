"""What can be said for sure of a chance that was only seen a number of times: exact binomial bounds (Clopper, Pearson).

They hold whatever the chance is: in at most 2.5 of 100 such samples the true one lies below the lower bound, and in at
most 2.5 above the upper one. The games of a sample must not depend on one another.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, lgamma, log

WRONG = 0.025
"""How often one of these bounds is wrong at most; two of them together, twice as often."""
HALVINGS = 60


def at_least(seen: int, of: int) -> float:
    """The smallest chance with which so many are still seen that often."""
    if seen == 0:
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _so_many_or_more(seen, of, middle) < WRONG else (low, middle)
    return low


def at_most(seen: int, of: int) -> float:
    """The largest chance with which no more are seen that often."""
    return 1.0 - at_least(of - seen, of)


def _so_many_or_more(seen: int, of: int, chance: float) -> float:
    """How likely that is; the small tail is added up, so that it keeps its digits."""
    if not 0.0 < chance < 1.0:
        return chance
    yes, no, ways = log(chance), log(1 - chance), _ways(of)
    return min(1.0, sum(exp(ways[count] + count * yes + (of - count) * no) for count in range(seen, of + 1)))


@lru_cache(maxsize=2)
def _ways(of: int) -> list[float]:
    """The logarithm of how many ways there are to choose from so many."""
    return [lgamma(of + 1) - lgamma(count + 1) - lgamma(of - count + 1) for count in range(of + 1)]
