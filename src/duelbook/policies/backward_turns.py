"""Chances carried back from the bell to every position where one seat or luck acts at a time; see `chances`."""

from __future__ import annotations

from duelbook.core import DRAW, LUCK
from duelbook.policies.forward_turns import Alone
from duelbook.positions.numbers import Numbers, Room, floats
from duelbook.positions.target import winner_at

MOVED = 1e-13
"""When no chance changes by more than this from one turn to the next, all are as they stay."""


def carry_back_turns(table: Alone, plans: tuple[Numbers[float], Numbers[float]]) -> Room[float]:
    """Player 1's chance at every node, and behind it at that node's mirror."""
    nodes = len(table.kinds)
    found, before = floats(2 * nodes, 0.5), floats(2 * nodes, 0.5)
    for _turn in range(table.bell):
        moved = 0.0
        for node in range(nodes):
            if table.kinds[node] == LUCK:
                continue
            for turned in range(2):
                plan, now = plans[table.kinds[node] ^ turned], 0.0
                for edge in range(table.starts[node], table.starts[node + 1]):
                    now += plan[edge] * score_at(table.targets[edge], turned, found)
                moved = max(moved, abs(now - found[2 * node + turned]))
                before[2 * node + turned] = now
        _let_luck_act(table, before)
        found, before = before, found
        if moved < MOVED:
            break
    return found  # type: ignore[no-any-return]  # room that the machine made


def _let_luck_act(table: Alone, found: Room[float]) -> None:
    """No turn goes by where luck acts; it may act several times before somebody decides."""
    moved = 1.0
    while moved > MOVED:
        moved = 0.0
        for node in range(len(table.kinds) - 1, -1, -1):
            if table.kinds[node] != LUCK:
                continue
            for turned in range(2):
                now, total = 0.0, 0
                for edge in range(table.starts[node], table.starts[node + 1]):
                    now += table.weights[edge] * score_at(table.targets[edge], turned, found)
                    total += table.weights[edge]
                now /= total
                moved = max(moved, abs(now - found[2 * node + turned]))
                found[2 * node + turned] = now


def score_at(target: int, turned: int, found: Room[float]) -> float:
    """What a way on scores for Player 1, seen from a node or from its mirror."""
    if target >= 0:
        return found[target ^ turned]
    winner = winner_at(target, turned)
    return 0.5 if winner == DRAW else 1.0 - winner
