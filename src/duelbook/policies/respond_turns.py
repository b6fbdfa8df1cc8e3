"""The ladder's table of a duel in which one acts at a time, as the places of `best_response`."""

from __future__ import annotations

from duelbook.core import DRAW, LUCK
from duelbook.policies.best_response import CHANCE, CHOICE, DRAWN, LOST, WON, Ways
from duelbook.policies.forward_turns import Alone
from duelbook.positions.numbers import Numbers, floats, ints, room_for_floats, room_for_ints, room_for_long_ints
from duelbook.positions.target import winner_at


def ways_against(table: Alone, plan: Numbers[float]) -> Ways:
    """Every node as it stands, with the hero in the first seat, and behind it its mirror."""
    nodes = len(table.kinds)
    kinds, begins, ends = ints(2 * nodes, CHANCE), room_for_long_ints(2 * nodes), room_for_long_ints(2 * nodes)
    targets, shares = room_for_ints(2 * len(table.targets)), room_for_floats(2 * len(table.targets))
    way = 0
    for place in range(2 * nodes):
        node, turned = place // 2, place % 2
        edges = range(table.starts[node], table.starts[node + 1])
        if table.kinds[node] != LUCK and table.kinds[node] == turned:
            kinds[place] = CHOICE
        total = 0
        for edge in edges:
            total += table.weights[edge]
        begins[place] = way
        for edge in edges:
            targets[way] = _seen_by_the_hero(table.targets[edge], turned)
            shares[way] = table.weights[edge] / total if table.kinds[node] == LUCK else plan[edge]
            way += 1
        ends[place] = way
    return Ways(kinds, begins, ends, targets, shares, floats(1, 0.0))


def _seen_by_the_hero(target: int, turned: int) -> int:
    if target >= 0:
        return target ^ turned
    winner = winner_at(target, turned)
    return DRAWN if winner == DRAW else WON if winner == 0 else LOST


def move_of(table: Alone, ways: Ways, place: int, way: int) -> int:
    """Which move the hero makes who takes this way."""
    return int(table.moves[table.starts[place // 2] + way - ways.begins[place]])
