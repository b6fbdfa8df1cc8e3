"""The player who never gives anything away."""

from __future__ import annotations

from collections.abc import Sequence

from duelbook.core import BOTH, LUCK, OVER
from duelbook.luck import Stream
from duelbook.match import View
from duelbook.solving.library import solution_at
from duelbook.solving.solution import Solution

EQUAL = 1e-12
"""Values closer than this are the same."""


def perfect_plan(solution: Solution, view: View) -> Sequence[float]:
    """How likely a perfect player makes each move at this position."""
    if solution.kind != "luck":
        return solution.plans(view.state)[view.seat]
    sign = 1 if view.seat == 0 else -1
    options = solution.options(view.state)
    best = max(sign * option.value for option in options)
    good = [option.move for option in options if sign * option.value >= best - EQUAL]
    choice = max(good, key=lambda move: sign * after_a_slip(solution, view, move)) if len(good) > 1 else good[0]
    return [1.0 if move == choice else 0.0 for move in view.game.moves]


def after_a_slip(solution: Solution, view: View, move: int) -> float:
    """What a move is worth for Player 1 if the other answers it with any legal move: the chances to go wrong."""
    game, rules = view.game, view.rules

    def slipping(state: object) -> float:
        turn = game.turn(rules, state)
        if turn in (OVER, BOTH, view.seat):
            return solution.value(state)
        if turn == LUCK:
            weights = [(game.odds(rules, state, face), face) for face in game.faces]
            total = sum(weight for weight, _ in weights)
            return sum(w * slipping(game.deal(rules, state, face)) for w, face in weights if w) / total
        values = [option.value for option in solution.options(state)]
        return sum(values) / len(values)

    return slipping(game.apply(rules, view.state, move))


class PerfectPlayer:
    """Keeps the value of every position, and among equal moves makes the one that tries the other player most."""

    def __init__(self, seed: int) -> None:
        self._numbers = (Stream(seed, "choices", 0), Stream(seed, "choices", 1))
        self._solution: Solution | None = None

    def choose(self, view: View) -> int:
        return self.drawn(perfect_plan(self.solution(view), view), view)

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
