"""How a game goes on when both play perfectly, move by move: the principal variation."""

from __future__ import annotations

from typing import NamedTuple

from duelbook.core import BOTH, LUCK, OVER, SomeState
from duelbook.solving.solution import Solution


class BestLine(NamedTuple):
    """Moves in the words of the duel, and what comes after them, at most one of these; the end where neither does."""

    words: tuple[str, ...]
    goes_on: bool = False
    """It comes back to where it was, or is longer than asked for."""
    is_open: bool = False
    """Luck decides what is next, or a plan that mixes."""
    positions: tuple[SomeState, ...] = ()
    """Where each of the moves leads."""


def best_line(solution: Solution, state: SomeState, most: int = 40) -> BestLine:
    game, rules = solution.game, solution.rules
    names = game.dialogue.words(rules)
    words: list[str] = []
    positions: list[SomeState] = []
    seen = set()
    while (turn := game.turn(rules, state)) != OVER:
        if state in seen or len(words) == most:
            return BestLine(tuple(words), goes_on=True, positions=tuple(positions))
        seen.add(state)
        plans = [solution.plan(state, seat) for seat in ((0, 1) if turn == BOTH else (turn,))] if turn != LUCK else []
        if not plans or any(max(plan) < 1 for plan in plans):
            return BestLine(tuple(words), is_open=True, positions=tuple(positions))
        moves = [plan.index(1.0) for plan in plans]
        words.append("/".join(names[move] for move in moves))
        state = game.resolve(rules, state, *moves) if turn == BOTH else game.apply(rules, state, *moves)
        positions.append(state)
    return BestLine(tuple(words), positions=tuple(positions))
