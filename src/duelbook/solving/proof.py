"""What a certificate computes over all positions of a table. It can be compiled.

With luck: values held against values computed again. With secret picks: plans held against every reply.

In the literature: the value of a best response to each plan; what it gains is the plan's exploitability.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbook.positions.numbers import floats, ints
from duelbook.positions.target import end_value
from duelbook.solving.recursive import ILLEGAL

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array, Numbers

    Ints = Numbers[int]
    Floats = Numbers[float]

STRICT = 1e-12


def farthest(said: Floats, found: Floats) -> tuple[int, float]:
    """How many values were found, and how far from them a table is at most: 2 where it lacks one of them."""
    count, worst = 0, 0.0
    for place in range(len(found)):
        if found[place] == found[place]:  # no number at all stands where there is no position
            count += 1
            worst = max(worst, abs(said[place] - found[place])) if said[place] == said[place] else 2.0
            if worst > 1.0:
                break
    return count, worst


def _worth(target: int, low: Floats, high: Floats, lower: bool) -> float:
    """What a pair of picks leads to, by the bounds of one side."""
    if target < 0:
        return float(end_value(-1 - target))
    node = target // 2
    if target % 2 == 1:
        return -high[node] if lower else -low[node]
    return low[node] if lower else high[node]


def said_at(
    numbers: Ints, table: Ints, lows: Floats, highs: Floats, firsts: Floats, seconds: Floats, picks: int
) -> tuple[bool, float, Array, Array, Array, Array]:
    """Whether a table of facts holds every node, how far apart the bounds are at most, and at each node its fact."""
    count = len(numbers)
    low, high, gap = floats(count, 0.0), floats(count, 0.0), 0.0
    first, second = floats(count * picks, 0.0), floats(count * picks, 0.0)
    for node in range(count):
        number = numbers[node]
        if number < 0 or number >= len(table) or table[number] == 0:
            return False, gap, low, high, first, second
        fact = int(table[number]) - 1
        low[node], high[node] = lows[fact], highs[fact]
        gap = max(gap, high[node] - low[node])
        for pick in range(picks):
            first[node * picks + pick] = firsts[fact * picks + pick]
            second[node * picks + pick] = seconds[fact * picks + pick]
    return True, gap, low, high, first, second


def shortfall(after: Ints, picks: int, low: Floats, high: Floats, first: Floats, second: Floats) -> float:
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


def escapes(after: Ints, picks: int, low: Floats, high: Floats, first: Floats, second: Floats) -> int:
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
        for node in range(count - 1, -1, -1):  # a walk comes to what follows later, and that has to be known first
            for side in range(2):
                plan = first if side == 0 else second
                if unpaid[2 * node + side] == 1 and not _can_stall(after, picks, node, side, plan, unpaid):
                    unpaid[2 * node + side] = 0
                    left += 1
    total = 0
    for place in range(2 * count):
        total += unpaid[place]
    return total


def _can_stall(after: Ints, picks: int, node: int, side: int, plan: Floats, unpaid: Ints) -> bool:
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
