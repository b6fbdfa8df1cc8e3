"""Small matrix games: what the row player can guarantee, what the column player can hold it to, and how.

In the literature: a zero-sum matrix game and its Nash equilibrium, by linear programming.

There are millions of them, so this is a small simplex that can be compiled and not a general one. A game is one flat
list of payoffs, row after row. Dominated rows and columns go
first: that leaves the value as it is and takes out the near-ties that make a simplex stumble. Bland's rule keeps it
from cycling. Whatever it finds is then measured: the answer is what the two strategies really guarantee against every
reply, so a simplex that went wrong would show as a gap and never as a wrong value.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from duelbook.positions.machine import remembered
from duelbook.positions.numbers import floats, long_ints

STEEPEST_PIVOTS = 60
"""Steepest pivots before Bland's rule takes over; a 10 by 10 game takes about ten."""
FLAT = 1e-12
"""Less than this is no gain."""
THIN = 1e-9
"""A pivot smaller than this is noise."""


def remembering(solve: Callable[..., tuple[float, float]]) -> Callable[..., tuple[float, float]]:
    """The same, for plain Python: a game that was solved before is looked up."""
    known: dict[tuple[Any, ...], tuple[Any, Any, tuple[float, float]]] = {}

    def looked_up(payoff: Any, rows: int, columns: int, row_plan: Any, column_plan: Any) -> tuple[float, float]:
        key = (rows, *payoff[: rows * columns])
        found = known.get(key)
        if found is None:
            bounds = solve(payoff, rows, columns, row_plan, column_plan)
            found = known[key] = (row_plan[:], column_plan[:], bounds)
        row_plan[:], column_plan[:], bounds = found
        return bounds

    return looked_up


@remembered(remembering)
def solve_matrix(payoff: Any, rows: int, columns: int, row_plan: Any, column_plan: Any) -> tuple[float, float]:
    """Guarantees (low, high) of the game in payoff[: rows * columns]; the plans behind them go into the last two."""
    _clear(row_plan)
    _clear(column_plan)
    low, best_row = _best_pure_row(payoff, rows, columns)
    high, best_column = _best_pure_column(payoff, rows, columns)
    if low < high:
        keep_rows, keep_columns = _undominated(payoff, rows, columns)
        if _simplex(payoff, columns, keep_rows, keep_columns, row_plan, column_plan):
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


def _clear(plan: Any) -> None:
    for at in range(len(plan)):
        plan[at] = 0.0


def _normalise(plan: Any) -> bool:
    total = 0.0
    for at in range(len(plan)):
        total += plan[at]
    if total <= 0.0:
        return False
    for at in range(len(plan)):
        plan[at] /= total
    return True


def _pivot(table: Any, height: int, width: int, leave: int, enter: int) -> None:
    pivot = leave * width
    thick = table[pivot + enter]
    for j in range(width):
        table[pivot + j] /= thick
    for i in range(height):
        share = table[i * width + enter]
        if i != leave and share != 0.0:
            for j in range(width):
                table[i * width + j] -= share * table[pivot + j]


def guaranteed_to_row(payoff: Any, rows: int, columns: int, plan: Any) -> float:
    """What the row player's plan gives against the reply that is worst for it."""
    worst = inf
    for column in range(columns):
        value = 0.0
        for row in range(rows):
            value += plan[row] * payoff[row * columns + column]
        worst = min(worst, value)
    return worst


def guaranteed_to_column(payoff: Any, rows: int, columns: int, plan: Any) -> float:
    """What the column player's plan concedes against the reply that is worst for it."""
    worst = -inf
    for row in range(rows):
        value = 0.0
        for column in range(columns):
            value += plan[column] * payoff[row * columns + column]
        worst = max(worst, value)
    return worst


def _best_pure_row(payoff: Any, rows: int, columns: int) -> tuple[float, int]:
    best, choice = -inf, 0
    for row in range(rows):
        worst = inf
        for column in range(columns):
            worst = min(worst, payoff[row * columns + column])
        if worst >= best:  # the last of equals: of safe numbers a higher one asks more of the other player
            best, choice = worst, row
    return best, choice


def _best_pure_column(payoff: Any, rows: int, columns: int) -> tuple[float, int]:
    best, choice = inf, 0
    for column in range(columns):
        worst = -inf
        for row in range(rows):
            worst = max(worst, payoff[row * columns + column])
        if worst <= best:
            best, choice = worst, column
    return best, choice


def _undominated(payoff: Any, rows: int, columns: int) -> tuple[Any, Any]:
    """The rows and columns that remain when dominated ones are dropped again and again."""
    keep_rows, keep_columns = long_ints(rows, 0), long_ints(columns, 0)
    for row in range(rows):
        keep_rows[row] = row
    for column in range(columns):
        keep_columns[column] = column
    height, width = rows, columns
    while True:
        fewer_rows = _drop(payoff, columns, keep_rows, height, keep_columns, width, True)
        fewer_columns = _drop(payoff, columns, keep_columns, width, keep_rows, fewer_rows, False)
        if fewer_rows == height and fewer_columns == width:
            return keep_rows[:height], keep_columns[:width]
        height, width = fewer_rows, fewer_columns


def _drop(payoff: Any, columns: int, lines: Any, count: int, across: Any, length: int, for_rows: bool) -> int:
    """Take out every row (or column) that another one is at least as good as, and say how many remain."""
    at = 0
    while at < count:
        dominated = False
        for other in range(count):
            if other != at and _at_least_as_good(payoff, columns, lines[other], lines[at], across, length, for_rows):
                dominated = True
                break
        if dominated:
            count -= 1
            for place in range(at, count):
                lines[place] = lines[place + 1]
        else:
            at += 1
    return count


def _at_least_as_good(
    payoff: Any, columns: int, one: int, other: int, across: Any, length: int, for_rows: bool
) -> bool:
    for place in range(length):
        if for_rows:
            if payoff[one * columns + across[place]] < payoff[other * columns + across[place]]:
                return False
        elif payoff[across[place] * columns + one] > payoff[across[place] * columns + other]:
            return False
    return True


def _simplex(payoff: Any, across: int, rows: Any, columns: Any, row_plan: Any, column_plan: Any) -> bool:
    """Mixed plans for the game on these rows and columns, by the tableau of its linear program.

    False when it gave up.
    """
    height, width = len(rows), len(columns)
    last = width + height
    wide = last + 1
    costs = height * wide
    table = floats((height + 1) * wide, 0.0)
    basis = long_ints(height, 0)
    least, most = inf, -inf
    for row in rows:
        for column in columns:
            least = min(least, payoff[row * across + column])
            most = max(most, payoff[row * across + column])
    scale = 1.0 / (most - least) if most > least else 1.0
    for i in range(height):
        for j in range(width):
            table[i * wide + j] = (payoff[rows[i] * across + columns[j]] - least) * scale + 1.0
        table[i * wide + width + i] = 1.0
        table[i * wide + last] = 1.0
        basis[i] = width + i
    for j in range(width):
        table[costs + j] = -1.0
    for pivots in range(10 * STEEPEST_PIVOTS):
        enter = _entering(table, costs, last, pivots < STEEPEST_PIVOTS)
        if enter < 0:
            break
        leave = _leaving(table, basis, enter, last, pivots < STEEPEST_PIVOTS)
        if leave < 0:
            return False
        _pivot(table, height + 1, wide, leave, enter)
        basis[leave] = enter
    for i in range(height):
        row_plan[rows[i]] = max(0.0, table[costs + width + i])
        if basis[i] < width:
            column_plan[columns[basis[i]]] = max(0.0, table[i * wide + last])
    return _normalise(row_plan) and _normalise(column_plan)


def _entering(table: Any, costs: int, last: int, steepest: bool) -> int:
    choice, least = -1, -FLAT
    for j in range(last):
        if table[costs + j] < least:
            choice, least = j, table[costs + j]
            if not steepest:
                return choice
    return choice


def _leaving(table: Any, basis: Any, enter: int, last: int, steepest: bool) -> int:
    """The row with the smallest ratio; among equals the thickest pivot, or under Bland's rule the lowest variable."""
    choice, least, thickest, wide = -1, inf, 0.0, last + 1
    for i in range(len(basis)):
        thick = table[i * wide + enter]
        if thick > THIN:
            ratio = table[i * wide + last] / thick
            if choice >= 0 and abs(ratio - least) <= FLAT:
                better = thick > thickest if steepest else basis[i] < basis[choice]
            else:
                better = ratio < least
            if better:
                choice, least, thickest = i, ratio, thick
    return choice
