"""Which of equally good picks to make where both pick at once: the rule of `reference`.

Where a player is lost, every pick is as good as any other on paper; where nobody can force a win, every pick that
leaves the other nothing to win is. A plan that wins, or that has to mix, stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from duelbook.core import Game
from duelbook.positions.machine import Machine
from duelbook.positions.numbers import floats, ints
from duelbook.solving.promises import Bracketed, solve_recursive
from duelbook.solving.recursive import ILLEGAL, Simultaneous, comes_back, components, explore_simultaneous
from duelbook.solving.reference import LOST, PATIENCE, SAME, SLIPS, WON, chances, moves_on

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

SURE = 1.0 - 1e-9
"""Whoever is worth more than this has won, and the other has lost."""
MOST_SWEEPS = 10_000
"""Through a group of positions that lead back to each other. Number Duel (secret) takes about ten; chances that take
longer to settle are compared as far as they have come. Every pick in question keeps the value, however it is chosen."""


class Seat(NamedTuple):
    """Room for what a hero has before them at a node."""

    mine: Array
    """The hero's legal picks."""
    replies: Array
    """Where the legal replies stand behind a pick in the table, and how likely the reference opponent makes each."""
    shares: Array
    free: Array
    """For each legal pick whether the hero may choose it, and what it leaves of the chance of losing."""
    losing: Array


def choose_picks(
    after: Array,
    picks: int,
    order: Array,
    ends: Array,
    low: Array,
    high: Array,
    first: Array,
    second: Array,
    best_first: Array,
    best_second: Array,
    most_sweeps: int,
) -> None:
    """Put into `best_first` and `best_second` what a perfect player picks.

    They come with the plans that guarantee the bounds, as do `first` and `second`, which the reference opponent plays.
    """
    lose, win = chances(len(order), LOST), chances(len(order), WON)
    seat = Seat(ints(picks, 0), ints(picks, 0), floats(picks, 0.0), ints(picks, 0), floats(picks, 0.0))
    begin = 0
    for group in range(len(ends)):
        alone = ends[group] - begin == 1 and not comes_back(after, order[begin], picks)
        moved, sweeps = True, 0
        while moved and sweeps < most_sweeps:
            moved, sweeps = False, sweeps + 1
            for at in range(begin, ends[group]):
                node = order[at]
                for hero in range(2):
                    mine, theirs = (best_first, second) if hero == 0 else (best_second, first)
                    sure = low[node] if hero == 0 else -high[node]
                    legal, answers = _sit_down(after, picks, node, hero, theirs, seat)
                    if _find_free(after, picks, node, hero, legal, answers, sure, low, high, seat):
                        losing, winning = _choose(after, picks, node, hero, legal, answers, lose, win, mine, seat)
                    else:
                        losing, winning = 0.0, 0.0
                        for option in range(legal):
                            share = mine[node * picks + seat.mine[option]]
                            if share > 0.0:
                                winning += share * _expected(after, picks, node, hero, option, answers, win, seat)
                                if sure < SURE:
                                    losing += share * _expected(after, picks, node, hero, option, answers, lose, seat)
                    winning *= PATIENCE
                    place = 2 * node + hero
                    moved = moved or moves_on(losing, lose[place]) or moves_on(winning, win[place])
                    lose[place], win[place] = losing, winning
            moved = moved and not alone
        begin = ends[group]


def _sit_down(after: Array, picks: int, node: int, hero: int, plan: Array, seat: Seat) -> tuple[int, int]:
    """Lay out what the hero and the reference opponent may do at a node: how many picks and how many replies."""
    # How far it is in the table from one pick of the hero to the next, and from one reply to the next.
    stride, step = (picks, 1) if hero == 0 else (1, picks)
    base = pair = node * picks * picks
    while after[pair] == ILLEGAL:
        pair += 1
    one, two = divmod(pair - base, picks)
    pick, reply = (one, two) if hero == 0 else (two, one)
    legal = answers = 0
    for other in range(picks):  # what one seat may pick does not depend on the other's pick
        if after[base + other * stride + reply * step] != ILLEGAL:
            seat.mine[legal] = other
            legal += 1
        if after[base + pick * stride + other * step] != ILLEGAL:
            seat.replies[answers] = other * step
            seat.shares[answers] = (1.0 - SLIPS) * plan[node * picks + other]
            answers += 1
    for answer in range(answers):
        seat.shares[answer] += SLIPS / answers
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
    seat: Seat,
) -> bool:
    """Mark the picks that the hero may choose among. False where the plan has to stay as it is."""
    if sure >= -SURE and sure != 0.0:
        return False
    found = False
    for option in range(legal):
        place = node * picks * picks + seat.mine[option] * (picks if hero == 0 else 1)
        seat.free[option] = 1
        for answer in range(answers if sure == 0.0 else 0):
            if _below_nothing(after[place + seat.replies[answer]], hero, low, high):
                seat.free[option] = 0
        found = found or seat.free[option] == 1
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
    mine: Array,
    seat: Seat,
) -> tuple[float, float]:
    """Plan the free pick that loses least, and among equals wins most; what it leaves of the two chances."""
    least, most = 2.0, 0.0
    for option in range(legal):
        if seat.free[option] == 1:
            seat.losing[option] = _expected(after, picks, node, hero, option, answers, lose, seat)
            least = min(least, seat.losing[option])
    choice = 0
    for option in range(legal):
        mine[node * picks + seat.mine[option]] = 0.0
        if seat.free[option] == 1 and seat.losing[option] <= least * SAME:
            winning = _expected(after, picks, node, hero, option, answers, win, seat)
            if winning * SAME >= most:  # the last of equals: of numbers that come to the same a higher one asks more
                choice = option
            most = max(most, winning)
    mine[node * picks + seat.mine[choice]] = 1.0
    return least, most


def _expected(
    after: Array, picks: int, node: int, hero: int, option: int, answers: int, chance: Array, seat: Seat
) -> float:
    """What a legal pick leaves of a chance of the hero's."""
    place = node * picks * picks + seat.mine[option] * (picks if hero == 0 else 1)
    total = 0.0
    for answer in range(answers):
        total += seat.shares[answer] * chance[after[place + seat.replies[answer]] ^ hero]
    return total


def solve_simultaneous(game: Game, rules: Any, machine: Machine) -> tuple[Simultaneous, Bracketed]:
    """The duel bracketed, with the picks that a perfect player makes among equals."""
    positions = explore_simultaneous(game, rules, machine)
    picks = len(game.moves)
    order, ends = machine.twin(components)(positions.after, len(positions.numbers))
    solved = solve_recursive(positions.after, picks, order, ends, machine)
    best_first, best_second = solved.first.copy(), solved.second.copy()
    machine.twin(choose_picks)(positions.after, picks, order, ends, *solved, best_first, best_second, MOST_SWEEPS)
    return positions, solved._replace(first=best_first, second=best_second)
