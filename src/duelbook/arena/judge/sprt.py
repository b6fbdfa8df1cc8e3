"""Stop when it is clear: the sequential probability ratio test on pairs of games.

Two players meet in pairs of games with the seats swapped and the same luck. A pair scores 0, a half, 1, one and a half
or 2, and these five scores, not single games, are what the test counts: so shared luck and the first seat's advantage
cost nothing.

Two numbers stand against each other: H0 says that the first player is `elo0` above the second, H1 that it is `elo1`,
both as Elo on the score: 0 is half of the points, 400 ten times as many as the other. After each pair the
log-likelihood ratio is compared with two bounds, as Wald showed:

    lower = log(beta / (1 - alpha))        upper = log((1 - beta) / alpha)

At or below the lower bound H0 is accepted, at or above the upper one H1. Then H1 is wrongly accepted in at most a
share `alpha` of all matches in which H0 holds or the difference is less, and H0 in at most `beta` of those in which H1
holds or the difference is more. In between, either is accepted. So an accepted H1 says that `elo1` fits the games
better than `elo0`, and no more: neither what the difference is nor that it is at least `elo1`.

**The ratio.** A score alone does not say how likely the five results are, so for each hypothesis the likeliest
chances that have its mean are taken: with shares q of the scores x, and the mean t that the hypothesis asks for,

    p = q / (1 + k (x - t)),   with the k for which   sum q (x - t) / (1 + k (x - t)) = 0

which maximises sum q log(p) under sum p = 1 and sum p x = t (Lagrange; the left side falls steadily in k, so there is
one solution between the poles). The ratio is sum n log(p1 / p0). Results that never came count as a thousandth each,
so that they are possible; so do testers of chess programs.

**Few pairs.** The spread of the scores is taken from the same pairs that are judged, and few pairs often look steadier
than they are: the ratio, which goes by one over the variance, is on average n / (n - 3) times too large. Here it is
multiplied by (n - 3) / n. That costs a few pairs and keeps the promised error rates where they are close: without it
they are exceeded between players who share most pairs evenly. In long matches it makes no difference.

**Order.** Games end in any order when many are played at once. `tournament.Pairs` hands them over in the order of the
schedule, and the verdict falls at the first pair that reaches a bound; what was played beyond it changes nothing. So
the same games give the same verdict however many workers played them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import NamedTuple

from duelbook.arena.play.results import Result, unplayed
from duelbook.core import DuelError
from duelbook.speech import amount

SCORES = (0.0, 0.5, 1.0, 1.5, 2.0)
"""What a pair of games can score."""
UNSEEN = 1e-3
"""How much a score counts that never came."""
FEW = 3
"""So many pairs say nothing yet: see above."""
EXACT = 1e-12
BOUND, ROUNDS = "bound reached", "rounds used up"
"""Why a test ended."""


class Standing(NamedTuple):
    """Where a test stands, and what it was asked."""

    elo0: float
    elo1: float
    alpha: float
    beta: float
    llr: float
    lower: float
    upper: float
    accepted: str | None
    """H0, H1, or None while nothing is clear."""
    stopped: str | None
    """Why it ended; None while pairs may still come."""
    pairs: int
    counts: tuple[int, ...]
    """How many pairs scored 0, a half, 1, one and a half and 2."""
    sentence: str

    @property
    def score(self) -> float:
        """The share of the points that the first player has."""
        return sum(x * n for x, n in zip(SCORES, self.counts, strict=True)) / (2 * self.pairs) if self.pairs else 0.5


class Sprt:
    """A test in progress: it hears of one pair after another, in the order of the schedule."""

    def __init__(
        self,
        elo0: float,
        elo1: float,
        alpha: float = 0.05,
        beta: float = 0.05,
        names: tuple[str, str] = ("the first player", "the second"),
    ) -> None:
        if not elo0 < elo1:
            raise DuelError(f"elo0 must be less than elo1; {elo0:g} and {elo1:g} are not.")
        if not (0 < alpha < 0.5 and 0 < beta < 0.5):
            raise DuelError("alpha and beta are chances of error between 0 and 0.5, such as 0.05.")
        self.elo0, self.elo1, self.alpha, self.beta, self.names = elo0, elo1, alpha, beta, names
        self.means = expected_score(elo0), expected_score(elo1)
        self.lower, self.upper = log(beta / (1 - alpha)), log((1 - beta) / alpha)
        self.counts = [0] * len(SCORES)
        self.standing = self._standing(0.0)

    def add(self, pair_score: float) -> Standing:
        """Count one more pair. Once a bound was reached nothing changes any more."""
        if self.standing.accepted is None:
            if pair_score not in SCORES:
                raise DuelError(f"A pair of games scores 0, 0.5, 1, 1.5 or 2, not {pair_score:g}.")
            self.counts[SCORES.index(pair_score)] += 1
            self.standing = self._standing(log_likelihood_ratio(self.counts, *self.means))
        return self.standing

    def judge(self, pair: Sequence[Result]) -> bool:
        """Count the games of entrant 0 in one more pair; is it clear now?

        A fault is a loss, no result is half a point. A pair with a game that could not be played tells nothing.
        """
        if not any(map(unplayed, pair)):
            self.add(sum(game.score(game.seat_of(0)) for game in pair))
        return self.standing.accepted is not None

    def ended(self) -> Standing:
        """The standing when no pair will come any more."""
        if self.standing.accepted is None:
            self.standing = self._standing(self.standing.llr, ROUNDS)
        return self.standing

    def _standing(self, llr: float, stopped: str | None = None) -> Standing:
        accepted = "H1" if llr >= self.upper else "H0" if llr <= self.lower else None
        asked, bounds = (self.elo0, self.elo1, self.alpha, self.beta), (self.lower, self.upper)
        ended, pairs = BOUND if accepted else stopped, sum(self.counts)
        sentence = self._sentence(llr, accepted, stopped)
        return Standing(*asked, llr, *bounds, accepted, ended, pairs, tuple(self.counts), sentence)

    def _sentence(self, llr: float, accepted: str | None, stopped: str | None) -> str:
        one, two = self.names
        after = amount(sum(self.counts), "pair")
        if accepted is None:
            between = f"the LLR {llr:.2f} lies between {self.lower:.2f} and {self.upper:.2f}"
            if stopped == ROUNDS:
                return f"The rounds were used up after {after}: {between}, so neither H0 nor H1 is accepted."
            return f"Not clear after {after}: {between}."
        bound, side = (self.upper, "upper") if accepted == "H1" else (self.lower, "lower")
        better, worse = (self.elo1, self.elo0) if accepted == "H1" else (self.elo0, self.elo1)
        return (
            f"Stopped after {after}: the LLR {llr:.2f} reached the {side} bound {bound:.2f}, "
            f"so {accepted} is accepted: {better:g} Elo above {two} fits the games of {one} better than {worse:g}."
        )


def expected_score(elo: float) -> float:
    """The share of the points that so much Elo stands for."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def log_likelihood_ratio(counts: Sequence[int], mean0: float, mean1: float) -> float:
    """How much likelier the counts are with the second mean than with the first, as a logarithm.

    The means are shares of the points, between 0 and 1.
    """
    seen = [max(float(count), UNSEEN) for count in counts]
    whole = sum(seen)
    shares = [count / whole for count in seen]
    zero, one = _tilt(shares, mean0), _tilt(shares, mean1)
    # p1 / p0 is the ratio of the two denominators: the shares themselves cancel.
    ratio = sum(
        count * log((1 + zero * (x / 2 - mean0)) / (1 + one * (x / 2 - mean1)))
        for count, x in zip(seen, SCORES, strict=True)
    )
    pairs = sum(counts)
    return ratio * (pairs - FEW) / pairs if pairs > FEW else 0.0


def _tilt(shares: Sequence[float], mean: float) -> float:
    """The k of the formula above, by Newton's steps; where one would leave the poles, by halving."""
    away = [x / 2 - mean for x in SCORES]
    low, high = -1 / max(away), -1 / min(away)
    at = 0.0
    for _ in range(200):
        value = slope = 0.0
        for share, distance in zip(shares, away, strict=True):
            part = distance / (1 + at * distance)
            value += share * part
            slope -= share * part * part
        low, high = (at, high) if value > 0 else (low, at)
        step = at - value / slope
        step = step if low < step < high else (low + high) / 2
        if abs(step - at) <= EXACT * (1 + abs(at)):
            return step
        at = step
    return at
