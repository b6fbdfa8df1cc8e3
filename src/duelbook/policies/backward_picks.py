"""Chances carried back from the bell to every position where both seats pick at once; see `chances`."""

from __future__ import annotations

from duelbook.policies.backward_turns import MOVED, score_at
from duelbook.policies.forward_picks import AtOnce
from duelbook.positions.numbers import Numbers, Room, floats
from duelbook.solving.recursive import ILLEGAL

Both = tuple[Numbers[float], Numbers[float]]
"""A player's plan: how likely each pick is, in the first seat of every node and in the second."""


def carry_back_picks(table: AtOnce, plans: tuple[Both, Both]) -> Room[float]:
    """Player 1's chance at every node, and behind it at that node's mirror."""
    nodes, picks = len(table.symmetric), table.picks
    found, before = floats(2 * nodes, 0.5), floats(2 * nodes, 0.5)
    met = floats(picks * picks, 0.0)
    for _turn in range(table.bell):
        begin, moved = 0, 0.0
        for group in range(len(table.group_ends)):
            for turned in range(2):
                for pair in range(picks * picks):
                    target = table.after[group * picks * picks + pair]
                    if target == ILLEGAL:
                        continue
                    # A position that is its own mirror is played as it stands.
                    as_it_stands = target >= 0 and table.symmetric[target // 2]
                    met[pair] = score_at(target, 0 if as_it_stands else turned, found)
                for node in range(begin, table.group_ends[group]):
                    now = _expected(plans[turned][0], plans[1 - turned][1], node * picks, picks, met)
                    before[2 * node + turned] = now
                    moved = max(moved, abs(now - found[2 * node + turned]))
            begin = table.group_ends[group]
        found, before = before, found
        if moved < MOVED:
            break
    return found  # type: ignore[no-any-return]  # room that the machine made


def _expected(one: Numbers[float], two: Numbers[float], row: int, picks: int, met: Room[float]) -> float:
    total = 0.0
    for first in range(picks):
        if one[row + first] > 0.0:
            part = 0.0
            for second in range(picks):
                if two[row + second] > 0.0:
                    part += two[row + second] * met[first * picks + second]
            total += one[row + first] * part
    return total
