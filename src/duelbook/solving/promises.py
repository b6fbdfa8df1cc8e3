"""Plans that get a promise paid, where play can come back to where it was.

A plan that guarantees its bound turn by turn may let the other side match it for ever, so that what it promises is
passed on and never paid. So a promise that is only passed on within a group of positions that lead back to each other
is counted for a little less when the plan is chosen. A plan chosen like that falls short of its bound by as little.
What is wanted is the plan to which it tends as that little goes to nothing: where the bound is not kept to the last
digit, the plans for three degrees of impatience are carried on to next to none (Lagrange's extrapolation).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from duelbook.positions.numbers import ints
from duelbook.solving.matrix import Sheet, blank_sheet, guaranteed_to_column, guaranteed_to_row, solve_matrix
from duelbook.solving.recursive import bracket, fill_in, write_plan

if TYPE_CHECKING:
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


def solve_recursive(after: Numbers[int], picks: int, groups: tuple[Numbers[int], ...], machine: Machine) -> Bracketed:
    """What both can guarantee, and plans that do it, for positions in the groups of `components`."""
    low, high, first, second, like = machine.twin(bracket)(after, picks, *groups)
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
    sheet, group_of = blank_sheet(picks), ints(len(order), -1)
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
                for side in range(2):
                    mine, theirs = (low, high) if side == 0 else (high, low)
                    rows, columns, _ = fill_in(
                        after, node, picks, mine, theirs, sheet.payoff, sheet.row_picks, sheet.column_picks
                    )
                    degrees = _mark_put_off(after, node, picks, group_of, mine, side, rows, columns, sheet)
                    bound = 0.0
                    for degree in range(degrees):
                        _hurry(sheet, side, degree, rows * columns)
                        solve_matrix(sheet.hurried, rows, columns, sheet.row_plan, sheet.column_plan)
                        kept = _guaranteed(sheet, side, rows, columns)
                        if degree == 0:
                            bound = kept
                        elif degree == 1 and kept >= bound - DUST:
                            break
                        _carry(sheet, side, degree)
                        if degree == len(DEGREES) - 1:
                            _take_carried(sheet, side, rows, columns, kept)
                    if side == 0:
                        write_plan(sheet.row_plan, sheet.row_picks, rows, first, node * picks)
                    else:
                        write_plan(sheet.column_plan, sheet.column_picks, columns, second, node * picks)


def _mark_put_off(
    after: Array, node: int, picks: int, group_of: Array, worth: Array, side: int, rows: int, columns: int, sheet: Sheet
) -> int:
    """Mark in a node's matrix game where a promise to a side stays within the group. For how many degrees to plan.

    A promise to Player 1 is more than the 0 of endless play, one to Player 2 is less.
    """
    there_is, at = False, 0
    for i in range(rows):
        row = (node * picks + sheet.row_picks[i]) * picks
        for j in range(columns):
            target = after[row + sheet.column_picks[j]]
            within = target >= 0 and group_of[target // 2] == group_of[node]
            promised = within and (worth[target] > 0.0 if side == 0 else worth[target] < 0.0)
            sheet.put_off[at] = 1 if promised else 0
            there_is = there_is or promised
            at += 1
    return len(DEGREES) if there_is else 1


def _hurry(sheet: Sheet, side: int, degree: int, size: int) -> None:
    """The game as a player sees it who is impatient to this degree."""
    late = IMPATIENCE * DEGREES[degree] * (1 if side == 0 else -1)
    for at in range(size):
        sheet.hurried[at] = sheet.payoff[at] - late if sheet.put_off[at] == 1 else sheet.payoff[at]


def _carry(sheet: Sheet, side: int, degree: int) -> None:
    """Add the plan that was made at a degree to the one that they are all carried on to."""
    mine = sheet.row_plan if side == 0 else sheet.column_plan
    for pick in range(len(mine)):
        sheet.carried[pick] = (sheet.carried[pick] if degree > 0 else 0.0) + WEIGHTS[degree] * mine[pick]


def _take_carried(sheet: Sheet, side: int, rows: int, columns: int, kept: float) -> None:
    """Make the plan that they were carried on to the side's own, where it keeps more of the bound."""
    mine = sheet.row_plan if side == 0 else sheet.column_plan
    total = 0.0
    for pick in range(len(mine)):
        sheet.carried[pick] = sheet.carried[pick] if sheet.carried[pick] > DUST else 0.0
        total += sheet.carried[pick]
    for pick in range(len(mine)):
        sheet.carried[pick], mine[pick] = mine[pick], sheet.carried[pick] / total
    if _guaranteed(sheet, side, rows, columns) <= kept:
        for pick in range(len(mine)):
            mine[pick] = sheet.carried[pick]


def _guaranteed(sheet: Sheet, side: int, rows: int, columns: int) -> float:
    """What the plan of a side gives its player against the reply that is worst for it."""
    if side == 0:
        return guaranteed_to_row(sheet.payoff, rows, columns, sheet.row_plan)
    return -guaranteed_to_column(sheet.payoff, rows, columns, sheet.column_plan)
