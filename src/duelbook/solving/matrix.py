"""Small matrix games: what the row player can guarantee, what the column player can hold it to, and how.

In the literature: a zero-sum matrix game and its Nash equilibrium.

A game is one flat list of payoffs, row after row. Most have a saddle point, where two pure plans meet; the others are
mixed by a simplex. Whatever that finds is measured: the answer is what the two strategies really guarantee against
every reply, so a simplex that went wrong would show as a gap and never as a wrong value.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from duelbook.positions.machine import remembered
from duelbook.positions.numbers import floats, ints, long_ints
from duelbook.solving.simplex import solve_mixed

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


class Sheet(NamedTuple):
    """Room to work out one matrix game after the other."""

    payoff: Array
    row_picks: Array
    """The picks that the rows stand for; of those that are not legal there are none."""
    column_picks: Array
    row_plan: Array
    column_plan: Array
    hurried: Array
    """The same game, and another plan, for players who cannot wait (see `promises`)."""
    carried: Array
    put_off: Array


def blank_sheet(picks: int) -> Sheet:
    pairs = picks * picks
    return Sheet(
        floats(pairs, 0.0),
        long_ints(picks, 0),
        long_ints(picks, 0),
        floats(picks, 0.0),
        floats(picks, 0.0),
        floats(pairs, 0.0),
        floats(picks, 0.0),
        ints(pairs, 0),
    )


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
    low, best_row = _best_pure_row(payoff, rows, columns)
    high, best_column = _best_pure_column(payoff, rows, columns)
    mixed_low, mixed_high = low, high
    if low < high and solve_mixed(payoff, rows, columns, row_plan, column_plan):
        mixed_low = guaranteed_to_row(payoff, rows, columns, row_plan)
        mixed_high = guaranteed_to_column(payoff, rows, columns, column_plan)
    if mixed_low <= low:
        _choose(row_plan, best_row)
        mixed_low = low
    if mixed_high >= high:
        _choose(column_plan, best_column)
        mixed_high = high
    return mixed_low, mixed_high


# Loops instead of array expressions from here on: they run as fast and compile in a fraction of the time.


def _choose(plan: Array, choice: int) -> None:
    for at in range(len(plan)):
        plan[at] = 0.0
    plan[choice] = 1.0


def guaranteed_to_row(payoff: Array, rows: int, columns: int, plan: Array) -> float:
    """What the row player's plan gives against the reply that is worst for it."""
    worst = inf
    for column in range(columns):
        value = 0.0
        for row in range(rows):
            value += plan[row] * payoff[row * columns + column]
        worst = min(worst, value)
    return worst


def guaranteed_to_column(payoff: Array, rows: int, columns: int, plan: Array) -> float:
    """What the column player's plan concedes against the reply that is worst for it."""
    worst = -inf
    for row in range(rows):
        value = 0.0
        for column in range(columns):
            value += plan[column] * payoff[row * columns + column]
        worst = max(worst, value)
    return worst


def _best_pure_row(payoff: Array, rows: int, columns: int) -> tuple[float, int]:
    best, choice = -inf, 0
    for row in range(rows):
        worst = inf
        for column in range(columns):
            worst = min(worst, payoff[row * columns + column])
        if worst >= best:  # the last of equals: of safe numbers a higher one asks more of the other player
            best, choice = worst, row
    return best, choice


def _best_pure_column(payoff: Array, rows: int, columns: int) -> tuple[float, int]:
    best, choice = inf, 0
    for column in range(columns):
        worst = -inf
        for row in range(rows):
            worst = max(worst, payoff[row * columns + column])
        if worst <= best:
            best, choice = worst, column
    return best, choice
