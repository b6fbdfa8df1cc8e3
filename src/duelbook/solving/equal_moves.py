"""Which of equally good moves to make where one acts at a time: the rule of `reference`, as value iteration.

The functions are run as they stand for a small duel and compiled for a large one.
"""

from __future__ import annotations

from typing import Any

from duelbook.core import LUCK
from duelbook.positions.graph import Graph
from duelbook.positions.machine import compiling, plain
from duelbook.positions.numbers import floats, ints, room_for_ints
from duelbook.positions.size import there_is_a_compiler
from duelbook.positions.target import value_at
from duelbook.solving.loss import ROUNDING
from duelbook.solving.reference import LOST, PATIENCE, SAME, SLIPS, WON, chances, moves_on
from duelbook.solving.retrograde import Backwards

MANY_EDGES = 30_000
"""More of them are gone over again and again by a compiler, if there is one: it takes hundreds of sweeps."""


def best_moves(graph: Graph, solved: Backwards) -> Any:
    """For each node of an alternating duel the place of its best move among all edges.

    The perfect player keeps the value and also the number of plies: the quickest win, the slowest loss.
    """
    machine = compiling() if len(graph.targets) > MANY_EDGES and there_is_a_compiler() else plain()
    edges = [machine.array(column) for column in (graph.movers, graph.starts, graph.targets)]
    values, plies = machine.array(solved.values), machine.array(solved.plies)
    good, kept = machine.twin(keeping_moves)(*edges, values, plies)
    return machine.twin(choose_moves)(*edges, machine.array(graph.targets), good, kept)


def keeping_moves(kinds: Any, starts: Any, targets: Any, values: Any, plies: Any) -> tuple[Any, Any]:
    """The edges that keep the value, and those that keep the number of plies as well."""
    good, kept = ints(len(targets), 0), ints(len(targets), 0)
    for node in range(len(kinds)):
        mine = values[node] if kinds[node] == 0 else -values[node]
        for edge in range(starts[node], starts[node + 1]):
            target = targets[edge]
            if value_at(target, values) == values[node]:
                good[edge] = 1
                length = 1 if target < 0 else plies[target // 2] + 1
                kept[edge] = 1 if mine == 0 or length == plies[node] else 0
    return good, kept


def equal_moves(kinds: Any, starts: Any, targets: Any, values: Any) -> Any:
    """The edges that keep the value where luck has a say, and so no number of plies is certain."""
    good = ints(len(targets), 0)
    for node in range(len(kinds)):
        if kinds[node] == LUCK:
            continue
        sign = 1.0 if kinds[node] == 0 else -1.0
        best = -2.0
        for edge in range(starts[node], starts[node + 1]):
            best = max(best, sign * value_at(targets[edge], values))
        for edge in range(starts[node], starts[node + 1]):
            good[edge] = 1 if sign * value_at(targets[edge], values) >= best - ROUNDING else 0
    return good


def middles(low: Any, high: Any) -> Any:
    """The value of every node, from its bounds."""
    found = floats(len(low), 0.0)
    for node in range(len(low)):
        found[node] = (low[node] + high[node]) / 2
    return found


def later_choices(kinds: Any, starts: Any, good: Any, choices: Any) -> tuple[Any, Any]:
    """The nodes at which the choice is not the first good edge, and its place among all edges of the node."""
    nodes, places = room_for_ints(len(kinds)), room_for_ints(len(kinds))
    count = 0
    for node in range(len(kinds)):
        if kinds[node] != LUCK:
            first = starts[node]
            while good[first] == 0:
                first += 1
            if choices[node] != first:
                nodes[count], places[count] = node, choices[node] - starts[node]
                count += 1
    return nodes[:count], places[:count]


def choose_moves(kinds: Any, starts: Any, targets: Any, weights: Any, good: Any, kept: Any) -> Any:
    """For each node the edge that a perfect player takes there, of those that are `kept`; -1 where luck acts.

    The reference opponent takes those that are `good`.
    """
    lose, win = chances(len(kinds), LOST), chances(len(kinds), WON)
    moved = True
    while moved:
        moved = False
        for node in range(len(kinds) - 1, -1, -1):
            begin, end, seat = starts[node], starts[node + 1], kinds[node]
            if seat == LUCK:
                one_loses, one_wins, two_loses, two_wins = _expect_luck(begin, end, targets, weights, lose, win)
            else:
                mine = _best(begin, end, targets, kept, seat, lose, win)
                theirs = _expect_moves(begin, end, targets, good, 1 - seat, lose, win)
                one_loses, one_wins = mine if seat == 0 else theirs
                two_loses, two_wins = theirs if seat == 0 else mine
                one_wins, two_wins = PATIENCE * one_wins, PATIENCE * two_wins
            one, two = 2 * node, 2 * node + 1
            moved = moved or moves_on(one_loses, lose[one]) or moves_on(one_wins, win[one])
            moved = moved or moves_on(two_loses, lose[two]) or moves_on(two_wins, win[two])
            lose[one], win[one], lose[two], win[two] = one_loses, one_wins, two_loses, two_wins
    choices = ints(len(kinds), -1)
    for node in range(len(kinds)):
        hero = kinds[node]
        if hero != LUCK:
            least, most = _best(starts[node], starts[node + 1], targets, kept, hero, lose, win)
            for edge in range(starts[node], starts[node + 1]):
                place = targets[edge] ^ hero
                best = kept[edge] == 1 and lose[place] <= least * SAME and win[place] * SAME >= most
                if best and choices[node] < 0:
                    choices[node] = edge
    return choices


def _best(begin: int, end: int, targets: Any, kept: Any, hero: int, lose: Any, win: Any) -> tuple[float, float]:
    """The smallest chance of losing, and the largest of winning that can be had with it."""
    least, most = 2.0, 0.0
    for edge in range(begin, end):
        if kept[edge] == 1:
            least = min(least, lose[targets[edge] ^ hero])
    for edge in range(begin, end):
        place = targets[edge] ^ hero
        if kept[edge] == 1 and lose[place] <= least * SAME:
            most = max(most, win[place])
    return least, most


def _expect_moves(begin: int, end: int, targets: Any, good: Any, hero: int, lose: Any, win: Any) -> tuple[float, float]:
    """The hero's chances of losing and of winning where the reference opponent acts."""
    total = 0
    for edge in range(begin, end):
        total += good[edge]
    slip, keep = SLIPS / (end - begin), (1.0 - SLIPS) / total
    losing, winning = 0.0, 0.0
    for edge in range(begin, end):
        share = slip + keep * good[edge]
        losing += share * lose[targets[edge] ^ hero]
        winning += share * win[targets[edge] ^ hero]
    return losing, winning


def _expect_luck(
    begin: int, end: int, targets: Any, weights: Any, lose: Any, win: Any
) -> tuple[float, float, float, float]:
    """The chances of losing and of winning where luck acts: of a hero in the first seat, then in the second."""
    total = 0
    one_loses, one_wins, two_loses, two_wins = 0.0, 0.0, 0.0, 0.0
    for edge in range(begin, end):
        weight, target = weights[edge], targets[edge]
        total += weight
        one_loses += weight * lose[target]
        one_wins += weight * win[target]
        two_loses += weight * lose[target ^ 1]
        two_wins += weight * win[target ^ 1]
    return one_loses / total, one_wins / total, two_loses / total, two_wins / total
