"""Duels in which both pick at once and play can come back to where it was: Everett's recursive games.

Endless play is worth 0.

Positions are taken in an order in which everything that can follow for good comes first. A position that play cannot
return to is one matrix game. Positions that lead back to each other are bracketed from both sides. For Player 1 any W
<= 0 with W <= val M(W) can be guaranteed, because whoever never gets out is paid 0; the greatest such W is reached
from 0 downwards, and from there every W' = val M(W) is guaranteed too, since it is one more turn of play before W.
Player 2's bound is the same with the signs turned. Where the two meet, the game is solved, and how far they are apart
is the certificate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from duelbook.core import BOTH, OVER, Game, SomeRules
from duelbook.positions.every_position import set_up_adder, walk_everywhere
from duelbook.positions.layout import Layout
from duelbook.positions.machine import Machine
from duelbook.positions.numbers import floats, ints, room_for_ints, room_for_long_ints
from duelbook.positions.target import end_value
from duelbook.positions.walk import Tools
from duelbook.solving.matrix import solve_matrix
from duelbook.solving.stirring import slot_for, stir

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

ILLEGAL = -9
"""In a table of successors: not a pair of legal picks. Other negative numbers are ends, -1 - winner."""

AT_ONCE = 2
"""The phase of positions that need no sweeps."""
MOST_SWEEPS = 1000
"""Through a group of positions that lead back to each other. Number Duel (secret) takes 27; where bounds come closer
ever more slowly, those that are reached are guaranteed all the same, and the gap between them is told."""


SLOTS = 1 << 12
"""So many groups are remembered at most, in case one comes that is no different."""


class Simultaneous(NamedTuple):
    """Every position of the duel, numbered, and where each pair of picks leads."""

    layout: Layout
    turns_round: bool
    numbers: Any  # a layout unpacks one number, or an array of them as if it were one
    """The packed number of each node."""
    after: Array
    """after[(node * picks + first) * picks + second]: 2 * node, plus 1 if it is that node's mirror; or an end; or
    ILLEGAL."""


def explore_simultaneous(game: Game, rules: SomeRules, machine: Machine) -> Simultaneous:
    found, (numbers, after) = walk_everywhere(game, rules, _walker, machine)
    return Simultaneous(found.layout, found.turns_round, numbers, after)


def _walker(game: Game, tools: Tools, machine: Machine) -> Any:
    unpack, canonical = tools.unpack, tools.canonical
    turn, legal, resolve, winner = tools.rules.turn, tools.rules.legal, tools.rules.resolve, tools.rules.winner
    some, room, long_room = machine.twin(ints), machine.twin(room_for_ints), machine.twin(room_for_long_ints)
    picks = len(game.moves)
    add_set_up = set_up_adder(tools, BOTH, machine)

    def walk(rules, start, node_of):  # type: ignore[no-untyped-def]  # the compiler finds the types
        numbers = long_room(len(node_of))
        after = room(len(node_of) * picks * picks)
        may = some(2 * picks, 0)
        at, swept = 0, 0
        numbers[0], count = canonical(start)[0], 1
        node_of[numbers[0]] = 1
        while True:
            if at == count:
                count, swept = add_set_up(rules, node_of, numbers, count, swept)
                if at == count:
                    break
            state = unpack(numbers[at])
            for pick in range(picks):
                may[pick], may[picks + pick] = legal(rules, state, 0, pick), legal(rules, state, 1, pick)
            place = at * picks * picks
            for one in range(picks):
                for two in range(picks):
                    if not (may[one] and may[picks + two]):
                        after[place] = ILLEGAL
                        place += 1
                        continue
                    found = resolve(rules, state, one, two)
                    if turn(rules, found) == OVER:
                        after[place] = -1 - winner(rules, found)
                        place += 1
                        continue
                    number, turned = canonical(found)
                    if number < 0:
                        return False, numbers[:0], after[:0], found
                    if node_of[number] == 0:
                        numbers[count] = number
                        count += 1
                        node_of[number] = count
                    after[place] = 2 * (node_of[number] - 1) + turned
                    place += 1
            at += 1
        return True, numbers[:count], after[: count * picks * picks], start

    return walk


def fill_in(
    after: Array,
    node: int,
    picks: int,
    worth: Array,
    other: Array,
    payoff: Array,
    row_picks: Array,
    column_picks: Array,
) -> tuple[int, int, bool]:
    """Write down the matrix game of a node: how many rows and columns it has, and whether `other` says the same.

    Into the last two go the picks that the rows and columns stand for; of those that are not legal there are none.

    `worth` says what every target is worth: a node at 2 * node, its mirror behind it, and the ends, which are below 0,
    at its own end.
    """
    place = node * picks * picks
    rows = columns = at = 0
    agreed = True
    for one in range(picks):
        begun = at
        for two in range(picks):
            target = after[place]
            place += 1
            if target != ILLEGAL:
                if rows == 0:  # what one seat may pick does not depend on the other's pick
                    column_picks[columns] = two
                    columns += 1
                payoff[at] = worth[target]
                agreed = agreed and worth[target] == other[target]
                at += 1
        if at > begun:
            row_picks[rows] = one
            rows += 1
    return rows, columns, agreed


def bracket(
    after: Array, picks: int, order: Array, ends: Array, returns: Array
) -> tuple[Array, Array, Array, Array, Array]:
    """Bounds for both players at every node and its mirror, and plans at every node, in the order of `components`.

    For each group the last says where in the order an earlier one begins that is no different, or the group itself.
    """
    count = len(order)
    # What a node and its mirror are worth by each side's bounds; the ends -1, -2 and -3 are won, lost and drawn.
    low, high = floats(2 * count - ILLEGAL, 0.0), floats(2 * count - ILLEGAL, 0.0)
    low[ILLEGAL] = ILLEGAL
    for winner in range(3):
        low[-1 - winner] = high[-1 - winner] = end_value(winner)
    first, second = floats(count * picks, 0.0), floats(count * picks, 0.0)
    # What came of a node's matrix games, and how many bounds of its group had changed by then.
    found, asked = floats(2 * count, 0.0), ints(count, -1)
    like, seen = ints(len(ends), 0), ints(SLOTS, -1)
    payoff, row_picks, column_picks = floats(picks * picks, 0.0), ints(picks, 0), ints(picks, 0)
    row_plan, column_plan = floats(picks, 0.0), floats(picks, 0.0)
    for group in range(len(ends)):
        begin = ends[group - 1] if group > 0 else 0
        like[group] = begin
        if returns[group] == 1:
            _mark(order, begin, ends[group], low, high)
            slot = _slot_of(after, picks * picks, order, begin, ends[group], low, high)
            other = seen[slot]
            back = ends[group] - ends[other]
            seen[slot] = group
            same = other >= 0 and like[other] == begin - back
            if same:
                _mark(order, begin - back, ends[other], low, high)
                same = _no_different(after, picks * picks, order, begin, ends[group], back, low, high)
                for place in range(begin - back, ends[other]):
                    _set_bounds(low, high, order[place], found[2 * order[place]], found[2 * order[place] + 1])
            if same:
                like[group], seen[slot] = begin - back, other
            for place in range(begin, ends[group]):
                node, twin = order[place], order[place - back]
                _set_bounds(low, high, node, low[2 * twin] if same else 0.0, high[2 * twin] if same else 0.0)
            if same:
                continue
        changes = 0
        # A position that cannot come back is what follows from it. The others start from 0, what endless play is worth:
        # first away from 0 until both bounds can be guaranteed, then back towards each other.
        for phase in range(2) if returns[group] == 1 else range(AT_ONCE, AT_ONCE + 1):
            moved, sweeps = True, 0
            while moved and sweeps < MOST_SWEEPS:
                moved, sweeps = False, sweeps + 1
                for place in range(begin, ends[group]):
                    node = order[place]
                    if asked[node] != changes:
                        asked[node] = changes
                        rows, columns, agreed = fill_in(after, node, picks, low, high, payoff, row_picks, column_picks)
                        at_least, at_most = solve_matrix(payoff, rows, columns, row_plan, column_plan)
                        write_plan(row_plan, row_picks, rows, first, node * picks)
                        if not agreed:  # otherwise one matrix game answers for both
                            fill_in(after, node, picks, high, low, payoff, row_picks, column_picks)
                            _, at_most = solve_matrix(payoff, rows, columns, row_plan, column_plan)
                        write_plan(column_plan, column_picks, columns, second, node * picks)
                        found[2 * node], found[2 * node + 1] = at_least, at_most
                    if _move(low, high, node, found, phase):
                        moved, changes = True, changes + 1
            if phase == 0 and moved:
                # What has not come to rest is not guaranteed; this is, and the next phase mends it.
                for place in range(begin, ends[group]):
                    _set_bounds(low, high, order[place], -1.0, 1.0)
                changes += 1
        for place in range(begin, ends[group]):  # from where they come back when marks have stood in their place
            found[2 * order[place]], found[2 * order[place] + 1] = low[2 * order[place]], high[2 * order[place]]
    return low, high, first, second, like


def _mark(order: Array, begin: int, end: int, low: Array, high: Array) -> None:
    """Write into the bounds of a group, for as long as it is held against others, each node's place in it instead."""
    for place in range(begin, end):
        node = order[place]
        low[2 * node] = low[2 * node + 1] = 2.0 + place - begin  # beyond any bound
        high[2 * node], high[2 * node + 1] = 0.0, 1.0


def _slot_of(after: Array, pairs: int, order: Array, begin: int, end: int, low: Array, high: Array) -> int:
    """Where a group that is no different from a marked one is looked for."""
    stirred = end - begin
    for place in range(begin, end):
        for at in range(order[place] * pairs, order[place] * pairs + pairs):
            stirred = stir(stirred, low[after[at]] + 0.5 * high[after[at]])
    return slot_for(stirred, SLOTS)


def _no_different(
    after: Array, pairs: int, order: Array, begin: int, end: int, back: int, low: Array, high: Array
) -> bool:
    """Whether all picks mean the same in a marked group and in the one so many places before it."""
    for place in range(begin, end):
        at, twin = order[place] * pairs, order[place - back] * pairs
        for pair in range(pairs):
            one, other = after[at + pair], after[twin + pair]
            if low[one] != low[other] or high[one] != high[other]:
                return False
    return True


def _move(low: Array, high: Array, node: int, found: Array, phase: int) -> bool:
    """Take what was found at a node into its bounds. Whether they changed, so that the others are to be asked again."""
    at_least, at_most = found[2 * node], found[2 * node + 1]
    known_low, known_high = low[2 * node], high[2 * node]
    if phase == AT_ONCE:
        _set_bounds(low, high, node, at_least, at_most)
        return False
    new_low = min(known_low, at_least) if phase == 0 else max(known_low, at_least)
    new_high = max(known_high, at_most) if phase == 0 else min(known_high, at_most)
    if new_low == known_low and new_high == known_high:
        return False
    _set_bounds(low, high, node, new_low, new_high)
    return True


def write_plan(plan: Array, stands_for: Array, count: int, plans: Array, place: int) -> None:
    """Write a plan for so many rows or columns down for the picks that they stand for."""
    for at in range(count):
        plans[place + stands_for[at]] = plan[at]


def _set_bounds(low: Array, high: Array, node: int, at_least: float, at_most: float) -> None:
    low[2 * node], high[2 * node] = at_least, at_most
    low[2 * node + 1], high[2 * node + 1] = -at_most, -at_least
