"""Plans that get a promise paid, where play can come back to where it was.

A plan that guarantees its bound turn by turn may let the other side match it for ever, so that what it promises is
passed on and never paid. So a promise that is only passed on within a group of positions that lead back to each other
is counted for a little less when the plan is chosen. A plan chosen like that falls short of its bound by as little.
What is wanted is the plan to which it tends as that little goes to nothing: where the bound is not kept to the last
digit, the plans for three degrees of impatience are carried on to next to none (Lagrange's extrapolation).
"""

from __future__ import annotations

from typing import Any

from duelbook.solving.matrix import guaranteed_to_column, guaranteed_to_row, solve_matrix

IMPATIENCE = 1e-6
"""How much less than promised a player counts a promise that is only passed on."""
DEGREES = (1.0, 0.5, 0.25)
"""Of impatience, for which plans are made."""
NEXT_TO_NONE = 1e-7
"""The degree to which they are carried on: a pick that is needed now and then, however rarely, stays in the plan."""
DUST = 1e-15
"""A bound that is kept to within this is kept, and a share that is smaller is none."""


def _weight(place: int) -> float:
    """What the plan at one of the degrees counts in the plan at the last."""
    weight = 1.0
    for other in range(len(DEGREES)):
        if other != place:
            weight *= (NEXT_TO_NONE - DEGREES[other]) / (DEGREES[place] - DEGREES[other])
    return weight


WEIGHTS = (_weight(0), _weight(1), _weight(2))


def mark_put_off(
    after: Any,
    node: int,
    picks: int,
    group_of: Any,
    worth: Any,
    rows: int,
    columns: int,
    row_picks: Any,
    column_picks: Any,
    put_off: Any,
) -> None:
    """Mark in a node's matrix game where a promise stays within the group: 1 for Player 1's, -1 for Player 2's."""
    at = 0
    for i in range(rows):
        row = (node * picks + row_picks[i]) * picks
        for j in range(columns):
            target = after[row + column_picks[j]]
            put_off[at] = 0
            if target >= 0 and group_of[target // 2] == group_of[node]:
                put_off[at] = 1 if worth[target] > 0.0 else -1 if worth[target] < 0.0 else 0
            at += 1


def pay_soon(
    payoff: Any, rows: int, columns: int, put_off: Any, for_row: bool, hurried: Any, row_plan: Any, column_plan: Any
) -> int:
    """Put a plan that gets its promises paid into `row_plan`, or for the other player into `column_plan`.

    They come with plans that keep the bound. How many matrix games it took is said.
    """
    mine, side = (row_plan, 1) if for_row else (column_plan, -1)
    there_are = False
    for at in range(rows * columns):
        there_are = there_are or put_off[at] == side
    if not there_are:
        return 0
    bound = _guaranteed(payoff, rows, columns, mine, for_row)
    carried = mine.copy()
    for pick in range(len(carried)):
        carried[pick] = 0.0
    for degree in range(len(DEGREES)):
        for at in range(rows * columns):
            late = IMPATIENCE * DEGREES[degree] * side if put_off[at] == side else 0.0
            hurried[at] = payoff[at] - late
        solve_matrix(hurried, rows, columns, row_plan, column_plan)
        if degree == 0 and _guaranteed(payoff, rows, columns, mine, for_row) >= bound - DUST:
            return 1
        for pick in range(len(carried)):
            carried[pick] += WEIGHTS[degree] * mine[pick]
    total = 0.0
    for pick in range(len(carried)):
        carried[pick] = carried[pick] if carried[pick] > DUST else 0.0
        total += carried[pick]
    for pick in range(len(carried)):
        carried[pick] /= total
    if _guaranteed(payoff, rows, columns, carried, for_row) > _guaranteed(payoff, rows, columns, mine, for_row):
        for pick in range(len(carried)):
            mine[pick] = carried[pick]
    return len(DEGREES)


def _guaranteed(payoff: Any, rows: int, columns: int, plan: Any, for_row: bool) -> float:
    """What a plan gives its player against the reply that is worst for it."""
    if for_row:
        return guaranteed_to_row(payoff, rows, columns, plan)
    return -guaranteed_to_column(payoff, rows, columns, plan)
