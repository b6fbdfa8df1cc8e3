"""How to pick when nothing can be held any more: so that somebody who errs now and then is tried the most.

At a lost position of a duel of secret picks every plan is as good as any other on paper. Against an opponent who plays
perfectly nine times out of ten and picks any legal number otherwise, they are not. This computes what each position is
worth against such an opponent, and at lost positions takes the pick that is worth most. As with alternating duels, a
small discount for every round makes quick wins and slow losses worth more.
"""

from __future__ import annotations

from typing import Any

from duelbook.positions.numbers import floats
from duelbook.solving.recursive import ILLEGAL, comes_back

ERRS = 0.1
PATIENCE = 0.99
LOST = -1.0 + 1e-9
CLOSE = 1e-9


def play_on(after: Any, picks: int, order: Any, ends: Any, low: Any, high: Any, first: Any, second: Any) -> None:
    """Change the plans at lost positions, and only there."""
    worth = floats(2 * len(order), 0.0)  # at 2 * node for a perfect player in the first seat, then in the second
    likely = floats(picks, 0.0)
    begin = 0
    for group in range(len(ends)):
        moved = 1.0
        while moved > CLOSE:
            moved = 0.0
            for place in range(begin, ends[group]):
                node = order[place]
                pair = _legal_pair(after, picks, node)
                for hero in range(2):
                    mine = first if hero == 0 else second
                    legal_pick, legal_reply = (pair // picks, pair % picks)
                    if hero == 1:
                        legal_pick, legal_reply = legal_reply, legal_pick
                    _likely(after, picks, node, hero, legal_pick, second if hero == 0 else first, likely)
                    lost = (low[node] if hero == 0 else -high[node]) < LOST
                    best, total, choice = -2.0, 0.0, -1
                    for pick in range(picks):
                        one, two = (pick, legal_reply) if hero == 0 else (legal_reply, pick)
                        if after[(node * picks + one) * picks + two] == ILLEGAL:
                            continue
                        expected = _expected(after, picks, node, hero, pick, likely, worth)
                        if expected > best:
                            best, choice = expected, pick
                        total += mine[node * picks + pick] * expected
                    if lost:
                        for pick in range(picks):
                            mine[node * picks + pick] = 1.0 if pick == choice else 0.0
                        total = best
                    moved = max(moved, abs(total - worth[2 * node + hero]))
                    worth[2 * node + hero] = total
            if ends[group] - begin == 1:
                moved = 0.0 if not comes_back(after, order[begin], picks) else moved
        begin = ends[group]


def _legal_pair(after: Any, picks: int, node: int) -> int:
    """Where among the pairs of picks of a node the first legal one is."""
    base = node * picks * picks
    for place in range(picks * picks):
        if after[base + place] != ILLEGAL:
            return place
    return 0


def _likely(after: Any, picks: int, node: int, hero: int, legal_pick: int, plan: Any, likely: Any) -> None:
    """What the other seat picks: its plan, and now and then anything legal."""
    # How far it is in the table from one pick of the hero to the next, and from one reply to the next.
    stride, step = (picks, 1) if hero == 0 else (1, picks)
    place, legal = node * picks * picks + legal_pick * stride, 0
    for reply in range(picks):
        likely[reply] = 0.0 if after[place + reply * step] == ILLEGAL else 1.0
        legal += after[place + reply * step] != ILLEGAL
    for reply in range(picks):
        likely[reply] = (1.0 - ERRS) * plan[node * picks + reply] + ERRS * likely[reply] / legal


def _expected(after: Any, picks: int, node: int, hero: int, pick: int, likely: Any, worth: Any) -> float:
    """What a legal pick is worth to the hero against what the other seat is likely to pick."""
    stride, step = (picks, 1) if hero == 0 else (1, picks)
    place = node * picks * picks + pick * stride
    total = 0.0
    for reply in range(picks):
        target = after[place]
        place += step
        if target >= 0:
            total += likely[reply] * worth[target ^ hero]  # in a mirror the hero sits in the other seat
        elif target == -1 or target == -2:
            total += likely[reply] if (target == -1) == (hero == 0) else -likely[reply]
    return PATIENCE * total
