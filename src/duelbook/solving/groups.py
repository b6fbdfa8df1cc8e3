"""Which positions lead back to each other: the strongly connected components of a duel. It can be compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbook.positions.numbers import ints

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


def components(after: Array, count: int) -> tuple[Array, Array, Array]:
    """Nodes grouped by whether they lead back to each other, ordered so that all that can follow comes first (Tarjan).

    The nodes in that order, where each group ends, and whether play can come back within it (1) or not (0).
    """
    width = len(after) // count
    seen, low, on_stack = ints(count, -1), ints(count, 0), ints(count, 0)
    stack, path, place = ints(count, 0), ints(count, 0), ints(count, 0)
    order, ends, returns, leads_to_itself = ints(count, 0), ints(count, 0), ints(count, 0), ints(count, 0)
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
                if following == node:
                    leads_to_itself[node] = 1
                if on_stack[following] == 1:
                    low[node] = min(low[node], low[following])
                place[node] += 1
            if deeper:
                continue
            depth -= 1
            if low[node] == seen[node]:
                begin = ordered
                while True:
                    stacked -= 1
                    member = stack[stacked]
                    on_stack[member] = 0
                    order[ordered] = member
                    ordered += 1
                    if member == node:
                        break
                ends[groups] = ordered
                returns[groups] = 1 if ordered - begin > 1 else leads_to_itself[node]
                groups += 1
    return order, ends[:groups], returns[:groups]
