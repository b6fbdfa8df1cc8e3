"""Duels with luck, solved by iteration from both sides: value iteration, with a lower and an upper bound.

Every position starts with two bounds on its value for Player 1: -1, as if all that is not over were lost, and 1, as if
it were won. Each sweep plays one more turn in front of the bounds, so they stay bounds and only come closer. When they
are closer than asked for, the value lies between them: the distance is the stated error. Positions far from the start
are swept first, so that one sweep carries what it learns through a whole deck.
"""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

from duelbook.core import LUCK, OVER, Game
from duelbook.positions.every_position import set_up_adder, walk_everywhere
from duelbook.positions.layout import Layout
from duelbook.positions.machine import Machine, compiling
from duelbook.positions.numbers import floats, ints, room_for_ints, room_for_long_ints
from duelbook.positions.size import there_is_a_compiler
from duelbook.positions.target import end_value
from duelbook.positions.walk import Tools

CLOSE = 2e-13
"""How close the bounds come before the sweeps stop."""
MANY_EDGES = 4_000_000
"""After so many in plain Python a compiler takes over, if there is one."""


class Drawn(NamedTuple):
    """Every position of the duel and where its moves or its cards lead: one long list, with a start for each node."""

    layout: Layout
    turns_round: bool
    numbers: Any
    kinds: Any
    """Who acts at a node: a seat, or LUCK."""
    starts: Any
    targets: Any
    """2 * node, plus 1 when it is that node's mirror; or an end, -1 - winner."""
    weights: Any
    """At luck's nodes how likely each card is; otherwise 0."""


class Bounds(NamedTuple):
    low: Any
    high: Any
    sweeps: int


def explore_luck(game: Game, rules: Any, machine: Machine) -> Drawn:
    found, result = walk_everywhere(game, rules, _walker, machine)
    return Drawn(found.layout, found.turns_round, *result)


def _walker(game: Game, tools: Tools, machine: Machine) -> Any:
    unpack, canonical = tools.unpack, tools.canonical
    turn, legal, apply, winner = tools.rules.turn, tools.rules.legal, tools.rules.apply, tools.rules.winner
    odds, deal = tools.rules.odds, tools.rules.deal
    some, room, long_room = machine.twin(ints), machine.twin(room_for_ints), machine.twin(room_for_long_ints)
    moves, faces = len(game.moves), tuple(game.faces)
    widest = max(len(game.moves), len(game.faces))
    add_set_up = set_up_adder(tools, LUCK, machine)

    @machine.make
    def walk(rules, start, size):  # type: ignore[no-untyped-def]  # the compiler finds the types
        node_of = some(size, -1)
        numbers, kinds, starts = long_room(size), room(size), long_room(size + 1)
        targets, weights = room(size * widest), room(size * widest)
        at, edges, swept = 0, 0, 0
        numbers[0], count = canonical(start)[0], 1
        node_of[numbers[0]] = 0
        while True:
            if at == count:
                count, swept = add_set_up(rules, node_of, numbers, count, swept)
                if at == count:
                    break
            state = unpack(numbers[at])
            kind = turn(rules, state)
            kinds[at] = kind
            starts[at] = edges
            for choice in range(len(faces) if kind == LUCK else moves):
                weight = 0
                if kind == LUCK:
                    weight = odds(rules, state, faces[choice])
                    if weight == 0:
                        continue
                    found = deal(rules, state, faces[choice])
                else:
                    if not legal(rules, state, kind, choice):
                        continue
                    found = apply(rules, state, choice)
                weights[edges] = weight
                if turn(rules, found) == OVER:
                    targets[edges] = -1 - winner(rules, found)
                    edges += 1
                    continue
                number, turned = canonical(found)
                if number < 0:
                    return False, numbers[:0], kinds[:0], starts[:0], targets[:0], weights[:0], found
                if node_of[number] < 0:
                    node_of[number], numbers[count] = count, number
                    count += 1
                targets[edges] = 2 * node_of[number] + turned
                edges += 1
            at += 1
        starts[count] = edges
        return True, numbers[:count], kinds[:count], starts[: count + 1], targets[:edges], weights[:edges], start

    return walk


def sweep(kinds: Any, starts: Any, targets: Any, weights: Any, low: Any, high: Any) -> tuple[float, bool]:
    """One more turn in front of every bound, the last nodes first.

    How far apart the bounds still are comes back, and whether any of them moved.
    """
    gap, moved = 0.0, False
    for node in range(len(kinds) - 1, -1, -1):
        kind = kinds[node]
        below, above, total = 0.0, 0.0, 0
        for edge in range(starts[node], starts[node + 1]):
            target = targets[edge]
            if target < 0:
                worst = end_value(-1 - target)
                best = worst
            elif target % 2 == 1:
                worst, best = -high[target // 2], -low[target // 2]
            else:
                worst, best = low[target // 2], high[target // 2]
            first = edge == starts[node]
            if kind == LUCK:
                below += weights[edge] * worst
                above += weights[edge] * best
                total += weights[edge]
            elif kind == 0:
                below = worst if first else max(below, worst)
                above = best if first else max(above, best)
            else:
                below = worst if first else min(below, worst)
                above = best if first else min(above, best)
        if kind == LUCK:
            below /= total
            above /= total
        if below > low[node] or above < high[node]:
            low[node], high[node] = max(low[node], below), min(high[node], above)
            moved = True
        gap = max(gap, high[node] - low[node])
    return gap, moved


def solve_luck(game: Game, rules: Any, machine: Machine) -> tuple[Drawn, Bounds]:
    positions = explore_luck(game, rules, machine)
    count = len(positions.kinds)
    row = machine.twin(floats)
    low, high = row(count, -1.0), row(count, 1.0)
    edges = (positions.kinds, positions.starts, positions.targets, positions.weights)
    gap, moved, sweeps = 2.0, True, 0
    while gap > CLOSE and moved:
        if not machine.compiled and sweeps * len(positions.targets) > MANY_EDGES and there_is_a_compiler():
            # How many sweeps it takes shows only now: small decks take many.
            machine = compiling()
            edges = tuple(machine.array(array("q", column)) for column in edges)
            low, high = (machine.array(array("d", column)) for column in (low, high))
        gap, moved = machine.twin(sweep)(*edges, low, high)
        sweeps += 1
    return positions, Bounds(low, high, sweeps)
