"""Alternating duels, solved backwards from their ends: won, lost, or neither, and in how many plies.

In the literature: retrograde analysis, or backward induction.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from duelbook.positions.graph import END_VALUES, Graph


class Backwards(NamedTuple):
    """For each node, what it is worth for Player 1 (1, 0, -1) and how many plies best play takes to the end.

    The winner hurries and the loser holds out. Where nobody can force a win the value is 0 and there is no number: -1.
    """

    values: list[int]
    plies: list[int]


def solve_backwards(graph: Graph) -> Backwards:
    count = len(graph.states)
    values, plies = [0] * count, [-1] * count
    open_moves = [len(edges) for edges in graph.edges]
    into: list[list[tuple[int, bool]]] = [[] for _ in range(count)]
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
    for node, edges in enumerate(graph.edges):
        for edge in edges:
            if edge.target >= 0:
                into[edge.target].append((node, edge.turned))
            elif END_VALUES[-1 - edge.target] != 0:
                ends.append((node, END_VALUES[-1 - edge.target]))
    for node, value in ends:
        hear(node, value, 1)
    while decided:
        target, value, length = decided.popleft()
        for node, turned in into[target]:
            hear(node, -value if turned else value, length + 1)
    return Backwards(values, plies)
