"""The mixed plans of a small matrix game, by linear programming: a simplex that can be compiled and not a general one.

Dominated rows and columns go first: that leaves the value as it is and takes out the near-ties that make a simplex
stumble. Bland's rule keeps it from cycling. What it finds is measured by `matrix` and not believed.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from duelbook.positions.numbers import floats, ints

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

STEEPEST_PIVOTS = 60
"""Steepest pivots before Bland's rule takes over; a 10 by 10 game takes about ten."""
FLAT = 1e-12
"""Less than this is no gain."""
THIN = 1e-9
"""A pivot smaller than this is noise."""

ROW, COLUMN = 1.0, -1.0
"""The two sides of a game, by what a payoff is worth to each: the row player is paid and the column player pays."""


def laid_out(rows: int, columns: int, side: float) -> tuple[int, int, int, int]:
    """How many picks a side has and how far apart they lie in the list of payoffs, and the same of the replies."""
    return (rows, columns, columns, 1) if side == ROW else (columns, 1, rows, columns)


def solve_mixed(payoff: Array, rows: int, columns: int, row_plan: Array, column_plan: Array) -> bool:
    """Put mixed plans for the game in payoff[: rows * columns] into the last two, by the tableau of its linear program.

    False when it gave up.
    """
    _clear(row_plan)
    _clear(column_plan)
    kept_rows, kept_columns = _undominated(payoff, rows, columns)
    height, width = len(kept_rows), len(kept_columns)
    last = width + height
    wide = last + 1
    costs = height * wide
    table = floats((height + 1) * wide, 0.0)
    basis = ints(height, 0)
    least, most = inf, -inf
    for row in kept_rows:
        for column in kept_columns:
            least = min(least, payoff[row * columns + column])
            most = max(most, payoff[row * columns + column])
    scale = 1.0 / (most - least) if most > least else 1.0
    for i in range(height):
        for j in range(width):
            table[i * wide + j] = (payoff[kept_rows[i] * columns + kept_columns[j]] - least) * scale + 1.0
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
        row_plan[kept_rows[i]] = max(0.0, table[costs + width + i])
        if basis[i] < width:
            column_plan[kept_columns[basis[i]]] = max(0.0, table[i * wide + last])
    return _normalise(row_plan) and _normalise(column_plan)


def _clear(plan: Array) -> None:
    for at in range(len(plan)):
        plan[at] = 0.0


def _undominated(payoff: Array, rows: int, columns: int) -> tuple[Array, Array]:
    """The rows and columns that remain when dominated ones are dropped again and again."""
    keep_rows, keep_columns = ints(rows, 0), ints(columns, 0)
    for row in range(rows):
        keep_rows[row] = row
    for column in range(columns):
        keep_columns[column] = column
    height, width = rows, columns
    while True:
        fewer_rows = _drop(payoff, columns, keep_rows, height, keep_columns, width, ROW)
        fewer_columns = _drop(payoff, columns, keep_columns, width, keep_rows, fewer_rows, COLUMN)
        if fewer_rows == height and fewer_columns == width:
            return keep_rows[:height], keep_columns[:width]
        height, width = fewer_rows, fewer_columns


def _drop(payoff: Array, columns: int, picks: Array, count: int, replies: Array, length: int, side: float) -> int:
    """Take out every pick of a side that another one is at least as good as, and say how many remain."""
    at = 0
    while at < count:
        dominated = False
        for other in range(count):
            if other != at and _at_least_as_good(payoff, columns, picks[other], picks[at], replies, length, side):
                dominated = True
                break
        if dominated:
            count -= 1
            for place in range(at, count):
                picks[place] = picks[place + 1]
        else:
            at += 1
    return count


def _at_least_as_good(
    payoff: Array, columns: int, one: int, other: int, replies: Array, length: int, side: float
) -> bool:
    _, step, _, stride = laid_out(0, columns, side)
    for place in range(length):
        reply = replies[place] * stride
        if side * payoff[one * step + reply] < side * payoff[other * step + reply]:
            return False
    return True


def _pivot(table: Array, height: int, width: int, leave: int, enter: int) -> None:
    pivot = leave * width
    thick = table[pivot + enter]
    for j in range(width):
        table[pivot + j] /= thick
    for i in range(height):
        share = table[i * width + enter]
        if i != leave and share != 0.0:
            for j in range(width):
                table[i * width + j] -= share * table[pivot + j]


def _entering(table: Array, costs: int, last: int, steepest: bool) -> int:
    choice, least = -1, -FLAT
    for j in range(last):
        if table[costs + j] < least:
            choice, least = j, table[costs + j]
            if not steepest:
                return choice
    return choice


def _leaving(table: Array, basis: Array, enter: int, last: int, steepest: bool) -> int:
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


def _normalise(plan: Array) -> bool:
    total = 0.0
    for at in range(len(plan)):
        total += plan[at]
    if total <= 0.0:
        return False
    for at in range(len(plan)):
        plan[at] /= total
    return True
