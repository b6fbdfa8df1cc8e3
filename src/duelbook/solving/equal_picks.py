"""Which of equally good picks to make where both pick at once: the rule of `reference`.

Where a player is lost, every pick is as good as any other on paper; where nobody can force a win, every pick that
leaves the other nothing to win is. A plan that wins, or that has to mix, stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from duelbook.core import Game, SomeRules
from duelbook.positions.machine import Machine
from duelbook.positions.numbers import floats, ints
from duelbook.solving.groups import components
from duelbook.solving.promises import Bracketed, solve_recursive
from duelbook.solving.recursive import ILLEGAL, Simultaneous, explore_simultaneous
from duelbook.solving.reference import LOST, PATIENCE, SAME, SLIPS, WON, chances, moves_on

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

SURE = 1.0 - 1e-9
"""Whoever is worth more than this has won, and the other has lost."""
MOST_SWEEPS = 10_000
"""Through a group of positions that lead back to each other. Number Duel (secret) takes about ten; chances that take
longer to settle are compared as far as they have come. Every pick in question keeps the value, however it is chosen."""


def choose_picks(
    after: Array,
    picks: int,
    order: Array,
    ends: Array,
    returns: Array,
    low: Array,
    high: Array,
    first: Array,
    second: Array,
    most_sweeps: int,
) -> None:
    """Put into `first` and `second` what a perfect player picks.

    They come with the plans that guarantee the bounds. The reference opponent follows those everywhere, so what is
    chosen is written down at the end.
    """
    chosen = ints(2 * len(order), -1)
    lose, win = chances(len(order), LOST), chances(len(order), WON)
    # The hero's legal picks, whether each is free to be chosen, and what it leaves of the chance of losing; where the
    # replies stand behind a pick in the table, and how likely each is. One by one: in a tuple they would be counted.
    options, free, losses = ints(picks, 0), ints(picks, 0), floats(picks, 0.0)
    replies, shares = ints(picks, 0), floats(picks, 0.0)
    for group in range(len(ends)):
        moved, sweeps = True, 0
        while moved and sweeps < most_sweeps:
            moved, sweeps = False, sweeps + 1
            for at in range(ends[group - 1] if group > 0 else 0, ends[group]):
                node = order[at]
                for hero in range(2):
                    mine, theirs = (first, second) if hero == 0 else (second, first)
                    base, stride = node * picks * picks, picks if hero == 0 else 1
                    place = 2 * node + hero
                    sure = low[node] if hero == 0 else -high[node]
                    legal, answers = _sit_down(after, picks, node, hero, theirs, options, replies, shares)
                    if _find_free(after, picks, node, hero, legal, answers, sure, low, high, options, replies, free):
                        losing, winning, chosen[place] = _choose(
                            after,
                            picks,
                            node,
                            hero,
                            legal,
                            answers,
                            lose,
                            win,
                            options,
                            replies,
                            shares,
                            free,
                            losses,
                        )
                    else:
                        losing, winning = 0.0, 0.0
                        for option in range(legal):
                            share = mine[node * picks + options[option]]
                            if share > 0.0:
                                winning += share * _expected(
                                    after, base + options[option] * stride, hero, replies, shares, answers, win
                                )
                                if sure < SURE:
                                    losing += share * _expected(
                                        after, base + options[option] * stride, hero, replies, shares, answers, lose
                                    )
                    winning *= PATIENCE
                    moved = moved or moves_on(losing, lose[place]) or moves_on(winning, win[place])
                    lose[place], win[place] = losing, winning
            moved = moved and returns[group] == 1
    for place in range(len(chosen)):
        if chosen[place] >= 0:
            plans, begin = first if place % 2 == 0 else second, place // 2 * picks
            for pick in range(picks):
                plans[begin + pick] = 1.0 if pick == chosen[place] else 0.0


def _sit_down(
    after: Array, picks: int, node: int, hero: int, plan: Array, options: Array, replies: Array, shares: Array
) -> tuple[int, int]:
    """Lay out what the hero and the reference opponent may do at a node: how many picks and how many replies."""
    # How far it is in the table from one pick of the hero to the next, and from one reply to the next.
    stride, step = (picks, 1) if hero == 0 else (1, picks)
    base = pair = node * picks * picks
    while after[pair] == ILLEGAL:
        pair += 1
    one, two = (pair - base) // picks, (pair - base) % picks
    pick, reply = (one, two) if hero == 0 else (two, one)
    legal = answers = 0
    for other in range(picks):  # what one seat may pick does not depend on the other's pick
        if after[base + other * stride + reply * step] != ILLEGAL:
            options[legal] = other
            legal += 1
        if after[base + pick * stride + other * step] != ILLEGAL:
            replies[answers] = other * step
            shares[answers] = (1.0 - SLIPS) * plan[node * picks + other]
            answers += 1
    slip = SLIPS / answers
    for answer in range(answers):
        shares[answer] += slip
    return legal, answers


def _find_free(
    after: Array,
    picks: int,
    node: int,
    hero: int,
    legal: int,
    answers: int,
    sure: float,
    low: Array,
    high: Array,
    options: Array,
    replies: Array,
    free: Array,
) -> bool:
    """Mark the picks that the hero may choose among. False where the plan has to stay as it is."""
    if sure >= -SURE and sure != 0.0:
        return False
    found = False
    for option in range(legal):
        place = node * picks * picks + options[option] * (picks if hero == 0 else 1)
        free[option] = 1
        for answer in range(answers if sure == 0.0 else 0):
            if _below_nothing(after[place + replies[answer]], hero, low, high):
                free[option] = 0
        found = found or free[option] == 1
    return found


def _below_nothing(target: int, hero: int, low: Array, high: Array) -> bool:
    """Whether less than 0 is sure for the hero at a target."""
    if target < 0:
        return target == (-2 if hero == 0 else -1)
    node, first = target // 2, (hero + target) % 2 == 0
    return bool(low[node] < 0.0 if first else high[node] > 0.0)


def _choose(
    after: Array,
    picks: int,
    node: int,
    hero: int,
    legal: int,
    answers: int,
    lose: Array,
    win: Array,
    options: Array,
    replies: Array,
    shares: Array,
    free: Array,
    losses: Array,
) -> tuple[float, float, int]:
    """The free pick that loses least, and among equals wins most, behind what it leaves of the two chances."""
    base, stride = node * picks * picks, picks if hero == 0 else 1
    least, most = 2.0, 0.0
    for option in range(legal):
        if free[option] == 1:
            losses[option] = _expected(after, base + options[option] * stride, hero, replies, shares, answers, lose)
            least = min(least, losses[option])
    choice = 0
    for option in range(legal):
        if free[option] == 1 and losses[option] <= least * SAME:
            winning = _expected(after, base + options[option] * stride, hero, replies, shares, answers, win)
            if winning * SAME >= most:  # the last of equals: of numbers that come to the same a higher one asks more
                choice = options[option]
            most = max(most, winning)
    return least, most, choice


def _expected(after: Array, place: int, hero: int, replies: Array, shares: Array, answers: int, chance: Array) -> float:
    """What a legal pick, which stands at a place in the table, leaves of a chance of the hero's."""
    total = 0.0
    for answer in range(answers):
        total += shares[answer] * chance[after[place + replies[answer]] ^ hero]
    return total


def solve_simultaneous(
    game: Game, rules: SomeRules, machine: Machine, next_step: Callable[[], None] = lambda: None
) -> tuple[Simultaneous, Bracketed]:
    """The duel bracketed, with the picks that a perfect player makes among equals."""
    next_step()
    positions = explore_simultaneous(game, rules, machine)
    picks = len(game.moves)
    next_step()
    groups = machine.twin(components)(positions.after, len(positions.numbers))
    solved = solve_recursive(positions.after, picks, groups, machine, next_step)
    next_step()
    machine.twin(choose_picks)(positions.after, picks, *groups, *solved, MOST_SWEEPS)
    return positions, solved
