"""Which of equally good picks to make where both pick at once: the rule of `reference`.

Where a player is lost, every pick is as good as any other on paper; where nobody can force a win, every pick that
leaves the other nothing to win is. A plan that wins, or that has to mix, stays as it is.
"""

from __future__ import annotations

from typing import Any

from duelbook.core import Game
from duelbook.positions.machine import Machine
from duelbook.positions.numbers import floats, ints
from duelbook.solving.promises import Bracketed, solve_recursive
from duelbook.solving.recursive import ILLEGAL, Simultaneous, comes_back, components, explore_simultaneous
from duelbook.solving.reference import LOST, PATIENCE, SAME, SLIPS, WON, chances, moves_on

SURE = 1.0 - 1e-9
"""Whoever is worth more than this has won, and the other has lost."""


def choose_picks(
    after: Any,
    picks: int,
    order: Any,
    ends: Any,
    low: Any,
    high: Any,
    first: Any,
    second: Any,
    best_first: Any,
    best_second: Any,
) -> None:
    """Put into the last two what a perfect player picks.

    They come with the plans that guarantee the bounds, as do `first` and `second`, which the reference opponent plays.
    """
    lose, win = chances(len(order), LOST), chances(len(order), WON)
    replies, free = floats(picks, 0.0), ints(picks, 0)
    begin = 0
    for group in range(len(ends)):
        alone = ends[group] - begin == 1 and not comes_back(after, order[begin], picks)
        moved = True
        while moved:
            moved = False
            for at in range(begin, ends[group]):
                node = order[at]
                for hero in range(2):
                    mine, theirs = (best_first, second) if hero == 0 else (best_second, first)
                    pair = _legal_pair(after, picks, node)
                    legal_pick, legal_reply = (pair // picks, pair % picks)
                    if hero == 1:
                        legal_pick, legal_reply = legal_reply, legal_pick
                    _expect_replies(after, picks, node, hero, legal_pick, theirs, replies)
                    sure = low[node] if hero == 0 else -high[node]
                    losing, winning = 0.0, 0.0
                    if _find_free(after, picks, node, hero, legal_reply, sure, low, high, free):
                        losing, winning = _choose(after, picks, node, hero, free, replies, lose, win, mine)
                    else:
                        for pick in range(picks):
                            share = mine[node * picks + pick]
                            if share > 0.0:
                                winning += share * _expected(after, picks, node, hero, pick, replies, win)
                                if sure < SURE:
                                    losing += share * _expected(after, picks, node, hero, pick, replies, lose)
                    winning *= PATIENCE
                    place = 2 * node + hero
                    moved = moved or moves_on(losing, lose[place]) or moves_on(winning, win[place])
                    lose[place], win[place] = losing, winning
            moved = moved and not alone
        begin = ends[group]


def _legal_pair(after: Any, picks: int, node: int) -> int:
    """Where among the pairs of picks of a node the first legal one is."""
    base = node * picks * picks
    for place in range(picks * picks):
        if after[base + place] != ILLEGAL:
            return place
    return 0


def _find_free(
    after: Any, picks: int, node: int, hero: int, legal_reply: int, sure: float, low: Any, high: Any, free: Any
) -> bool:
    """Mark the picks that the hero may choose among. False where the plan has to stay as it is."""
    stride, step = (picks, 1) if hero == 0 else (1, picks)
    found = False
    for pick in range(picks):
        place = node * picks * picks + pick * stride
        free[pick] = 0
        if after[place + legal_reply * step] == ILLEGAL:
            continue
        if sure < -SURE:
            free[pick] = 1
        elif sure == 0.0:
            free[pick] = 1
            for _ in range(picks):
                if _below_nothing(after[place], hero, low, high):
                    free[pick] = 0
                    break
                place += step
        found = found or free[pick] == 1
    return found


def _below_nothing(target: int, hero: int, low: Any, high: Any) -> bool:
    """Whether less than 0 is sure for the hero at a target."""
    if target < 0:
        return target == (-2 if hero == 0 else -1)
    node, first = target // 2, (hero + target) % 2 == 0
    return bool(low[node] < 0.0 if first else high[node] > 0.0)


def _choose(
    after: Any, picks: int, node: int, hero: int, free: Any, replies: Any, lose: Any, win: Any, mine: Any
) -> tuple[float, float]:
    """Plan the pick that loses least, and among equals wins most; what it leaves of the two chances."""
    least, most = 2.0, 0.0
    for pick in range(picks):
        if free[pick] == 1:
            least = min(least, _expected(after, picks, node, hero, pick, replies, lose))
    choice = -1
    for pick in range(picks):
        mine[node * picks + pick] = 0.0
        if free[pick] == 1 and _expected(after, picks, node, hero, pick, replies, lose) <= least * SAME:
            winning = _expected(after, picks, node, hero, pick, replies, win)
            if winning * SAME >= most:  # the last of equals: of numbers that come to the same a higher one asks more
                choice = pick
            most = max(most, winning)
    mine[node * picks + choice] = 1.0
    return least, most


def _expect_replies(after: Any, picks: int, node: int, hero: int, legal_pick: int, plan: Any, replies: Any) -> None:
    """How likely the reference opponent makes each reply."""
    # How far it is in the table from one pick of the hero to the next, and from one reply to the next.
    stride, step = (picks, 1) if hero == 0 else (1, picks)
    place, legal = node * picks * picks + legal_pick * stride, 0
    for reply in range(picks):
        legal += after[place + reply * step] != ILLEGAL
    for reply in range(picks):
        slip = 0.0 if after[place + reply * step] == ILLEGAL else SLIPS / legal
        replies[reply] = (1.0 - SLIPS) * plan[node * picks + reply] + slip


def _expected(after: Any, picks: int, node: int, hero: int, pick: int, replies: Any, chance: Any) -> float:
    """What a legal pick leaves of a chance of the hero's. A reply that is not legal is never made."""
    stride, step = (picks, 1) if hero == 0 else (1, picks)
    place = node * picks * picks + pick * stride
    total = 0.0
    for reply in range(picks):
        if replies[reply] > 0.0:
            total += replies[reply] * chance[after[place] ^ hero]
        place += step
    return total


def solve_simultaneous(game: Game, rules: Any, machine: Machine) -> tuple[Simultaneous, Bracketed]:
    """The duel bracketed, with the picks that a perfect player makes among equals."""
    positions = explore_simultaneous(game, rules, machine)
    picks = len(game.moves)
    order, ends = machine.twin(components)(positions.after, len(positions.numbers))
    solved = solve_recursive(positions.after, picks, order, ends, machine)
    best_first, best_second = solved.first.copy(), solved.second.copy()
    machine.twin(choose_picks)(positions.after, picks, order, ends, *solved, best_first, best_second)
    return positions, solved._replace(first=best_first, second=best_second)
