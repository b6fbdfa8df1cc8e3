"""Chances carried forward where both seats pick at once: an absorbing Markov chain, step by step.

Nearly every position can be met in every turn, so each turn goes through all of them in the order they stand in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from duelbook.policies.meeting import DUST, NO_RESULT, Meeting, Slips, Sums, from_sums
from duelbook.positions.machine import Machine
from duelbook.positions.numbers import Numbers, Room, floats
from duelbook.positions.target import winner_at
from duelbook.solving.recursive import ILLEGAL

Shares = Room[float]


class AtOnce(NamedTuple):
    """Positions at which both seats pick, from `recursive`, with the solution's plans: a node's picks side by side.

    Where positions differ only in what may be picked, as by the last numbers, a pair of picks leads from all of them
    to the same place. Such neighbours are a group, and their picks are added up before anything is carried on.
    """

    picks: int
    """How many there are for each seat, legal or not."""
    group_ends: Numbers[int]
    """Where each group of nodes ends."""
    after: Numbers[int]
    """after[(group * picks + first) * picks + second], as in `recursive`."""
    first: Numbers[float]
    second: Numbers[float]
    any_first: Numbers[float]
    """How likely a random player makes each pick."""
    any_second: Numbers[float]
    losses: Numbers[float]
    """losses[2 * node + seat]: what a random pick loses there on average, in win probability."""
    symmetric: Numbers[bool]
    """Which nodes are their own mirror."""
    even: bool
    """Whether the seats can be swapped without any difference."""
    start: int
    """The first position, as a target."""
    bell: int
    """How many turns a match has at most."""

    def meeting(self, machine: Machine) -> Callable[[Slips], Meeting]:
        """What happens in a match between players who slip this often, the first of them in the first seat."""
        carried_forward = machine.twin(_carry_forward)
        return lambda slips: from_sums(carried_forward(self, slips))


def _carry_forward(table: AtOnce, slips: Slips) -> Sums:
    """How likely every end is, and for each seat its expected decisions and losses."""
    nodes, picks = len(table.symmetric), table.picks
    all_ends, all_seats = floats(4, 0.0), floats(4, 0.0)
    pairs, twos = floats(picks * picks, 0.0), floats(picks, 0.0)
    chance, coming = floats(2 * nodes, 0.0), floats(2 * nodes, 0.0)
    chance[table.start] = 1.0
    for _turn in range(table.bell):
        ends, seats = floats(4, 0.0), floats(4, 0.0)  # one turn by itself: small numbers keep their digits
        begin = 0
        for group in range(len(table.group_ends)):
            for turned in range(2):
                if _add_up(table, slips, begin, group, turned, chance, pairs, twos, ends, seats):
                    _pass_on(table, group, turned, pairs, coming, ends)
            begin = table.group_ends[group]
        for place in range(4):
            all_ends[place] += ends[place]
            all_seats[place] += seats[place]
        chance, coming = coming, chance
        for place in range(2 * nodes):
            coming[place] = 0.0
    left = 0.0
    for place in range(2 * nodes):
        left += chance[place]
    all_ends[NO_RESULT] += left
    return all_ends, all_seats


def _add_up(
    table: AtOnce,
    slips: Slips,
    begin: int,
    group: int,
    turned: int,
    chance: Shares,
    pairs: Shares,
    twos: Shares,
    ends: Shares,
    seats: Shares,
) -> bool:
    """How likely each pair of picks is, over a whole group. False if the group is not met at all."""
    mine, theirs = slips[turned], slips[1 - turned]
    picks = table.picks
    live = False
    for node in range(begin, table.group_ends[group]):
        here = chance[2 * node + turned]
        if here < DUST:
            ends[NO_RESULT] += here
            continue
        if not live:
            for pair in range(picks * picks):
                pairs[pair] = 0.0
            live = True
        for seat in range(2):
            seats[seat] += here
            seats[2 + seat] += here * slips[seat] * table.losses[2 * node + (seat ^ turned)]
        row = node * picks
        for two in range(picks):
            twos[two] = here * ((1.0 - theirs) * table.second[row + two] + theirs * table.any_second[row + two])
        for one in range(picks):
            share = (1.0 - mine) * table.first[row + one] + mine * table.any_first[row + one]
            if share > 0.0:
                for two in range(picks):
                    pairs[one * picks + two] += share * twos[two]
    return live


def _pass_on(table: AtOnce, group: int, turned: int, pairs: Shares, coming: Shares, ends: Shares) -> None:
    """Carry the pairs of picks of a group to where they lead."""
    begin = group * len(pairs)
    for pair in range(len(pairs)):
        target = table.after[begin + pair]
        if target >= 0:
            # A position that is its own mirror is played as it stands.
            coming[target ^ turned if not table.symmetric[target // 2] else target] += pairs[pair]
        elif target != ILLEGAL:
            ends[winner_at(target, turned)] += pairs[pair]
