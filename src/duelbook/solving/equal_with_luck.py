"""Which of equally good moves to make where luck has a say: the rule of `reference`, as value iteration.

It is the rule of `equal_moves` on nodes that lead on through branches (see `positions.branches`). Since no number of
plies is certain, every move that keeps the value is in question.

Chances of losing start from those between two perfect players, which are more, since the reference opponent is no
better than that. From 0, as if nobody ever lost, whoever puts the end off would seem to do best, until sweeps have come
to the end of the longest games: with 99 LP that takes four times as many. Where the bounds of the values have met, both
starts lead to the same chances. For there the other seat can bring about an end whatever the perfect player does,
unless that is won, and the reference opponent, who slips into any move, does so sooner or later.
"""

from __future__ import annotations

from array import array
from itertools import product
from typing import TYPE_CHECKING

from duelbook.core import LUCK
from duelbook.positions.branches import Branches
from duelbook.positions.machine import Machine
from duelbook.positions.numbers import room_for_ints, room_for_short_ints
from duelbook.solving.chance import CLOSE, Bounds
from duelbook.solving.loss import ROUNDING
from duelbook.solving.reference import ENDS, LOST, SLIPS, as_good, chances, moves_on

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

MOST_STEPS = 1_500_000_000
"""So many targets are gone over at most for each chance, some seconds' work: 366 sweeps in Number Duel (deck), which
takes 11 and 12, and 15 with 99 LP. Chances that take longer to settle are compared as far as they have come; every move
in question keeps the value, however it is chosen."""
DECIDED = 1e-12
"""A chance of losing between perfect players that is less than this may be nothing but rounding."""
GOOD, LEFT = 1, 2
"""Marks of a move: it keeps the value; it is still in question."""


def later_choices(
    positions: Branches, bounds: Bounds, machine: Machine, most_steps: int = MOST_STEPS
) -> tuple[Array, Array]:
    """The positions at which the best move is not the first good one, and its place there among all legal ones."""
    ways, most_sweeps = positions.ways, 1 + most_steps // len(positions.targets)
    marks, open_choices = machine.twin(good_moves)(*ways[3:], bounds.sure)
    for end, sign, patience in ENDS:
        if not open_choices:
            break
        found = machine.twin(chances)(len(positions.numbers), end, sign)
        if end == LOST and bounds.gap <= CLOSE:
            machine.twin(start_from)(bounds.sure, found)
        if positions.in_pairs:
            by_marks = machine.array(pairs_by_marks())
            machine.twin(settle_pairs)(*positions.pairs, by_marks, marks, found, patience, most_sweeps)
        else:
            machine.twin(settle)(*ways, marks, found, patience, most_sweeps)
        open_choices = machine.twin(narrow)(*ways[3:], marks, found)
    numbers, places = machine.twin(not_the_first)(*ways[3:], marks, positions.decisions)
    return numbers, places


def good_moves(choosers: Array, widths: Array, targets: Array, sure: Array) -> tuple[Array, bool]:
    """The marks of all targets, and whether several are good anywhere."""
    marks = room_for_short_ints(len(targets))
    edge, several = 0, False
    for branch in range(len(choosers)):
        hero, begin = (1 if choosers[branch] == 1 else 0), edge
        edge += widths[branch]
        best, count = -2.0, 0
        for at in range(begin, edge):
            place = targets[at] ^ hero
            best = max(best, (sure[place] - sure[place ^ 1]) / 2)
        for at in range(begin, edge):
            place = targets[at] ^ hero
            marks[at] = GOOD | LEFT if (sure[place] - sure[place ^ 1]) / 2 >= best - ROUNDING else 0
            count += marks[at] // LEFT
        several = several or count > 1
    return marks, several


def start_from(sure: Array, found: Array) -> None:
    """Put the chances of losing between perfect players where 0 stands."""
    for place in range(len(sure) - 4):
        chance = (1.0 - (sure[place] - sure[place ^ 1]) / 2) / 2
        if chance > DECIDED:
            found[place] = chance


def settle(
    firsts: Array,
    starts: Array,
    weights: Array,
    choosers: Array,
    widths: Array,
    targets: Array,
    marks: Array,
    found: Array,
    patience: float,
    most_sweeps: int,
) -> None:
    """Go over the chances of all nodes until none moves any more. A turn leaves so much of a chance."""
    for _ in range(most_sweeps):
        moved = False
        for node in range(len(firsts) - 2, -1, -1):
            one, two, total, edge = 0.0, 0.0, 0, starts[node]
            for branch in range(firsts[node], firsts[node + 1]):
                chooser, width = choosers[branch], widths[branch]
                hero = 1 if chooser == 1 else 0
                best, kept, any_move, good = 2.0, 0.0, 0.0, 0
                for at in range(edge, edge + width):
                    mark, place = marks[at], targets[at] ^ hero
                    any_move += found[place ^ 1]
                    kept += found[place ^ 1] * (mark & GOOD)
                    good += mark & GOOD
                    best = min(best, found[place] if mark & LEFT else 2.0)
                met = SLIPS * any_move / width + (1.0 - SLIPS) * kept / good
                edge += width
                weight = weights[branch] * (1.0 if chooser == LUCK else patience)
                total += weights[branch]
                one += weight * (best if hero == 0 else met)
                two += weight * (met if hero == 0 else best)
            one, two = one / total, two / total
            if not moved:
                moved = moves_on(one, found[2 * node]) or moves_on(two, found[2 * node + 1])
            found[2 * node], found[2 * node + 1] = one, two
        if not moved:
            break


def settle_pairs(
    firsts: Array,
    targets: Array,
    hero: int,
    by_marks: Array,
    marks: Array,
    found: Array,
    patience: float,
    most_sweeps: int,
) -> None:
    """The same where all branches are alike (see `Branches.in_pairs`), in half the time."""
    for _ in range(most_sweeps):
        moved = False
        for node in range(len(firsts) - 2, -1, -1):
            mine, theirs, first, last = 0.0, 0.0, firsts[node], firsts[node + 1]
            for edge in range(2 * first, 2 * last, 2):
                left, right = targets[edge] ^ hero, targets[edge + 1] ^ hero
                at = 4 * (4 * marks[edge] + marks[edge + 1])
                mine += min(found[left] + by_marks[at], found[right] + by_marks[at + 1])
                theirs += by_marks[at + 2] * found[left ^ 1] + by_marks[at + 3] * found[right ^ 1]
            share, here = patience / (last - first), 2 * node + hero
            mine, theirs = mine * share, theirs * share
            if not moved:
                moved = moves_on(mine, found[here]) or moves_on(theirs, found[here ^ 1])
            found[here], found[here ^ 1] = mine, theirs
        if not moved:
            break


def pairs_by_marks() -> array[float]:
    """For the marks of two moves, at 4 * (4 * one + other), what keeps the perfect player from each of them, and how
    often the reference opponent makes each. Looked up, since which of the two is good is no pattern that a processor
    could foresee."""
    found = array("d")
    for one, other in product(range(4), repeat=2):
        good = max(1, (one & GOOD) + (other & GOOD))
        found.extend(0.0 if mark & LEFT else 2.0 for mark in (one, other))
        found.extend(SLIPS / 2 + (1.0 - SLIPS) * (mark & GOOD) / good for mark in (one, other))
    return found


def narrow(choosers: Array, widths: Array, targets: Array, marks: Array, found: Array) -> bool:
    """Leave only the moves after which the chance is best. Whether several are left anywhere."""
    edge, several = 0, False
    for branch in range(len(choosers)):
        hero, begin = (1 if choosers[branch] == 1 else 0), edge
        edge += widths[branch]
        best, count = 2.0, 0
        for at in range(begin, edge):
            if marks[at] & LEFT:
                best = min(best, found[targets[at] ^ hero])
        for at in range(begin, edge):
            if marks[at] & LEFT and not as_good(found[targets[at] ^ hero], best):
                marks[at] = GOOD
            count += marks[at] // LEFT
        several = several or count > 1
    return several


def not_the_first(
    choosers: Array, widths: Array, targets: Array, marks: Array, decisions: Array
) -> tuple[Array, Array]:
    numbers, places = room_for_ints(len(choosers)), room_for_ints(len(choosers))
    edge = count = 0
    for branch in range(len(choosers)):
        first = edge
        while marks[first] == 0:
            first += 1
        best = first
        while not marks[best] & LEFT:
            best += 1
        if best != first:
            numbers[count], places[count] = decisions[branch], best - edge
            count += 1
        edge += widths[branch]
    return numbers[:count], places[:count]
