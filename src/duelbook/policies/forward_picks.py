"""Chances carried forward where both seats pick at once: an absorbing Markov chain, step by step.

Nearly every position can be met in every turn, so each turn goes through all of them in the order they stand in.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duelbook.policies.meeting import DUST, NO_RESULT, Meeting, from_sums
from duelbook.positions.compiled_target import winner_at
from duelbook.positions.compiler import kept, kept_beside
from duelbook.solving.recursive import ILLEGAL


class AtOnce(NamedTuple):
    """Positions at which both seats pick, from `recursive`, with the solution's plans.

    Where positions differ only in what may be picked, as by the last numbers, a pair of picks leads from all of them
    to the same place. Such neighbours are a group, and their picks are added up before anything is carried on.
    """

    group_ends: Any
    """Where each group of nodes ends."""
    after: Any
    """after[group, first, second], as in `recursive`."""
    first: Any
    second: Any
    any_first: Any
    """How likely a random player makes each pick."""
    any_second: Any
    losses: Any
    """losses[node, seat]: what a random pick loses there on average, in win probability."""
    symmetric: Any
    """Which nodes are their own mirror."""
    start: int
    """The first position, as a target."""
    bell: int
    """How many turns a match has at most."""

    @property
    def even(self) -> bool:
        alike = np.array_equal(self.first[self.symmetric], self.second[self.symmetric])
        return bool(self.symmetric[self.start // 2]) and alike

    def meet(self, slips: tuple[float, float]) -> Meeting:
        return from_sums(*_carry_forward(self, slips))


@kept_beside
def _carry_forward(table: Any, slips: tuple[float, float]) -> tuple[Any, Any]:
    """How likely every end is, and for each seat its expected decisions and losses."""
    nodes, picks = table.first.shape
    all_ends, all_seats = np.zeros(4), np.zeros((2, 2))
    pairs, twos = np.empty((picks, picks)), np.empty(picks)
    chance, coming = np.zeros(2 * nodes), np.zeros(2 * nodes)
    chance[table.start] = 1.0
    for _turn in range(table.bell):
        ends, seats = np.zeros(4), np.zeros((2, 2))  # one turn by itself: small numbers keep their digits
        begin = 0
        for group in range(len(table.group_ends)):
            for turned in range(2):
                if _add_up(table, slips, begin, group, turned, chance, pairs, twos, ends, seats):
                    _pass_on(table, group, turned, pairs, coming, ends)
            begin = table.group_ends[group]
        all_ends += ends
        all_seats += seats
        chance, coming = coming, chance
        coming[:] = 0.0
    all_ends[NO_RESULT] += chance.sum()
    return all_ends, all_seats


@kept
def _add_up(
    table: Any,
    slips: tuple[float, float],
    begin: int,
    group: int,
    turned: int,
    chance: Any,
    pairs: Any,
    twos: Any,
    ends: Any,
    seats: Any,
) -> bool:
    """How likely each pair of picks is, over a whole group. False if the group is not met at all."""
    mine, theirs = slips[turned], slips[1 - turned]
    picks = len(twos)
    live = False
    for node in range(begin, table.group_ends[group]):
        here = chance[2 * node + turned]
        if here < DUST:
            ends[NO_RESULT] += here
            continue
        if not live:
            pairs[:] = 0.0
            live = True
        for seat in range(2):
            seats[0, seat] += here
            seats[1, seat] += here * slips[seat] * table.losses[node, seat ^ turned]
        for two in range(picks):
            twos[two] = here * ((1.0 - theirs) * table.second[node, two] + theirs * table.any_second[node, two])
        for one in range(picks):
            share = (1.0 - mine) * table.first[node, one] + mine * table.any_first[node, one]
            if share > 0.0:
                for two in range(picks):
                    pairs[one, two] += share * twos[two]
    return live


@kept
def _pass_on(table: Any, group: int, turned: int, pairs: Any, coming: Any, ends: Any) -> None:
    """Carry the pairs of picks of a group to where they lead."""
    picks = len(pairs)
    for one in range(picks):
        for two in range(picks):
            target = table.after[group, one, two]
            if target >= 0:
                # A position that is its own mirror is played as it stands.
                coming[target ^ turned if not table.symmetric[target // 2] else target] += pairs[one, two]
            elif target != ILLEGAL:
                ends[winner_at(target, turned)] += pairs[one, two]
