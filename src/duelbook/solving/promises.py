"""Plans that get a promise paid, where play can come back to where it was.

A plan that guarantees its bound turn by turn may let the other side match it for ever, so that what it promises is
passed on and never paid. So a promise that is only passed on within a group of positions that lead back to each other
is counted for a little less when the plan is chosen. A plan chosen like that falls short of its bound by as little.
What is wanted is the plan to which it tends as that little goes to nothing: where the bound is not kept to the last
digit, the plans for three degrees of impatience are carried on to next to none (Lagrange's extrapolation).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from duelbook.positions.numbers import floats, ints
from duelbook.solving.matrix import guaranteed, solve_matrix
from duelbook.solving.recursive import bracket, fill_in, write_plan
from duelbook.solving.simplex import COLUMN, ROW

if TYPE_CHECKING:
    from collections.abc import Callable

    from duelbook.positions.machine import Machine
    from duelbook.positions.numbers import Array, Numbers

IMPATIENCE = 1e-6
"""How much less than promised a player counts a promise that is only passed on."""
DEGREES = (0.0, 1.0, 0.5, 0.25)
"""Of impatience, for which plans are made. Without any, a plan shows what can be kept."""
NEXT_TO_NONE = 1e-7
"""The degree to which the others are carried on: a pick that is needed now and then, however rarely, stays in the plan.
"""
DUST = 1e-15
"""A bound that is kept to within this is kept, and a share that is smaller is none."""


def _weight(place: int) -> float:
    """What the plan at one of the degrees counts in the plan at the last."""
    weight = 1.0
    for other in range(1, len(DEGREES)):
        if other != place:
            weight *= (NEXT_TO_NONE - DEGREES[other]) / (DEGREES[place] - DEGREES[other])
    return weight


WEIGHTS = (0.0, _weight(1), _weight(2), _weight(3))


class Bracketed(NamedTuple):
    """What each player can guarantee at each node, and the mixed picks that do it: the picks of a node side by side."""

    low: Array
    high: Array
    first: Array
    second: Array


def solve_recursive(
    after: Numbers[int],
    picks: int,
    groups: tuple[Numbers[int], ...],
    machine: Machine,
    next_step: Callable[[], None] = lambda: None,
) -> Bracketed:
    """What both can guarantee, and plans that do it, for positions in the groups of `components`."""
    low, high, first, second, like = machine.twin(bracket)(after, picks, *groups)
    next_step()
    machine.twin(keep_promises)(after, picks, *groups, low, high, first, second, like)
    mirrored = 2 * len(groups[0])
    return Bracketed(low[:mirrored:2], high[:mirrored:2], first, second)


def keep_promises(
    after: Array,
    picks: int,
    order: Array,
    ends: Array,
    returns: Array,
    low: Array,
    high: Array,
    first: Array,
    second: Array,
    like: Array,
) -> None:
    """Put plans that get their promises paid into `first` and `second`, wherever play can come back."""
    group_of = ints(len(order), -1)
    # A node's matrix game and the same for a player who cannot wait, with where a promise is put off; the picks that
    # its rows and columns stand for, the plans for them, and the plan that is carried on.
    payoff, hurried, put_off = floats(picks * picks, 0.0), floats(picks * picks, 0.0), ints(picks * picks, 0)
    row_picks, column_picks = ints(picks, 0), ints(picks, 0)
    row_plan, column_plan, carried = floats(picks, 0.0), floats(picks, 0.0), floats(picks, 0.0)
    for group in range(len(ends)):
        begin = ends[group - 1] if group > 0 else 0
        if like[group] < begin:
            for place in range(begin, ends[group]):
                to, source = order[place] * picks, order[place - begin + like[group]] * picks
                for pick in range(picks):
                    first[to + pick], second[to + pick] = first[source + pick], second[source + pick]
        elif returns[group] == 1:
            for place in range(begin, ends[group]):
                group_of[order[place]] = group
            for place in range(begin, ends[group]):
                node = order[place]
                for seat in range(2):
                    side, mine, theirs = (ROW, low, high) if seat == 0 else (COLUMN, high, low)
                    rows, columns, _ = fill_in(after, node, picks, mine, theirs, payoff, row_picks, column_picks)
                    plan, stands_for, plans = (
                        (row_plan, row_picks, first) if seat == 0 else (column_plan, column_picks, second)
                    )
                    degrees = _mark_put_off(
                        after, node, picks, group_of, mine, side, rows, columns, row_picks, column_picks, put_off
                    )
                    bound = 0.0
                    for degree in range(degrees):
                        late = IMPATIENCE * DEGREES[degree] * side
                        for at in range(rows * columns):
                            hurried[at] = payoff[at] - late if put_off[at] == 1 else payoff[at]
                        solve_matrix(hurried, rows, columns, row_plan, column_plan)
                        kept = guaranteed(payoff, rows, columns, plan, side)
                        if degree == 0:
                            bound = kept
                        elif degree == 1 and kept >= bound - DUST:
                            break
                        for pick in range(picks):
                            carried[pick] = (carried[pick] if degree > 0 else 0.0) + WEIGHTS[degree] * plan[pick]
                        if degree == len(DEGREES) - 1:
                            _take_carried(payoff, rows, columns, plan, carried, side, kept)
                    write_plan(plan, stands_for, rows if seat == 0 else columns, plans, node * picks)


def _mark_put_off(
    after: Array,
    node: int,
    picks: int,
    group_of: Array,
    worth: Array,
    side: float,
    rows: int,
    columns: int,
    row_picks: Array,
    column_picks: Array,
    put_off: Array,
) -> int:
    """Mark in a node's matrix game where a promise to a side stays within the group. For how many degrees to plan.

    A promise to Player 1 is more than the 0 of endless play, one to Player 2 is less.
    """
    there_is, at = False, 0
    for i in range(rows):
        row = (node * picks + row_picks[i]) * picks
        for j in range(columns):
            target = after[row + column_picks[j]]
            promised = target >= 0 and group_of[target // 2] == group_of[node] and side * worth[target] > 0.0
            put_off[at] = 1 if promised else 0
            there_is = there_is or promised
            at += 1
    return len(DEGREES) if there_is else 1


def _take_carried(
    payoff: Array, rows: int, columns: int, plan: Array, carried: Array, side: float, kept: float
) -> None:
    """Make the plan that they were carried on to the side's own, where it keeps more of the bound."""
    total = 0.0
    for pick in range(len(plan)):
        carried[pick] = carried[pick] if carried[pick] > DUST else 0.0
        total += carried[pick]
    for pick in range(len(plan)):
        carried[pick], plan[pick] = plan[pick], carried[pick] / total
    if guaranteed(payoff, rows, columns, plan, side) <= kept:
        for pick in range(len(plan)):
            plan[pick] = carried[pick]
