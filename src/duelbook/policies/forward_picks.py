"""Chances carried forward where both seats pick at once: an absorbing Markov chain, step by step.

Nearly every position can be met in every turn, so each turn goes through all of them in the order they stand in.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import NamedTuple

from duelbook.policies.meeting import DUST, NO_RESULT, Meeting, Sums, from_sums
from duelbook.policies.temptation import plans
from duelbook.positions.machine import Machine
from duelbook.positions.numbers import Numbers, Room, floats
from duelbook.positions.target import winner_at
from duelbook.solving.recursive import ILLEGAL

Shares = Room[float]
Both = tuple[Numbers[float], Numbers[float]]
"""A number for each pick of every node: in its first seat, and in its second."""


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
    perfect: Both
    """How likely the perfect player makes each pick, in each seat of a node."""
    tempting: Both
    """And how likely it is among the mistakes, as `temptation` says."""
    anything: Both
    """How likely a random player makes each pick."""
    losses: Both
    """What each pick loses, in win probability."""
    seen: Numbers[float]
    """For each node how it looks to Player 1."""
    has: Numbers[float]
    """And what Player 1 has there, with what Player 2 has behind it."""
    symmetric: Numbers[bool]
    """Which nodes are their own mirror."""
    even: bool
    """Whether the seats can be swapped without any difference."""
    start: int
    """The first position, as a target."""
    bell: int
    """How many turns a match has at most."""

    def starts(self, machine: Machine) -> Numbers[int]:
        """Where the picks of each node start, and behind the last node where all end."""
        found: Numbers[int] = machine.array(array("q", range(0, len(self.losses[0]) + 1, self.picks)))
        return found

    def picks_of(self, machine: Machine) -> Numbers[int]:
        """Which pick stands at each place."""
        found: Numbers[int] = machine.array(array("b", bytes(range(self.picks)) * len(self.symmetric)))
        return found

    def plan(self, machine: Machine, mistakes: float | None) -> Both:
        """How likely a rung makes each pick, in each seat: see `levels`."""
        if mistakes is None:
            return self.anything
        starts = self.starts(machine)
        first, second = (
            plans(machine, starts, *each, mistakes) for each in zip(self.perfect, self.tempting, strict=True)
        )
        return first, second

    def meeting(self, machine: Machine) -> Callable[[Both, Both], Meeting]:
        """What happens in a match between two players with these plans, the first of them in the first seat."""
        return lambda one, two: self.alternating(machine)((one, two), (one, two))

    def alternating(self, machine: Machine) -> Callable[[tuple[Both, Both], tuple[Both, Both]], Meeting]:
        """The same for players who may have other plans in every second round."""
        carried_forward = machine.twin(_carry_forward)
        return lambda plans, others: from_sums(carried_forward(self, plans, others))


def _carry_forward(table: AtOnce, plans: tuple[Both, Both], others: tuple[Both, Both]) -> Sums:
    """How likely every end is, and for each seat its expected decisions, losses and slips."""
    nodes, picks = len(table.symmetric), table.picks
    all_ends, all_seats = floats(4, 0.0), floats(6, 0.0)
    pairs, twos = floats(picks * picks, 0.0), floats(picks, 0.0)
    chance, coming = floats(2 * nodes, 0.0), floats(2 * nodes, 0.0)
    chance[table.start] = 1.0
    for turn in range(table.bell):
        ends, seats = floats(4, 0.0), floats(6, 0.0)  # one turn by itself: small numbers keep their digits
        begin, live = 0, False
        for group in range(len(table.group_ends)):
            for turned in range(2):
                if _add_up(
                    table, plans if turn % 2 == 0 else others, begin, group, turned, chance, pairs, twos, ends, seats
                ):
                    _pass_on(table, group, turned, pairs, coming, ends)
                    live = True
            begin = table.group_ends[group]
        for place in range(4):
            all_ends[place] += ends[place]
        for place in range(6):
            all_seats[place] += seats[place]
        chance, coming = coming, chance
        for place in range(2 * nodes):
            coming[place] = 0.0
        if not live:
            break
    left = 0.0
    for place in range(2 * nodes):
        left += chance[place]
    all_ends[NO_RESULT] += left
    return all_ends, all_seats


def _add_up(
    table: AtOnce,
    plans: tuple[Both, Both],
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
    mine, theirs = plans[turned][0], plans[1 - turned][1]
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
        seats[0] += here
        seats[1] += here
        row = node * picks
        for pick in range(picks):
            twos[pick] = here * theirs[row + pick]
            _count_loss(seats, turned, here * mine[row + pick], table.losses[0][row + pick])
            _count_loss(seats, 1 - turned, twos[pick], table.losses[1][row + pick])
        for one in range(picks):
            share = mine[row + one]
            if share > 0.0:
                for two in range(picks):
                    pairs[one * picks + two] += share * twos[two]
    return live


def _count_loss(seats: Shares, seat: int, share: float, loss: float) -> None:
    if loss > 0.0:
        seats[2 + seat] += share * loss
        seats[4 + seat] += share


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
