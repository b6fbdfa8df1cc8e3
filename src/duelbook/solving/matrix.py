"""Small matrix games: what the row player can guarantee, what the column player can hold it to, and how.

In the literature: a zero-sum matrix game and its Nash equilibrium.

A game is one flat list of payoffs, row after row. Most have a saddle point, where two pure plans meet; the others are
mixed by a simplex. Whatever that finds is measured: the answer is what the two strategies really guarantee against
every reply, so a simplex that went wrong would show as a gap and never as a wrong value.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING

from duelbook.positions.machine import remembered
from duelbook.solving.simplex import COLUMN, ROW, laid_out, solve_mixed

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


def remembering(solve: Callable[..., tuple[float, float]]) -> Callable[..., tuple[float, float]]:
    """The same, for plain Python: a game that was solved before is looked up."""
    known: dict[tuple[float, ...], tuple[list[float], list[float], tuple[float, float]]] = {}

    def looked_up(
        payoff: list[float], rows: int, columns: int, row_plan: list[float], column_plan: list[float]
    ) -> tuple[float, float]:
        key = (rows, *payoff[: rows * columns])
        found = known.get(key)
        if found is None:
            bounds = solve(payoff, rows, columns, row_plan, column_plan)
            found = known[key] = (row_plan[:], column_plan[:], bounds)
        row_plan[:], column_plan[:], bounds = found
        return bounds

    return looked_up


@remembered(remembering)
def solve_matrix(payoff: Array, rows: int, columns: int, row_plan: Array, column_plan: Array) -> tuple[float, float]:
    """Guarantees (low, high) of the game in payoff[: rows * columns]; the plans behind them go into the last two."""
    low, best_row = _best_pure(payoff, rows, columns, ROW)
    high, best_column = _best_pure(payoff, rows, columns, COLUMN)
    mixed_low, mixed_high = low, high
    if low < -high and solve_mixed(payoff, rows, columns, row_plan, column_plan):
        mixed_low = guaranteed(payoff, rows, columns, row_plan, ROW)
        mixed_high = guaranteed(payoff, rows, columns, column_plan, COLUMN)
    if mixed_low <= low:
        _choose(row_plan, best_row)
        mixed_low = low
    if mixed_high <= high:
        _choose(column_plan, best_column)
        mixed_high = high
    return mixed_low, -mixed_high


# Loops instead of array expressions from here on: they run as fast and compile in a fraction of the time.


def _choose(plan: Array, choice: int) -> None:
    for at in range(len(plan)):
        plan[at] = 0.0
    plan[choice] = 1.0


def guaranteed(payoff: Array, rows: int, columns: int, plan: Array, side: float) -> float:
    """What a side's plan gives its player against the reply that is worst for it."""
    picks, step, replies, stride = laid_out(rows, columns, side)
    worst = inf
    for reply in range(replies):
        value = 0.0
        for pick in range(picks):
            value += plan[pick] * payoff[pick * step + reply * stride]
        worst = min(worst, side * value)
    return worst


def _best_pure(payoff: Array, rows: int, columns: int, side: float) -> tuple[float, int]:
    """What a side can guarantee by one pick, and the pick."""
    picks, step, replies, stride = laid_out(rows, columns, side)
    best, choice = -inf, 0
    for pick in range(picks):
        worst = inf
        for reply in range(replies):
            worst = min(worst, side * payoff[pick * step + reply * stride])
        if worst >= best:  # the last of equals: of safe numbers a higher one asks more of the other player
            best, choice = worst, pick
    return best, choice
