"""Duels in which both pick at once and play can come back to where it was: recursive games, endless play worth 0.

Positions are taken in an order in which everything that can follow for good comes first. A position that play cannot
return to is one matrix game. Positions that lead back to each other are bracketed from both sides. For Player 1 any W
<= 0 with W <= val M(W) can be guaranteed, because whoever never gets out is paid 0; the greatest such W is reached
from 0 downwards, and from there every W' = val M(W) is guaranteed too, since it is one more turn of play before W.
Player 2's bound is the same with the signs turned. Where the two meet, the game is solved, and how far they are apart
is the certificate.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from duelbook.core import BOTH, OVER, Game
from duelbook.solve.every_position import add_node, set_up_adder, walk_everywhere
from duelbook.solve.layout import Layout
from duelbook.solve.matrix import solve_matrix

ILLEGAL = -9
"""In a table of successors: not a pair of legal picks. Other negative numbers are ends, -1 - winner."""


class Simultaneous(NamedTuple):
    """Every position of the duel, numbered, and where each pair of picks leads."""

    layout: Layout
    turns_round: bool
    numbers: Any
    """The packed number of each node."""
    after: Any
    """after[node, first, second]: 2 * node, plus 1 when it is that node's mirror; or an end; or ILLEGAL."""


class Bracketed(NamedTuple):
    """What each player can guarantee at each node, and the mixed picks that do it."""

    low: Any
    high: Any
    first: Any
    second: Any
    games: int
    """How many matrix games it took."""


def explore_simultaneous(game: Game, rules: Any) -> Simultaneous:
    (layout, turns_round), found = walk_everywhere(game, rules, _walker)
    return Simultaneous(layout, turns_round, *found)


def _walker(game: Game, tools: Any) -> Any:
    rules_of, unpack, canonical = tools
    turn, legal, resolve, winner = rules_of.turn, rules_of.legal, rules_of.resolve, rules_of.winner
    picks = len(game.moves)
    add_set_up = set_up_adder(tools, BOTH)

    @njit
    def walk(rules, start, size):  # type: ignore[no-untyped-def]  # the compiler finds the types
        node_of = np.full(size, -1, np.int32)
        numbers = np.empty(size, np.int64)
        after = np.empty((size, picks, picks), np.int32)
        at, swept = 0, 0
        count = add_node(canonical(start)[0], node_of, numbers, 0)
        while True:
            if at == count:
                count, swept = add_set_up(rules, node_of, numbers, count, swept)
                if at == count:
                    break
            state = unpack(numbers[at])
            for one in range(picks):
                for two in range(picks):
                    if not (legal(rules, state, 0, one) and legal(rules, state, 1, two)):
                        after[at, one, two] = ILLEGAL
                        continue
                    found = resolve(rules, state, one, two)
                    if turn(rules, found) == OVER:
                        after[at, one, two] = -1 - winner(rules, found)
                        continue
                    number, turned = canonical(found)
                    if number < 0:
                        return False, numbers[:0], after[:0], found
                    if node_of[number] < 0:
                        count = add_node(number, node_of, numbers, count)
                    after[at, one, two] = 2 * node_of[number] + turned
            at += 1
        return True, numbers[:count], after[:count], start

    return walk


@njit(cache=True)
def components(after: Any) -> tuple[Any, Any]:
    """Nodes grouped by whether they lead back to each other, ordered so that all that can follow comes first (Tarjan).

    The nodes in that order, and where each group ends.
    """
    count, width = after.shape[0], after.shape[1] * after.shape[2]
    flat = after.reshape(count, width)
    seen, low = np.full(count, -1, np.int32), np.zeros(count, np.int32)
    on_stack = np.zeros(count, np.bool_)
    stack, path, place = np.empty(count, np.int32), np.empty(count, np.int32), np.zeros(count, np.int32)
    order, ends = np.empty(count, np.int32), np.empty(count, np.int32)
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
                on_stack[node] = True
            deeper = False
            while place[node] < width:
                target = flat[node, place[node]]
                if target < 0:
                    place[node] += 1
                    continue
                following = target // 2
                if seen[following] < 0:
                    path[depth] = following
                    depth += 1
                    deeper = True
                    break
                if on_stack[following]:
                    low[node] = min(low[node], low[following])
                place[node] += 1
            if deeper:
                continue
            depth -= 1
            if low[node] == seen[node]:
                while True:
                    stacked -= 1
                    member = stack[stacked]
                    on_stack[member] = False
                    order[ordered] = member
                    ordered += 1
                    if member == node:
                        break
                ends[groups] = ordered
                groups += 1
    return order, ends[:groups]


IMPATIENCE = 1e-6
"""How much less than promised a player counts a promise that is only passed on within a group, when choosing a plan."""


@njit(cache=True)
def _fill(
    after: Any, node: int, low: Any, high: Any, lower: bool, payoff: Any, first: Any, second: Any
) -> tuple[int, int]:
    """The matrix game of a node under one side's bounds, with the legal picks that its rows and columns stand for."""
    picks = after.shape[1]
    rows = columns = 0
    for one in range(picks):
        for two in range(picks):
            if after[node, one, two] != ILLEGAL:
                first[rows] = one
                rows += 1
                break
    for two in range(picks):
        for one in range(picks):
            if after[node, one, two] != ILLEGAL:
                second[columns] = two
                columns += 1
                break
    for i in range(rows):
        for j in range(columns):
            target = after[node, first[i], second[j]]
            if target < 0:
                payoff[i, j] = 1.0 if target == -1 else -1.0 if target == -2 else 0.0
            elif target % 2 == 1:
                payoff[i, j] = -high[target // 2] if lower else -low[target // 2]
            else:
                payoff[i, j] = low[target // 2] if lower else high[target // 2]
    return rows, columns


@njit(cache=True)
def _grow_impatient(
    after: Any, node: int, group_of: Any, lower: bool, payoff: Any, rows: int, columns: int, first: Any, second: Any
) -> None:
    """Make a promise that stays within the group look a little worse, so that the plan is one that gets it paid.

    Without this a plan may be perfect on paper and let the other side match it for ever.
    """
    for i in range(rows):
        for j in range(columns):
            target = after[node, first[i], second[j]]
            if target >= 0 and group_of[target // 2] == group_of[node]:
                if lower and payoff[i, j] > 0.0:
                    payoff[i, j] -= IMPATIENCE
                elif not lower and payoff[i, j] < 0.0:
                    payoff[i, j] += IMPATIENCE


@njit(cache=True)
def bracket(after: Any, order: Any, ends: Any) -> tuple[Any, Any, Any, Any, int]:
    """Bounds for both players at every node, in the order of `components`. The last number counts matrix games."""
    count, picks = after.shape[0], after.shape[1]
    low, high = np.zeros(count), np.zeros(count)
    first, second = np.zeros((count, picks)), np.zeros((count, picks))
    payoff = np.empty((picks, picks))
    row_plan, column_plan = np.empty(picks), np.empty(picks)
    row_picks, column_picks = np.empty(picks, np.int64), np.empty(picks, np.int64)
    group_of = np.full(count, -1, np.int32)
    games = 0
    begin = 0
    for group in range(len(ends)):
        alone = ends[group] - begin == 1 and not _comes_back(after, order[begin])
        # A position that cannot come back is what follows from it. The others start from 0, what endless play is worth:
        # first away from 0 until both bounds can be guaranteed, then back towards each other, then once for the plans.
        for phase in range(2, 3) if alone else range(3):
            moved = True
            while moved:
                moved = False
                for place in range(begin, ends[group]):
                    node = order[place]
                    group_of[node] = group
                    rows, columns = _fill(after, node, low, high, True, payoff, row_picks, column_picks)
                    if phase == 2 and not alone:
                        _grow_impatient(after, node, group_of, True, payoff, rows, columns, row_picks, column_picks)
                    at_least, at_most = solve_matrix(payoff, rows, columns, row_plan, column_plan)
                    games += 1
                    for i in range(rows):
                        first[node, row_picks[i]] = row_plan[i]
                    if not (alone and _agreed(after, node, low, high)):
                        _fill(after, node, low, high, False, payoff, row_picks, column_picks)
                        if phase == 2 and not alone:
                            _grow_impatient(
                                after, node, group_of, False, payoff, rows, columns, row_picks, column_picks
                            )
                        at_most = solve_matrix(payoff, rows, columns, row_plan, column_plan)[1]
                        games += 1
                    for j in range(columns):
                        second[node, column_picks[j]] = column_plan[j]
                    if alone:
                        low[node], high[node] = at_least, at_most
                    elif phase < 2:
                        new_low = min(low[node], at_least) if phase == 0 else max(low[node], at_least)
                        new_high = max(high[node], at_most) if phase == 0 else min(high[node], at_most)
                        if new_low != low[node] or new_high != high[node]:
                            low[node], high[node] = new_low, new_high
                            moved = True
        begin = ends[group]
    return low, high, first, second, games


@njit(cache=True)
def _comes_back(after: Any, node: int) -> bool:
    for one in range(after.shape[1]):
        for two in range(after.shape[2]):
            if after[node, one, two] >= 0 and after[node, one, two] // 2 == node:
                return True
    return False


@njit(cache=True)
def _agreed(after: Any, node: int, low: Any, high: Any) -> bool:
    """Whether both sides' bounds agree on everything that follows, so that one matrix game answers for both."""
    for one in range(after.shape[1]):
        for two in range(after.shape[2]):
            target = after[node, one, two]
            if target >= 0 and low[target // 2] != high[target // 2]:
                return False
    return True


def solve_simultaneous(game: Game, rules: Any) -> tuple[Simultaneous, Bracketed]:
    from duelbook.solve.swindle import play_on

    positions = explore_simultaneous(game, rules)
    order, ends = components(positions.after)
    solved = Bracketed(*bracket(positions.after, order, ends))
    play_on(positions.after, order, ends, solved.low, solved.high, solved.first, solved.second)
    return positions, solved
