"""Alternating duels, solved backwards from their ends: won, lost, or neither, and in how many plies.

In the literature: retrograde analysis, or backward induction.
"""

from __future__ import annotations

from array import array
from collections import deque
from typing import NamedTuple

from duelbook.positions.graph import Graph
from duelbook.positions.target import value_at


class Backwards(NamedTuple):
    """For each node, what it is worth for Player 1 (1, 0, -1) and how many plies best play takes to the end.

    The winner hurries and the loser holds out. Where nobody can force a win the value is 0 and there is no number: -1.
    """

    values: array[int]
    plies: array[int]


def solve_backwards(graph: Graph) -> Backwards:
    count = len(graph.states)
    values, plies = array("i", [0]) * count, array("i", [-1]) * count
    starts, targets = graph.starts, graph.targets
    open_moves = [starts[node + 1] - starts[node] for node in range(count)]
    into: list[list[int]] = [[] for _ in range(count)]
    """For each node where the edges to it come from: 2 * node, plus 1 for an edge to its mirror."""
    decided: deque[tuple[int, int, int]] = deque()

    def hear(node: int, value: int, length: int) -> None:
        """One move of a node is known to end like this, in so many plies.

        Ends are heard of in the order of their length.
        """
        if plies[node] >= 0:
            return
        open_moves[node] -= 1
        wins = value == (1 if graph.movers[node] == 0 else -1)
        if wins or open_moves[node] == 0:
            values[node], plies[node] = value, length
            decided.append((node, value, length))

    ends = []
    for node in range(count):
        for target in targets[starts[node] : starts[node + 1]]:
            if target >= 0:
                into[target // 2].append(2 * node + target % 2)
            elif value_at(target, values) != 0:
                ends.append((node, int(value_at(target, values))))
    for node, value in ends:
        hear(node, value, 1)
    while decided:
        reached, value, length = decided.popleft()
        for source in into[reached]:
            hear(source // 2, -value if source % 2 else value, length + 1)
    return Backwards(values, plies)
