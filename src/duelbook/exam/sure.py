"""How sure a score is, and when two are apart.

The questions of a duel are independent draws, so a score is a mean of means: of each duel's questions, and of the
duels, each weighing the same. Its interval is Student's for such a stratified mean (Welch and Satterthwaite), taken of
the losses and of two questions more, one at which nothing is lost and one at which everything is: a few answers that
happen to be alike are no certainty. How often such intervals hold the true mean was counted, see docs/exam.md.

To stop as soon as two are apart another rule is needed, since whoever looks often sees chance, too. It is a bet
against their being equal (an e-process; Ville's inequality): a stake of 1 is spread evenly over a few shares of itself,
for the first and for the second player. Each question multiplies it by 1 plus or minus the share times the difference.
Were the two equal, the stake would grow twentyfold at any time in at most one exam out of twenty. A lap is one question
of each seat of each duel, and only after a whole one is looked at: within a lap the duels may lean to either side, and
the product of independent factors whose mean differences add up to 0 is on average at most 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, exp, fsum, log, log1p, sqrt
from typing import NamedTuple

from duelbook.intervals import CONFIDENCE, NORMAL, SURE, Estimate, student

POWER = 0.95
"""How often an exam of the needed length must show a difference."""
SHARES = (0.05, 0.1, 0.2, 0.4, 0.8)
"""How much of its stake each bet puts on the next question."""
CERTAIN_AT = 1 / (1 - CONFIDENCE)
"""What a bet must come to."""


def mean_of_duels(groups: Sequence[Sequence[float]], low: float = 0.0, high: float = 1.0) -> Estimate | None:
    """The mean over duels of the mean of each, with its interval; between `low` and `high` lies all that can be lost at
    one question. None where some duel was asked nothing."""
    if not groups or not all(groups):
        return None
    value = _mean([_mean(group) for group in groups])
    spreads = [_variance(group, high - low) / len(group) for group in groups]
    total = fsum(spreads)
    fewer = fsum(part**2 / max(1, len(group) - 1) for part, group in zip(spreads, groups, strict=True))
    freedom = total**2 / fewer if fewer else max(1, min(map(len, groups)) - 1)
    more = 1 / (len(groups) ** 2 / fsum(1 / len(group) for group in groups) + 2)  # the weight of one question more
    centre = value * (1 - 2 * more) + more * (low + high)
    added = more**2 * ((high - centre) ** 2 + (low - centre) ** 2)
    margin = student(max(1, int(freedom))) * sqrt(total / len(groups) ** 2 * (1 - 2 * more) ** 2 + added)
    return Estimate(value, max(low, min(centre - margin, value)), min(high, max(centre + margin, value)))


def needed(difference: float, variance: float) -> int | None:
    """How many questions tell two players apart: the 95 % interval of their difference leaves out 0 in 95 of 100 exams.

    `variance` is that of the difference at one question, the mean over the duels. None where there is no difference.
    """
    if abs(difference) < 1e-12:
        return None
    return max(2, ceil(((SURE + NORMAL.inv_cdf(POWER)) / difference) ** 2 * variance))


class Apart(NamedTuple):
    """How a bet against two players being equal stands."""

    worth: float
    """What a stake of 1 has become; from 20 on they are apart."""
    questions: int
    """How many were asked so far, whole laps only."""
    lost_more: int | None
    """0 or 1: who loses more, once they are apart."""


class Bet:
    """Hears the differences, question by question, and says after every whole lap how it stands."""

    def __init__(self, lap: int) -> None:
        self.lap, self._heard = lap, 0
        self._for = [0.0] * len(SHARES)
        """The logarithm of each bet that the first player loses more."""
        self._against = [0.0] * len(SHARES)
        self.stands = Apart(1.0, 0, None)

    def hear(self, difference: float) -> bool:
        """What the first player lost more than the second at the next question; True once they are apart."""
        if self.stands.lost_more is not None:
            return True
        for at, share in enumerate(SHARES):
            self._for[at] += log1p(share * difference)
            self._against[at] += log1p(-share * difference)
        self._heard += 1
        if self._heard % self.lap == 0:
            first, second = (_sum(bets) for bets in (self._for, self._against))
            worth = (exp(min(first, 700.0)) + exp(min(second, 700.0))) / (2 * len(SHARES))
            self.stands = Apart(worth, self._heard, None if worth < CERTAIN_AT else int(second > first))
        return self.stands.lost_more is not None


def bet(differences: Iterable[float], lap: int) -> Apart:
    """The same of all differences at once, up to where it is clear."""
    made = Bet(lap)
    for difference in differences:
        if made.hear(difference):
            break
    return made.stands


def _sum(logarithms: Sequence[float]) -> float:
    """The logarithm of the sum."""
    most = max(logarithms)
    return most + log(fsum(exp(each - most) for each in logarithms))


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def _variance(values: Sequence[float], range_: float) -> float:
    """Of one question; a single one says nothing of it, and then it is as large as can be."""
    if len(values) < 2:
        return range_**2 / 4
    centre = _mean(values)
    return fsum((value - centre) ** 2 for value in values) / (len(values) - 1)


def variance_of_duels(groups: Sequence[Sequence[float]]) -> float:
    """That of one question, the mean over the duels."""
    return _mean([_variance(group, 2.0) for group in groups])
