"""How sure a mean is: estimates with the interval that holds the truth 95 times out of 100.

What is counted comes in clusters: the two games of a pair share their luck, and the decisions of a game are anything
but independent. So whole pairs are compared with one another, never single decisions. Plain Python.

Shares and losses have a range: no score is better than everything, no loss less than nothing. What is known to lie in
a range is brought into it whole, the estimate as well as both ends of its interval, so that an interval always holds
its own estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, pi, sqrt, tan
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95
NORMAL = NormalDist()
SURE = NORMAL.inv_cdf((1 + CONFIDENCE) / 2)
"""So many standard errors to either side hold the truth 95 times out of 100."""
NONE_SEEN = 3.0
"""What was not seen once in n tries is rarer than this over n, 95 times out of 100: the rule of three."""
ALIKE = 1e-9
"""Clusters that spread less than this do not differ."""


class Estimate(NamedTuple):
    """A number that was measured, and the interval that 95 times out of 100 holds the true one."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        return (self.high - self.low) / 2


def student(freedom: int) -> float:
    """As SURE, where the spread itself is known only from so many more clusters than one: Student's t.

    Up to two degrees of freedom there is a formula; from three on Fisher's expansion is off by less than 0.001.
    """
    tail = (1 + CONFIDENCE) / 2
    if freedom < 1:
        raise ValueError("a spread needs at least two clusters")
    if freedom == 1:
        return tan(pi * (tail - 0.5))
    if freedom == 2:
        return (2 * tail - 1) * sqrt(2 / (4 * tail * (1 - tail)))
    z, n = SURE, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
        + (27 * z**11 + 339 * z**9 + 930 * z**7 - 1782 * z**5 - 765 * z**3 + 17955 * z) / (368640 * n**5)
    )


def ratio(amounts: Sequence[float], counts: Sequence[float]) -> Estimate | None:
    """Amounts over counts, each summed over clusters: what a decision loses, from what pairs of games lose. None for
    fewer than two clusters, of which nothing can be said.

    The usual interval of a ratio: how far each cluster's amount lies from what its count led to expect.
    """
    total = fsum(counts)
    if len(amounts) < 2 or not total:
        return None
    value = fsum(amounts) / total
    margin = student(len(amounts) - 1) * spread(amounts, counts) / sqrt(len(amounts))
    return Estimate(value, value - margin, value + margin)


def share(amounts: Sequence[float], counts: Sequence[float]) -> Estimate | None:
    """The same for something between none and all, as points over games.

    A few results that happen to be alike are no certainty. So the interval is that of the results and of two clusters
    more, one that has nothing and one that has everything; of many results they change next to nothing.
    """
    found = ratio(amounts, counts)
    if found is None:
        return None
    usual = fsum(counts) / len(counts)
    wider = ratio([*amounts, 0.0, usual], [*counts, usual, usual])
    assert wider is not None  # it has even more clusters
    return within(Estimate(found.value, min(wider.low, found.value), max(wider.high, found.value)))


def part(amounts: Sequence[float], counts: Sequence[float]) -> Estimate | None:
    """The same for what is lost of each count, which is mostly nothing and at most 1.

    Where all clusters are alike there is no spread to measure. Then others are rarer than three in all that were seen,
    and at worst such a one loses nothing of what the others lose, or everything. Either way clusters are taken to be
    independent, and such a one not to be longer than others; clusters that repeat each other say less than that.
    """
    found = ratio(amounts, counts)
    if found is None:
        return None
    if spread(amounts, counts) <= ALIKE:
        rare = min(1.0, NONE_SEEN / len(amounts))
        found = Estimate(found.value, found.value * (1 - rare), found.value + (1 - found.value) * rare)
    return within(found)


def within(found: Estimate) -> Estimate:
    """An estimate of something between 0 and 1: what lies outside, interval or estimate, moves to the end."""
    return Estimate._make(min(max(each, 0.0), 1.0) for each in found)


def spread(amounts: Sequence[float], counts: Sequence[float]) -> float:
    """The standard deviation of what one cluster says about the ratio."""
    clusters, total = len(amounts), fsum(counts)
    return deviation(leanings(amounts, counts)) if clusters > 1 and total else 0.0


def leanings(amounts: Sequence[float], counts: Sequence[float]) -> list[float]:
    """How far each cluster, alone, pulls the ratio away from what all of them together say. The mean is 0."""
    value, usual = fsum(amounts) / fsum(counts), fsum(counts) / len(counts)
    return [(amount - value * count) / usual for amount, count in zip(amounts, counts, strict=True)]


def deviation(values: Sequence[float]) -> float:
    centre = fsum(values) / len(values)
    return sqrt(fsum((value - centre) ** 2 for value in values) / (len(values) - 1))
