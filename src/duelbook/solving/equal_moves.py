"""Which of equally good moves to make in an alternating duel: the rule of `reference`, as value iteration.

Every chance belongs to a place: a node, seen by a hero in one of its seats. From each place of the hero's own one of
the moves that are still in question is made, from every other place the reference opponent goes on. First come the
chances of losing; where these leave more than one move, the chances of winning. They stand below 0, so that less is
better both times. Only places on which a choice depends are gone over.

The functions are run as they stand for a small duel and compiled for a large one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbook.positions.graph import Graph
from duelbook.positions.machine import compiling, plain
from duelbook.positions.numbers import ints, room_for_floats, room_for_ints
from duelbook.positions.size import there_is_a_compiler
from duelbook.positions.target import value_at
from duelbook.solving.reference import ENDS, SLIPS, as_good, chances, moves_on
from duelbook.solving.retrograde import Backwards

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

MANY_EDGES = 30_000
"""More of them are gone over again and again by a compiler, if there is one: it takes hundreds of sweeps."""
MOST_SWEEPS = 10_000
"""Through all places. The largest variants of our books take 300; chances that take longer to settle are compared as
far as they have come. They only grow, and every move in question keeps the value, however it is chosen."""


def best_moves(graph: Graph, solved: Backwards, most_sweeps: int = MOST_SWEEPS) -> Array:
    """For each node the edge of its best move.

    The perfect player keeps the value and also the number of plies: the quickest win, the slowest loss.
    """
    machine = compiling() if len(graph.targets) > MANY_EDGES and there_is_a_compiler() else plain()
    edges = [machine.array(column) for column in (graph.movers, graph.starts, graph.targets)]
    good, left = machine.twin(keeping_moves)(*edges, machine.array(solved.values), machine.array(solved.plies))
    for end, sign, patience in ENDS:
        rows = machine.twin(rows_of)(*edges, good, left)
        order = machine.twin(in_question)(*rows[:2], edges[0])
        if len(order) == 0:
            break
        found = machine.twin(settled)(
            order, *rows, machine.twin(chances)(len(graph.movers), end, sign), patience, most_sweeps
        )
        machine.twin(narrow)(*edges, left, found)
    choices: Array = machine.twin(first_left)(edges[1], left)
    return choices


def keeping_moves(movers: Array, starts: Array, targets: Array, values: Array, plies: Array) -> tuple[Array, Array]:
    """The edges that keep the value, and those that keep the number of plies as well."""
    good, kept = ints(len(targets), 0), ints(len(targets), 0)
    for node in range(len(movers)):
        mine = values[node] if movers[node] == 0 else -values[node]
        for edge in range(starts[node], starts[node + 1]):
            target = targets[edge]
            if value_at(target, values) == values[node]:
                good[edge] = 1
                length = 1 if target < 0 else plies[target // 2] + 1
                kept[edge] = 1 if mine == 0 or length == plies[node] else 0
    return good, kept


def rows_of(movers: Array, starts: Array, targets: Array, good: Array, left: Array) -> tuple[Array, Array, Array]:
    """Where each place's row begins, and in the rows to which places it leads and how likely that is.

    A row of the hero's own moves has zeros for that.
    """
    firsts = ints(2 * len(movers) + 1, 0)
    places, shares = room_for_ints(2 * len(targets)), room_for_floats(2 * len(targets))
    count = 0
    for node in range(len(movers)):
        begin, end = starts[node], starts[node + 1]
        total = 0
        for edge in range(begin, end):
            total += good[edge]
        for hero in range(2):
            firsts[2 * node + hero] = count
            for edge in range(begin, end):
                if movers[node] != hero:
                    places[count] = targets[edge] ^ hero
                    shares[count] = SLIPS / (end - begin) + (1.0 - SLIPS) / total * good[edge]
                    count += 1
                elif left[edge] == 1:
                    places[count], shares[count] = targets[edge] ^ hero, 0.0
                    count += 1
    firsts[2 * len(movers)] = count
    return firsts, places[:count], shares[:count]


def in_question(firsts: Array, places: Array, movers: Array) -> Array:
    """The places on which a choice depends that is still open, the last ones first."""
    count = len(firsts) - 1
    wanted, waiting = ints(count, 0), room_for_ints(count)
    depth = asked = 0
    for node in range(len(movers)):
        place = 2 * node + movers[node]
        for at in range(firsts[place] + 1, firsts[place + 1]):
            if places[at] != places[firsts[place]] and wanted[place] == 0:
                wanted[place], waiting[depth] = 1, place
                depth += 1
    while depth > 0:
        depth -= 1
        asked += 1
        place = waiting[depth]
        for at in range(firsts[place], firsts[place + 1]):
            if places[at] >= 0 and wanted[places[at]] == 0:
                wanted[places[at]], waiting[depth] = 1, places[at]
                depth += 1
    order: Array = room_for_ints(asked)
    for place in range(count):
        if wanted[place] == 1:
            asked -= 1
            order[asked] = place
    return order


def settled(
    order: Array, firsts: Array, places: Array, shares: Array, found: Array, patience: float, most_sweeps: int
) -> Array:
    """The chances at these places, gone over until none moves any more. A turn leaves so much of a chance."""
    for _ in range(most_sweeps):
        moved = False
        for place in order:
            begin, end = firsts[place], firsts[place + 1]
            if shares[begin] == 0.0:
                chance = found[places[begin]]
                for at in range(begin + 1, end):
                    if found[places[at]] < chance:
                        chance = found[places[at]]
            else:
                chance = 0.0
                for at in range(begin, end):
                    chance += shares[at] * found[places[at]]
            chance *= patience
            moved = moved or moves_on(chance, found[place])
            found[place] = chance
        if not moved:
            break
    return found


def narrow(movers: Array, starts: Array, targets: Array, left: Array, found: Array) -> None:
    """Leave only the moves after which the chance is best."""
    for node in range(len(movers)):
        best = 2.0
        for edge in range(starts[node], starts[node + 1]):
            if left[edge] == 1:
                best = min(best, found[targets[edge] ^ movers[node]])
        for edge in range(starts[node], starts[node + 1]):
            if left[edge] == 1 and not as_good(found[targets[edge] ^ movers[node]], best):
                left[edge] = 0


def first_left(starts: Array, left: Array) -> Array:
    choices: Array = ints(len(starts) - 1, 0)
    for node in range(len(choices)):
        choices[node] = starts[node]
        while left[choices[node]] == 0:
            choices[node] += 1
    return choices
