"""Small matrix games: what the row player can guarantee, what the column player can hold it to, and how.

There are millions of them, so this is a small compiled simplex and not a general one. Dominated rows and columns go
first: that leaves the value as it is and takes out the near-ties that make a simplex stumble. Bland's rule keeps it
from cycling. Whatever it finds is then measured: the answer is what the two strategies really guarantee against every
reply, so a simplex that went wrong would show as a gap and never as a wrong value.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

PATIENCE = 60
"""Steepest pivots before Bland's rule takes over; a 10 by 10 game takes about ten."""
FLAT = 1e-12
"""Less than this is no gain."""
THIN = 1e-9
"""A pivot smaller than this is noise."""


@njit(cache=True)
def solve_matrix(payoff: Any, rows: int, columns: int, row_plan: Any, column_plan: Any) -> tuple[float, float]:
    """Guarantees (low, high) of the game payoff[:rows, :columns]; the plans behind them go into the last two."""
    _clear(row_plan)
    _clear(column_plan)
    low, best_row = _best_pure_row(payoff, rows, columns)
    high, best_column = _best_pure_column(payoff, rows, columns)
    if low < high:
        keep_rows, keep_columns = _undominated(payoff, rows, columns)
        if _simplex(payoff, keep_rows, keep_columns, row_plan, column_plan):
            mixed_low = guaranteed_to_row(payoff, rows, columns, row_plan)
            mixed_high = guaranteed_to_column(payoff, rows, columns, column_plan)
        else:
            mixed_low, mixed_high = low, high
    else:
        mixed_low, mixed_high = low, high
    if mixed_low <= low:
        _clear(row_plan)
        row_plan[best_row] = 1.0
        mixed_low = low
    if mixed_high >= high:
        _clear(column_plan)
        column_plan[best_column] = 1.0
        mixed_high = high
    return mixed_low, mixed_high


# Loops instead of array expressions from here on: they run as fast and compile in a fraction of the time.


@njit(cache=True)
def _clear(plan: Any) -> None:
    for at in range(len(plan)):
        plan[at] = 0.0


@njit(cache=True)
def _normalise(plan: Any) -> bool:
    total = 0.0
    for at in range(len(plan)):
        total += plan[at]
    if total <= 0.0:
        return False
    for at in range(len(plan)):
        plan[at] /= total
    return True


@njit(cache=True)
def _pivot(table: Any, leave: int, enter: int) -> None:
    height, width = table.shape
    thick = table[leave, enter]
    for j in range(width):
        table[leave, j] /= thick
    for i in range(height):
        share = table[i, enter]
        if i != leave and share != 0.0:
            for j in range(width):
                table[i, j] -= share * table[leave, j]


@njit(cache=True)
def guaranteed_to_row(payoff: Any, rows: int, columns: int, plan: Any) -> float:
    """What the row player's plan gives against the reply that is worst for it."""
    worst = np.inf
    for column in range(columns):
        value = 0.0
        for row in range(rows):
            value += plan[row] * payoff[row, column]
        worst = min(worst, value)
    return worst


@njit(cache=True)
def guaranteed_to_column(payoff: Any, rows: int, columns: int, plan: Any) -> float:
    """What the column player's plan concedes against the reply that is worst for it."""
    worst = -np.inf
    for row in range(rows):
        value = 0.0
        for column in range(columns):
            value += plan[column] * payoff[row, column]
        worst = max(worst, value)
    return worst


@njit(cache=True)
def _best_pure_row(payoff: Any, rows: int, columns: int) -> tuple[float, int]:
    best, choice = -np.inf, 0
    for row in range(rows):
        worst = np.inf
        for column in range(columns):
            worst = min(worst, payoff[row, column])
        if worst >= best:  # the last of equals: of safe numbers a higher one asks more of the other player
            best, choice = worst, row
    return best, choice


@njit(cache=True)
def _best_pure_column(payoff: Any, rows: int, columns: int) -> tuple[float, int]:
    best, choice = np.inf, 0
    for column in range(columns):
        worst = -np.inf
        for row in range(rows):
            worst = max(worst, payoff[row, column])
        if worst <= best:
            best, choice = worst, column
    return best, choice


@njit(cache=True)
def _undominated(payoff: Any, rows: int, columns: int) -> tuple[Any, Any]:
    """The rows and columns that remain when dominated ones are dropped again and again."""
    keep_rows, keep_columns = np.arange(rows), np.arange(columns)
    height, width = rows, columns
    while True:
        fewer_rows = _drop(payoff, keep_rows, height, keep_columns, width, True)
        fewer_columns = _drop(payoff, keep_columns, width, keep_rows, fewer_rows, False)
        if fewer_rows == height and fewer_columns == width:
            return keep_rows[:height], keep_columns[:width]
        height, width = fewer_rows, fewer_columns


@njit(cache=True)
def _drop(payoff: Any, lines: Any, count: int, across: Any, length: int, for_rows: bool) -> int:
    """Take out every row (or column) that another one is at least as good as, and say how many remain."""
    at = 0
    while at < count:
        dominated = False
        for other in range(count):
            if other != at and _at_least_as_good(payoff, lines[other], lines[at], across, length, for_rows):
                dominated = True
                break
        if dominated:
            count -= 1
            for place in range(at, count):
                lines[place] = lines[place + 1]
        else:
            at += 1
    return count


@njit(cache=True)
def _at_least_as_good(payoff: Any, one: int, other: int, across: Any, length: int, for_rows: bool) -> bool:
    for place in range(length):
        if for_rows:
            if payoff[one, across[place]] < payoff[other, across[place]]:
                return False
        elif payoff[across[place], one] > payoff[across[place], other]:
            return False
    return True


@njit(cache=True)
def _simplex(payoff: Any, rows: Any, columns: Any, row_plan: Any, column_plan: Any) -> bool:
    """Mixed plans for the game on these rows and columns, by the tableau of its linear program.

    False when it gave up.
    """
    height, width = len(rows), len(columns)
    last = width + height
    table = np.zeros((height + 1, last + 1))
    basis = np.empty(height, np.int64)
    least, most = np.inf, -np.inf
    for row in rows:
        for column in columns:
            least = min(least, payoff[row, column])
            most = max(most, payoff[row, column])
    scale = 1.0 / (most - least) if most > least else 1.0
    for i in range(height):
        for j in range(width):
            table[i, j] = (payoff[rows[i], columns[j]] - least) * scale + 1.0
        table[i, width + i] = 1.0
        table[i, last] = 1.0
        basis[i] = width + i
    for j in range(width):
        table[height, j] = -1.0
    for pivots in range(10 * PATIENCE):
        enter = _entering(table, last, pivots < PATIENCE)
        if enter < 0:
            break
        leave = _leaving(table, basis, enter, last, pivots < PATIENCE)
        if leave < 0:
            return False
        _pivot(table, leave, enter)
        basis[leave] = enter
    for i in range(height):
        row_plan[rows[i]] = max(0.0, table[height, width + i])
        if basis[i] < width:
            column_plan[columns[basis[i]]] = max(0.0, table[i, last])
    return _normalise(row_plan) and _normalise(column_plan)


@njit(cache=True)
def _entering(table: Any, last: int, steepest: bool) -> int:
    costs = table.shape[0] - 1
    choice, least = -1, -FLAT
    for j in range(last):
        if table[costs, j] < least:
            choice, least = j, table[costs, j]
            if not steepest:
                return choice
    return choice


@njit(cache=True)
def _leaving(table: Any, basis: Any, enter: int, last: int, steepest: bool) -> int:
    """The row with the smallest ratio; among equals the thickest pivot, or under Bland's rule the lowest variable."""
    choice, least = -1, np.inf
    for i in range(len(basis)):
        if table[i, enter] > THIN:
            ratio = table[i, last] / table[i, enter]
            if choice >= 0 and abs(ratio - least) <= FLAT:
                better = table[i, enter] > table[choice, enter] if steepest else basis[i] < basis[choice]
            else:
                better = ratio < least
            if better:
                choice, least = i, ratio
    return choice
