"""The player who never gives anything away."""

from __future__ import annotations

from collections.abc import Sequence

from duelbook.luck import Stream
from duelbook.match import View
from duelbook.solving.library import solution_at
from duelbook.solving.solution import Solution


class PerfectPlayer:
    """Keeps the value of every position, and among equal moves makes the one that tries the other player most."""

    def __init__(self, seed: int) -> None:
        self._numbers = (Stream(seed, "choices", 0), Stream(seed, "choices", 1))
        self._solution: Solution | None = None

    def choose(self, view: View) -> int:
        return self.drawn(self.plan(view), view)

    def plan(self, view: View) -> Sequence[float]:
        """How likely each move is at this position."""
        return self.solution(view).plan(view.state, view.seat)

    def prepare(self, view: View) -> None:
        self.solution(view)

    def solution(self, view: View) -> Solution:
        """The solution of the duel being played; loaded once, and again only for a position it does not hold."""
        known = self._solution
        if known is None or known.rules != view.rules or known.game.id != view.game.id:
            known = self._solution = solution_at(view.game, view.rules, view.state)
        return known

    def drawn(self, plan: Sequence[float], view: View) -> int:
        """A move drawn from a plan; the same seed and turn draw the same, so taking back does not reroll it."""
        at = self._numbers[view.seat].number(view.number) / 2**64
        for move, share in enumerate(plan):
            at -= share
            if at < 0 and share > 0:
                return move
        return max(range(len(plan)), key=lambda move: plan[move])
