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
from duelbook.solving.loss import ROUNDING
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

    They come with the plans that guarantee the bounds. The reference opponent may follow those, so what is chosen is
    written down at the end.
    """
    chosen = ints(2 * len(order), -1)
    lose, win = chances(len(order), LOST), chances(len(order), WON)
    sure = chances(len(order), WON)  # what is sure for each hero, in the same places
    sure[LOST] = -1.0
    for node in range(len(order)):
        sure[2 * node], sure[2 * node + 1] = low[node], -high[node]
    # For one seat after the other: its legal picks, and whether each by itself keeps what is sure for the seat.
    legal, keeps = ints(2 * picks, 0), ints(2 * picks, 0)
    # What each pick of the hero leaves of the chance of losing; where the replies stand behind a pick in the table, and
    # how likely each is. One by one: in a tuple they would be counted.
    losses, replies, shares = floats(picks, 0.0), ints(picks, 0), floats(picks, 0.0)
    for group in range(len(ends)):
        moved, sweeps = True, 0
        while moved and sweeps < most_sweeps:
            moved, sweeps = False, sweeps + 1
            for at in range(ends[group - 1] if group > 0 else 0, ends[group]):
                node = order[at]
                ones, twos = _sit_down(after, picks, node, legal)
                kept_by_one = _mark_keeping(after, picks, node, 0, legal, ones, twos, sure, keeps)
                kept_by_two = _mark_keeping(after, picks, node, 1, legal, twos, ones, sure, keeps)
                for hero in range(2):
                    mine, theirs = (first, second) if hero == 0 else (second, first)
                    base, stride = node * picks * picks, picks if hero == 0 else 1
                    place = 2 * node + hero
                    options, answers = (ones, twos) if hero == 0 else (twos, ones)
                    free, kept = (kept_by_one, kept_by_two) if hero == 0 else (kept_by_two, kept_by_one)
                    _lay_replies(picks, node, hero, legal, keeps, answers, kept, theirs, replies, shares)
                    if free > 0 and (sure[place] < -SURE or sure[place] == 0.0):
                        losing, winning, chosen[place] = _choose(
                            after,
                            picks,
                            node,
                            hero,
                            options,
                            answers,
                            lose,
                            win,
                            legal,
                            keeps,
                            replies,
                            shares,
                            losses,
                        )
                    else:
                        losing, winning = 0.0, 0.0
                        for pick in range(picks):
                            share = mine[node * picks + pick]
                            if share > 0.0:
                                winning += share * _expected(
                                    after, base + pick * stride, hero, replies, shares, answers, win
                                )
                                if sure[place] < SURE:
                                    losing += share * _expected(
                                        after, base + pick * stride, hero, replies, shares, answers, lose
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


def _sit_down(after: Array, picks: int, node: int, legal: Array) -> tuple[int, int]:
    """Lay out what both seats may pick at a node: how many picks each has."""
    base = pair = node * picks * picks
    while after[pair] == ILLEGAL:
        pair += 1
    one, two = (pair - base) // picks, (pair - base) % picks
    ones = twos = 0
    for pick in range(picks):  # what one seat may pick does not depend on the other's pick
        if after[base + pick * picks + two] != ILLEGAL:
            legal[ones] = pick
            ones += 1
        if after[base + one * picks + pick] != ILLEGAL:
            legal[picks + twos] = pick
            twos += 1
    return ones, twos


def _mark_keeping(
    after: Array,
    picks: int,
    node: int,
    seat: int,
    legal: Array,
    options: int,
    answers: int,
    sure: Array,
    keeps: Array,
) -> int:
    """Mark the picks of a seat that keep what is sure for it, whatever the answer. How many there are."""
    least = sure[2 * node + seat] - ROUNDING
    stride, step = (picks, 1) if seat == 0 else (1, picks)
    mine, theirs = (0, picks) if seat == 0 else (picks, 0)
    count = 0
    for option in range(options):
        place, worst = node * picks * picks + legal[mine + option] * stride, 1.0
        for answer in range(answers if least > -1.0 else 0):  # whoever is lost keeps that
            worst = min(worst, sure[after[place + legal[theirs + answer] * step] ^ seat])
        keeps[mine + option] = 1 if worst >= least else 0
        count += keeps[mine + option]
    return count


def _lay_replies(
    picks: int,
    node: int,
    hero: int,
    legal: Array,
    keeps: Array,
    answers: int,
    kept: int,
    plan: Array,
    replies: Array,
    shares: Array,
) -> None:
    """What the reference opponent may reply to the hero at a node, and how likely each reply is."""
    step, theirs = (1, picks) if hero == 0 else (picks, 0)
    for answer in range(answers):
        reply = legal[theirs + answer]
        good = keeps[theirs + answer] / kept if kept > 0 else plan[node * picks + reply]
        replies[answer], shares[answer] = reply * step, SLIPS / answers + (1.0 - SLIPS) * good


def _choose(
    after: Array,
    picks: int,
    node: int,
    hero: int,
    options: int,
    answers: int,
    lose: Array,
    win: Array,
    legal: Array,
    keeps: Array,
    replies: Array,
    shares: Array,
    losses: Array,
) -> tuple[float, float, int]:
    """The keeping pick that loses least, and among equals wins most, behind what it leaves of the two chances."""
    base, stride = node * picks * picks, picks if hero == 0 else 1
    mine = 0 if hero == 0 else picks
    least, most = 2.0, 0.0
    for option in range(options):
        if keeps[mine + option] == 1:
            place = base + legal[mine + option] * stride
            losses[option] = _expected(after, place, hero, replies, shares, answers, lose)
            least = min(least, losses[option])
    choice = 0
    for option in range(options):
        if keeps[mine + option] == 1 and losses[option] <= least * SAME:
            place = base + legal[mine + option] * stride
            winning = _expected(after, place, hero, replies, shares, answers, win)
            if winning * SAME >= most:  # the last of equals: of numbers that come to the same a higher one asks more
                choice = legal[mine + option]
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
