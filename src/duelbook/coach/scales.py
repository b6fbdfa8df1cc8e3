"""One step of a game on the scales: how much of the change was luck, who gave what away, and what was the guess.

Every step moves the value of the game from what the position was worth to what the next one is worth. The whole of
that change is shared out here, so that the shares of a game add up to its result. Where both pick at once, a pick
loses what it is worth less than the position against a perfect opponent; what then remains of the change is nobody's
merit and nobody's fault: the guess.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from duelbook.core import BOTH, LUCK
from duelbook.solving.solution import Solution

ROUNDING = 1e-12


class Weighed(NamedTuple):
    """What a step did to the value of the game, in Player 1's values."""

    before: float
    after: float
    lost: tuple[float, float] = (0.0, 0.0)
    """What each seat's decision gave away, 0 or more."""
    luck: float = 0.0
    guess: float = 0.0


def weigh(solution: Solution, turn: int, play: Any, before: Any, after: Any) -> Weighed:
    was, now = worth_of(solution, before), worth_of(solution, after)
    if turn == LUCK:
        return Weighed(was, now, luck=now - was)
    if turn == BOTH:
        one, two = lost_by_picks(solution, before, play)
        return Weighed(was, now, (one, two), guess=guess_in(was, now, one, two))
    return Weighed(was, now, (given_away(was, now), 0.0) if turn == 0 else (0.0, given_away(now, was)))


def worth_of(solution: Solution, state: Any) -> float:
    """What a position is worth to Player 1, without the dust of rounding on values that are whole."""
    value = solution.value(state)
    return round(value) + 0.0 if abs(value - round(value)) < ROUNDING else value


def given_away(had: float, kept: float) -> float:
    """What a decision lost of what the position held. Nobody gains by their own decision: what looks like it, or like
    next to nothing, is rounding."""
    return had - kept if had - kept > ROUNDING else 0.0


def lost_by_picks(solution: Solution, state: Any, picks: tuple[int, int]) -> tuple[float, float]:
    """What each pick of a pair gave away."""
    worth = Worth(solution, state)
    return given_away(worth.value, worth.of(0, picks[0])), given_away(worth.of(1, picks[1]), worth.value)


def guess_in(was: float, now: float, one: float, two: float) -> float:
    """What a pair of picks did to the value that neither of them gave away."""
    return now - was + one - two + 0.0


class Worth:
    """What picks are worth at a position where both pick at once.

    A perfect opponent often has more than one perfect answer; where the opponent is lost, every answer is as good as
    any other. A pick is held against each of them that is certain, and against the opponent's mixed plan: it is worth
    what the hardest of these leaves it. A pick that belongs to a perfect plan loses nothing against any of them.
    """

    def __init__(self, solution: Solution, state: Any) -> None:
        self.solution, self.state = solution, state
        self.plans = solution.plans(state)
        game, rules = solution.game, solution.rules
        self.legal = (game.legal_moves(rules, state, 0), game.legal_moves(rules, state, 1))
        self.value = worth_of(solution, state)
        self._met: dict[tuple[int, int], float] = {}
        self._perfect = (self._perfect_answers(0), self._perfect_answers(1))

    def meeting(self, one: int, two: int) -> float:
        """What a pair of picks leads to. A foul is asked of the rules like any other pick: they say what it costs."""
        if (one, two) not in self._met:
            after = self.solution.game.resolve(self.solution.rules, self.state, one, two)
            self._met[one, two] = worth_of(self.solution, after)
        return self._met[one, two]

    def _pair(self, seat: int, mine: int, theirs: int) -> float:
        """The same, for a seat: what is good for it is high."""
        return self.meeting(mine, theirs) if seat == 0 else -self.meeting(theirs, mine)

    def _perfect_answers(self, seat: int) -> list[int]:
        """The picks of a seat that keep its value whatever the other picks."""
        kept = (self.value if seat == 0 else -self.value) - ROUNDING - 2 * self.solution.error
        return [
            move
            for move in self.legal[seat]
            if all(self._pair(seat, move, other) >= kept for other in self.legal[1 - seat])
        ]

    def of(self, seat: int, pick: int) -> float:
        """What a pick of a seat is worth to Player 1 against a perfect opponent."""
        plan = self.plans[1 - seat]
        mixed = sum(share * self._pair(seat, pick, answer) for answer, share in enumerate(plan) if share > 0)
        hardest = min([mixed, *(self._pair(seat, pick, answer) for answer in self._perfect[1 - seat])])
        return hardest if seat == 0 else -hardest

    def foreseen(self, seat: int, pick: int) -> float:
        """What a pick would be worth to Player 1 if the opponent knew it."""
        worst = min(self._pair(seat, pick, answer) for answer in self.legal[1 - seat])
        return worst if seat == 0 else -worst
