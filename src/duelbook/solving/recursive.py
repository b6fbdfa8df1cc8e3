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

from typing import Any, NamedTuple

from duelbook.core import BOTH, OVER, Game
from duelbook.positions.every_position import set_up_adder, walk_everywhere
from duelbook.positions.layout import Layout
from duelbook.positions.machine import Machine
from duelbook.positions.numbers import floats, ints, long_ints, room_for_ints, room_for_long_ints
from duelbook.positions.target import end_value
from duelbook.positions.walk import Tools
from duelbook.solving.matrix import solve_matrix
from duelbook.solving.promises import mark_put_off, pay_soon

ILLEGAL = -9
"""In a table of successors: not a pair of legal picks. Other negative numbers are ends, -1 - winner."""


MOST_SWEEPS = 1000
"""Through a group of positions that lead back to each other. Number Duel (secret) takes 27; where bounds come closer
ever more slowly, those that are reached are guaranteed all the same, and the gap between them is told."""


class Simultaneous(NamedTuple):
    """Every position of the duel, numbered, and where each pair of picks leads."""

    layout: Layout
    turns_round: bool
    numbers: Any
    """The packed number of each node."""
    after: Any
    """after[(node * picks + first) * picks + second]: 2 * node, plus 1 if it is that node's mirror; or an end; or
    ILLEGAL."""


class Bracketed(NamedTuple):
    """What each player can guarantee at each node, and the mixed picks that do it: the picks of a node side by side."""

    low: Any
    high: Any
    first: Any
    second: Any
    games: int
    """How many matrix games it took."""


def explore_simultaneous(game: Game, rules: Any, machine: Machine) -> Simultaneous:
    found, (numbers, after) = walk_everywhere(game, rules, _walker, machine)
    return Simultaneous(found.layout, found.turns_round, numbers, after)


def _walker(game: Game, tools: Tools, machine: Machine) -> Any:
    unpack, canonical = tools.unpack, tools.canonical
    turn, legal, resolve, winner = tools.rules.turn, tools.rules.legal, tools.rules.resolve, tools.rules.winner
    some, room, long_room = machine.twin(ints), machine.twin(room_for_ints), machine.twin(room_for_long_ints)
    picks = len(game.moves)
    add_set_up = set_up_adder(tools, BOTH, machine)

    @machine.make
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


def components(after: Any, count: int) -> tuple[Any, Any]:
    """Nodes grouped by whether they lead back to each other, ordered so that all that can follow comes first (Tarjan).

    The nodes in that order, and where each group ends.
    """
    width = len(after) // count
    seen, low, on_stack = ints(count, -1), ints(count, 0), ints(count, 0)
    stack, path, place = ints(count, 0), ints(count, 0), ints(count, 0)
    order, ends = ints(count, 0), ints(count, 0)
    stacked = depth = ordered = groups = clock = 0
    for root in range(count):
        if seen[root] >= 0:
            continue
        path[0] = root
        depth = 1
        while depth > 0:
            node = path[depth - 1]
            if seen[node] < 0:
                seen[node] = low[node] = clock
                clock += 1
                stack[stacked] = node
                stacked += 1
                on_stack[node] = 1
            deeper = False
            while place[node] < width:
                target = after[node * width + place[node]]
                if target < 0:
                    place[node] += 1
                    continue
                following = target // 2
                if seen[following] < 0:
                    path[depth] = following
                    depth += 1
                    deeper = True
                    break
                if on_stack[following] == 1:
                    low[node] = min(low[node], low[following])
                place[node] += 1
            if deeper:
                continue
            depth -= 1
            if low[node] == seen[node]:
                while True:
                    stacked -= 1
                    member = stack[stacked]
                    on_stack[member] = 0
                    order[ordered] = member
                    ordered += 1
                    if member == node:
                        break
                ends[groups] = ordered
                groups += 1
    return order, ends[:groups]


def _fill(after: Any, node: int, picks: int, worth: Any, payoff: Any, first: Any, second: Any) -> tuple[int, int]:
    """The matrix game of a node, with the legal picks that its rows and columns stand for.

    `worth` says what every target is worth: a node at 2 * node, its mirror behind it, and the ends, which are below 0,
    at its own end.
    """
    place = node * picks * picks
    rows = columns = at = 0
    for one in range(picks):
        begun = at
        for two in range(picks):
            target = after[place]
            place += 1
            if target != ILLEGAL:
                if rows == 0:  # what one seat may pick does not depend on the other's pick
                    second[columns] = two
                    columns += 1
                payoff[at] = worth[target]
                at += 1
        if at > begun:
            first[rows] = one
            rows += 1
    return rows, columns


def bracket(after: Any, picks: int, order: Any, ends: Any) -> tuple[Any, Any, Any, Any, int]:
    """Bounds for both players at every node, in the order of `components`. The last number counts matrix games."""
    count = len(order)
    # What a node and its mirror are worth by each side's bounds; the ends -1, -2 and -3 are won, lost and drawn.
    low, high = floats(2 * count + 3, 0.0), floats(2 * count + 3, 0.0)
    for winner in range(3):
        low[-1 - winner] = high[-1 - winner] = end_value(winner)
    first, second = floats(count * picks, 0.0), floats(count * picks, 0.0)
    payoff, hurried, put_off = floats(picks * picks, 0.0), floats(picks * picks, 0.0), ints(picks * picks, 0)
    row_plan, column_plan = floats(picks, 0.0), floats(picks, 0.0)
    row_picks, column_picks = long_ints(picks, 0), long_ints(picks, 0)
    group_of = ints(count, -1)
    games = 0
    begin = 0
    for group in range(len(ends)):
        alone = ends[group] - begin == 1 and not comes_back(after, order[begin], picks)
        # A position that cannot come back is what follows from it. The others start from 0, what endless play is worth:
        # first away from 0 until both bounds can be guaranteed, then back towards each other, then once for the plans.
        for phase in range(2, 3) if alone else range(3):
            moved, sweeps = True, 0
            while moved and sweeps < MOST_SWEEPS:
                moved, sweeps = False, sweeps + 1
                for place in range(begin, ends[group]):
                    node = order[place]
                    group_of[node] = group
                    rows, columns = _fill(after, node, picks, low, payoff, row_picks, column_picks)
                    at_least, at_most = solve_matrix(payoff, rows, columns, row_plan, column_plan)
                    games += 1
                    if phase == 2 and not alone:
                        mark_put_off(after, node, picks, group_of, low, rows, columns, row_picks, column_picks, put_off)
                        games += pay_soon(payoff, rows, columns, put_off, True, hurried, row_plan, column_plan)
                    for i in range(rows):
                        first[node * picks + row_picks[i]] = row_plan[i]
                    if not (alone and _agreed(after, node, picks, low, high)):
                        _fill(after, node, picks, high, payoff, row_picks, column_picks)
                        at_most = solve_matrix(payoff, rows, columns, row_plan, column_plan)[1]
                        games += 1
                        if phase == 2 and not alone:
                            mark_put_off(
                                after, node, picks, group_of, high, rows, columns, row_picks, column_picks, put_off
                            )
                            games += pay_soon(payoff, rows, columns, put_off, False, hurried, row_plan, column_plan)
                    for j in range(columns):
                        second[node * picks + column_picks[j]] = column_plan[j]
                    if alone:
                        _set_bounds(low, high, node, at_least, at_most)
                    elif phase < 2:
                        known_low, known_high = low[2 * node], high[2 * node]
                        new_low = min(known_low, at_least) if phase == 0 else max(known_low, at_least)
                        new_high = max(known_high, at_most) if phase == 0 else min(known_high, at_most)
                        if new_low != known_low or new_high != known_high:
                            _set_bounds(low, high, node, new_low, new_high)
                            moved = True
            if (
                phase == 0 and moved
            ):  # what has not come to rest is not guaranteed; this is, and the next phase mends it
                for place in range(begin, ends[group]):
                    _set_bounds(low, high, order[place], -1.0, 1.0)
        begin = ends[group]
    return low[: 2 * count : 2], high[: 2 * count : 2], first, second, games


def _set_bounds(low: Any, high: Any, node: int, at_least: float, at_most: float) -> None:
    low[2 * node], high[2 * node] = at_least, at_most
    low[2 * node + 1], high[2 * node + 1] = -at_most, -at_least


def comes_back(after: Any, node: int, picks: int) -> bool:
    """Whether a pair of picks leads from a node back to itself."""
    for place in range(node * picks * picks, (node + 1) * picks * picks):
        if after[place] >= 0 and after[place] // 2 == node:
            return True
    return False


def _agreed(after: Any, node: int, picks: int, low: Any, high: Any) -> bool:
    """Whether both sides' bounds agree on everything that follows, so that one matrix game answers for both."""
    for place in range(node * picks * picks, (node + 1) * picks * picks):
        target = after[place]
        if target >= 0 and low[target] != high[target]:
            return False
    return True
