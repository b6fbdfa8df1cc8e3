"""How to pick when nothing can be held any more: so that somebody who errs now and then is tried the most.

At a lost position of a duel of secret picks every plan is as good as any other on paper. Against an opponent who plays
perfectly nine times out of ten and picks any legal number otherwise, they are not. This computes what each position is
worth against such an opponent, and at lost positions takes the pick that is worth most. As with alternating duels, a
small discount for every round makes quick wins and slow losses worth more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from duelbook.solve.recursive import ILLEGAL

ERRS = 0.1
PATIENCE = 0.99
LOST = -1.0 + 1e-9
CLOSE = 1e-9


@njit(cache=True)
def play_on(after: Any, order: Any, ends: Any, low: Any, high: Any, first: Any, second: Any) -> None:
    """Change the plans at lost positions, and only there."""
    count, picks = after.shape[0], after.shape[1]
    worth = np.zeros((2, count))  # for a perfect player in the first seat, and in the second
    likely = np.empty(picks)
    begin = 0
    for group in range(len(ends)):
        moved = 1.0
        while moved > CLOSE:
            moved = 0.0
            for place in range(begin, ends[group]):
                node = order[place]
                for hero in range(2):
                    _likely(after, node, hero, first, second, likely)
                    lost = (low[node] if hero == 0 else -high[node]) < LOST
                    best, total, choice = -2.0, 0.0, -1
                    for pick in range(picks):
                        expected, legal = _expected(after, node, hero, pick, likely, worth)
                        if not legal:
                            continue
                        if expected > best:
                            best, choice = expected, pick
                        total += (first[node, pick] if hero == 0 else second[node, pick]) * expected
                    if lost:
                        for pick in range(picks):
                            if hero == 0:
                                first[node, pick] = 1.0 if pick == choice else 0.0
                            else:
                                second[node, pick] = 1.0 if pick == choice else 0.0
                        total = best
                    moved = max(moved, abs(total - worth[hero, node]))
                    worth[hero, node] = total
            if ends[group] - begin == 1:
                moved = 0.0 if not _returns(after, order[begin]) else moved
        begin = ends[group]


@njit(cache=True)
def _returns(after: Any, node: int) -> bool:
    for one in range(after.shape[1]):
        for two in range(after.shape[2]):
            if after[node, one, two] // 2 == node:
                return True
    return False


@njit(cache=True)
def _likely(after: Any, node: int, hero: int, first: Any, second: Any, likely: Any) -> None:
    """What the other seat picks: its plan, and now and then anything legal."""
    picks = after.shape[1]
    legal = 0
    for reply in range(picks):
        likely[reply] = 0.0
        for pick in range(picks):
            target = after[node, pick, reply] if hero == 0 else after[node, reply, pick]
            if target != ILLEGAL:
                likely[reply] = 1.0
                legal += 1
                break
    for reply in range(picks):
        plan = second[node, reply] if hero == 0 else first[node, reply]
        likely[reply] = (1.0 - ERRS) * plan + ERRS * likely[reply] / legal


@njit(cache=True)
def _expected(after: Any, node: int, hero: int, pick: int, likely: Any, worth: Any) -> tuple[float, bool]:
    """What a pick is worth to the hero against what the other seat is likely to pick, and whether it is legal."""
    total, legal = 0.0, False
    for reply in range(after.shape[1]):
        target = after[node, pick, reply] if hero == 0 else after[node, reply, pick]
        if target == ILLEGAL:
            continue
        legal = True
        if target < 0:
            value = 1.0 if target == -1 else -1.0 if target == -2 else 0.0
            total += likely[reply] * (value if hero == 0 else -value)
        else:
            total += likely[reply] * worth[(hero + target % 2) % 2, target // 2]
    return PATIENCE * total, legal
