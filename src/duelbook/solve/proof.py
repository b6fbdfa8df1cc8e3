"""The compiled half of the certificate for secret picks: plans held against every reply."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from duelbook.solve.recursive import ILLEGAL

STRICT = 1e-12


@njit(cache=True)
def _worth(target: int, low: Any, high: Any, lower: bool) -> Any:
    """What a pair of picks leads to, by the bounds of one side."""
    if target < 0:
        return 1.0 if target == -1 else -1.0 if target == -2 else 0.0
    node = target // 2
    if target % 2 == 1:
        return -high[node] if lower else -low[node]
    return low[node] if lower else high[node]


@njit(cache=True)
def shortfall(after: Any, low: Any, high: Any, first: Any, second: Any) -> float:
    """The most by which any plan, against any reply, gives its player less than the bound promises."""
    picks = after.shape[1]
    worst = 0.0
    for node in range(len(after)):
        for reply in range(picks):
            mine, theirs, chance_mine, chance_theirs = 0.0, 0.0, 0.0, 0.0
            for pick in range(picks):
                if first[node, pick] > 0.0 and after[node, pick, reply] != ILLEGAL:
                    mine += first[node, pick] * _worth(after[node, pick, reply], low, high, True)
                    chance_mine += first[node, pick]
                if second[node, pick] > 0.0 and after[node, reply, pick] != ILLEGAL:
                    theirs += second[node, pick] * _worth(after[node, reply, pick], low, high, False)
                    chance_theirs += second[node, pick]
            # A reply that is not legal meets nothing; against a legal one every pick of a plan must be legal.
            if chance_mine > 0.0:
                worst = max(worst, low[node] - mine, abs(chance_mine - 1.0))
            if chance_theirs > 0.0:
                worst = max(worst, theirs - high[node], abs(chance_theirs - 1.0))
    return worst


@njit(cache=True)
def escapes(after: Any, low: Any, high: Any, first: Any, second: Any) -> Any:
    """How many positions let the other side keep a promise of more than 0 from ever being paid.

    A promise stays unpaid at a position if some reply leads, whatever the plan picks, to positions where it stays
    unpaid. A node is held for both sides: 2 * node for Player 1's promise there, 2 * node + 1 for Player 2's.
    """
    count, picks = after.shape[0], after.shape[1]
    unpaid = np.zeros(2 * count, np.bool_)
    for node in range(count):
        unpaid[2 * node] = low[node] > STRICT
        unpaid[2 * node + 1] = high[node] < -STRICT
    left = 1
    while left > 0:
        left = 0
        for node in range(count):
            for side in range(2):
                if unpaid[2 * node + side] and not _can_stall(after, node, side, first, second, unpaid, picks):
                    unpaid[2 * node + side] = False
                    left += 1
    return unpaid.sum()


@njit(cache=True)
def _can_stall(after: Any, node: int, side: int, first: Any, second: Any, unpaid: Any, picks: int) -> bool:
    for reply in range(picks):
        stalls, met = True, False
        for pick in range(picks):
            share = first[node, pick] if side == 0 else second[node, pick]
            target = after[node, pick, reply] if side == 0 else after[node, reply, pick]
            if share <= 0.0 or target == ILLEGAL:
                continue
            met = True
            # Turned round, the promise is the other seat's.
            if target < 0 or not unpaid[2 * (target // 2) + (side + target % 2) % 2]:
                stalls = False
                break
        if met and stalls:
            return True
    return False
