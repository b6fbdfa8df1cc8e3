"""The certificate for secret picks: plans held against every reply. It can be compiled.

In the literature: the value of a best response to each plan; what it gains is the plan's exploitability.
"""

from __future__ import annotations

from typing import Any

from duelbook.positions.numbers import ints
from duelbook.positions.target import end_value
from duelbook.solving.recursive import ILLEGAL

STRICT = 1e-12


def _worth(target: int, low: Any, high: Any, lower: bool) -> Any:
    """What a pair of picks leads to, by the bounds of one side."""
    if target < 0:
        return end_value(-1 - target)
    node = target // 2
    if target % 2 == 1:
        return -high[node] if lower else -low[node]
    return low[node] if lower else high[node]


def shortfall(after: Any, picks: int, low: Any, high: Any, first: Any, second: Any) -> float:
    """The most by which any plan, against any reply, gives its player less than the bound promises."""
    worst = 0.0
    for node in range(len(low)):
        for reply in range(picks):
            mine, theirs, chance_mine, chance_theirs = 0.0, 0.0, 0.0, 0.0
            for pick in range(picks):
                share = first[node * picks + pick]
                target = after[(node * picks + pick) * picks + reply]
                if share > 0.0 and target != ILLEGAL:
                    mine += share * _worth(target, low, high, True)
                    chance_mine += share
                share = second[node * picks + pick]
                target = after[(node * picks + reply) * picks + pick]
                if share > 0.0 and target != ILLEGAL:
                    theirs += share * _worth(target, low, high, False)
                    chance_theirs += share
            # A reply that is not legal meets nothing; against a legal one every pick of a plan must be legal.
            if chance_mine > 0.0:
                worst = max(worst, low[node] - mine, abs(chance_mine - 1.0))
            if chance_theirs > 0.0:
                worst = max(worst, theirs - high[node], abs(chance_theirs - 1.0))
    return worst


def escapes(after: Any, picks: int, low: Any, high: Any, first: Any, second: Any) -> Any:
    """How many positions let the other side keep a promise of more than 0 from ever being paid.

    A promise stays unpaid at a position if some reply leads, whatever the plan picks, to positions where it stays
    unpaid. A node is held for both sides: 2 * node for Player 1's promise there, 2 * node + 1 for Player 2's.
    """
    count = len(low)
    unpaid = ints(2 * count, 0)
    for node in range(count):
        unpaid[2 * node] = 1 if low[node] > STRICT else 0
        unpaid[2 * node + 1] = 1 if high[node] < -STRICT else 0
    left = 1
    while left > 0:
        left = 0
        for node in range(count):
            for side in range(2):
                plan = first if side == 0 else second
                if unpaid[2 * node + side] == 1 and not _can_stall(after, picks, node, side, plan, unpaid):
                    unpaid[2 * node + side] = 0
                    left += 1
    total = 0
    for place in range(2 * count):
        total += unpaid[place]
    return total


def _can_stall(after: Any, picks: int, node: int, side: int, plan: Any, unpaid: Any) -> bool:
    for reply in range(picks):
        stalls, met = True, False
        for pick in range(picks):
            one, two = (pick, reply) if side == 0 else (reply, pick)
            target = after[(node * picks + one) * picks + two]
            if plan[node * picks + pick] <= 0.0 or target == ILLEGAL:
                continue
            met = True
            # Turned round, the promise is the other seat's.
            if target < 0 or unpaid[2 * (target // 2) + (side + target % 2) % 2] == 0:
                stalls = False
                break
        if met and stalls:
            return True
    return False
