"""Which of equally good moves to play: the one that is worth most against somebody who errs now and then.

A perfect player keeps the value of the position, and often several moves do. Then what counts is the other side: here
it plays a perfect move nine times out of ten and any legal move otherwise, for ever, and this page computes exactly
what each choice is worth against that. A small discount for every ply makes quick wins and slow losses worth more.
"""

from __future__ import annotations

from duelbook.positions.graph import END_VALUES, Graph
from duelbook.solving.retrograde import Backwards

ERRS = 0.1
PATIENCE = 0.97
"""What a ply of delay leaves of a win, or of a loss."""
CLOSE = 1e-7


def keeping(graph: Graph, solved: Backwards, node: int) -> list[int]:
    """The places of the moves that keep the value: the quickest where it is won, the slowest where it is lost."""
    sign = 1 if graph.movers[node] == 0 else -1
    worth = []
    for edge in graph.edges[node]:
        if edge.target < 0:
            worth.append((sign * END_VALUES[-1 - edge.target], 1))
        else:
            value = solved.values[edge.target] * (-1 if edge.turned else 1)
            worth.append((sign * value, solved.plies[edge.target] + 1))
    best = max(value for value, _ in worth)
    if best == 0:
        return [at for at, (value, _) in enumerate(worth) if value == 0]
    lengths = [plies for value, plies in worth if value == best]
    length = min(lengths) if best > 0 else max(lengths)
    return [at for at, (value, plies) in enumerate(worth) if value == best and plies == length]


def most_trying(graph: Graph, solved: Backwards) -> list[int]:
    """For each node the place of the move that a perfect player makes there."""
    count = len(graph.states)
    kept = [keeping(graph, solved, node) for node in range(count)]
    # What each move leads to, for a perfect player in the first seat and in the second, as places in one list of
    # worths: 2 * node + hero. Behind the nodes stand the ends, worth -1, 0 and 1 to the hero.
    leads: list[list[int]] = []
    for node in range(count):
        for hero in (0, 1):
            places = []
            for edge in graph.edges[node]:
                if edge.target >= 0:
                    places.append(2 * edge.target + (1 - hero if edge.turned else hero))
                else:
                    value = END_VALUES[-1 - edge.target]
                    places.append(2 * count + 1 + (value if hero == 0 else -value))
            leads.append(places)
    worth = [0.0] * (2 * count) + [-1.0, 0.0, 1.0]
    moved = 1.0
    while moved > CLOSE:
        moved = 0.0
        for at in range(2 * count - 1, -1, -1):
            node, hero = divmod(at, 2)
            ahead = [worth[place] for place in leads[at]]
            best = [ahead[place] for place in kept[node]]
            if graph.movers[node] == hero:
                new = PATIENCE * max(best)
            else:
                new = PATIENCE * ((1 - ERRS) * sum(best) / len(best) + ERRS * sum(ahead) / len(ahead))
            change = new - worth[at]
            if change > moved or -change > moved:
                moved = abs(change)
            worth[at] = new
    choices = []
    for node in range(count):
        ahead = [worth[place] for place in leads[2 * node + graph.movers[node]]]
        choices.append(max(kept[node], key=ahead.__getitem__))
    return choices
