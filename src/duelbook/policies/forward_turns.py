"""Chances carried forward where one seat or luck acts at a time: an absorbing Markov chain, step by step.

What is likely at the start of a turn goes through luck until a seat decides everywhere, and through the decisions to
the start of the next turn. Only positions that are met are touched: each turn keeps a list of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from duelbook.core import LUCK
from duelbook.policies.meeting import DUST, NO_RESULT, Meeting, Plan, Sums, from_sums
from duelbook.policies.temptation import plans
from duelbook.positions.machine import Machine
from duelbook.positions.numbers import Numbers, Room, floats, room_for_ints
from duelbook.positions.target import winner_at

Shares = Room[float]
Places = Room[int]


class Alone(NamedTuple):
    """Positions at which one seat or luck acts. Edges are listed as in `chance`; targets are as there."""

    kinds: Numbers[int]
    starts: Numbers[int]
    targets: Numbers[int]
    weights: Numbers[int]
    moves: Numbers[int]
    """Which move each edge of a decision is."""
    perfect: Numbers[float]
    """For each edge of a decision how likely the perfect player takes it."""
    tempting: Numbers[float]
    """And how likely it is among the mistakes, as `temptation` says."""
    losses: Numbers[float]
    """For each edge of a decision what it loses, in win probability."""
    able: Numbers[bool]
    """Whether it is worth making at all: see `holdings`."""
    seen: Numbers[float]
    """For each node how it looks to Player 1, wherever a decision leads to it."""
    has: Numbers[float]
    """And what Player 1 has there, with what Player 2 has behind it."""
    start: int
    """The first position, as a target."""
    bell: int
    """How many turns a match has at most."""

    @property
    def even(self) -> bool:
        return False  # somebody begins

    def plan(self, machine: Machine, mistakes: float | None) -> Numbers[float]:
        """For each edge of a decision how likely a rung takes it: see `levels`."""
        return plans(machine, self.starts, self.perfect, self.tempting, mistakes)

    def meeting(self, machine: Machine) -> Callable[[Plan, Plan], Meeting]:
        """What happens in a match between two players with these plans, the first of them in the first seat."""
        return lambda one, two: self.alternating(machine)((one, two), (one, two))

    def alternating(self, machine: Machine) -> Callable[[tuple[Plan, Plan], tuple[Plan, Plan]], Meeting]:
        """The same for players who may have other plans at every second turn of their own."""
        carried_forward = machine.twin(_carry_forward)
        return lambda plans, others: from_sums(carried_forward(self, plans, others))


def _carry_forward(table: Alone, plans: tuple[Plan, Plan], others: tuple[Plan, Plan]) -> Sums:
    """How likely every end is, and for each seat its expected decisions, losses and slips."""
    places = 2 * len(table.kinds)
    all_ends, all_seats = floats(4, 0.0), floats(6, 0.0)
    chance, coming = floats(places, 0.0), floats(places, 0.0)
    waiting = room_for_ints(places)  # positions at which a seat decides, in this turn
    drawing = room_for_ints(places)  # and at which luck acts before it
    later = room_for_ints(places)
    later[0], comers = table.start, 1
    coming[table.start] = 1.0
    for turn in range(table.bell):
        ends, seats = floats(4, 0.0), floats(6, 0.0)  # one turn by itself: small numbers keep their digits
        waits = draws = 0
        for at in range(comers):
            place = later[at]
            chance[place], coming[place] = coming[place], 0.0
            waits, draws = _listed(table, place, waiting, waits, drawing, draws)
        waits = _draw(table, chance, waiting, waits, drawing, draws, ends)
        comers = _decide(table, plans if turn % 4 < 2 else others, chance, waiting, waits, coming, later, ends, seats)
        for place in range(4):
            all_ends[place] += ends[place]
        for place in range(6):
            all_seats[place] += seats[place]
        if comers == 0:
            break
    for at in range(comers):
        all_ends[NO_RESULT] += coming[later[at]]
    return all_ends, all_seats


def _listed(table: Alone, place: int, waiting: Places, waits: int, drawing: Places, draws: int) -> tuple[int, int]:
    """Put a place on the list that it belongs to. How long the two lists are then."""
    if table.kinds[place // 2] == LUCK:
        drawing[draws] = place
        return waits, draws + 1
    waiting[waits] = place
    return waits + 1, draws


def _draw(table: Alone, chance: Shares, waiting: Places, waits: int, drawing: Places, draws: int, ends: Shares) -> int:
    """Let luck act until nobody waits for it. How many positions wait for a decision then."""
    while draws > 0:
        draws -= 1
        place = drawing[draws]
        here, chance[place] = chance[place], 0.0
        node, turned = place // 2, place % 2
        edges = range(table.starts[node], table.starts[node + 1])
        total = 0
        for edge in edges:
            total += table.weights[edge]
        for edge in edges:
            new = _send(here * table.weights[edge] / total, table.targets[edge], turned, chance, ends)
            if new >= 0:
                waits, draws = _listed(table, new, waiting, waits, drawing, draws)
    return waits


def _decide(
    table: Alone,
    plans: tuple[Plan, Plan],
    chance: Shares,
    waiting: Places,
    waits: int,
    coming: Shares,
    later: Places,
    ends: Shares,
    seats: Shares,
) -> int:
    """Let a seat decide wherever one waits to. How many positions the next turn starts with."""
    comers = 0
    for at in range(waits):
        place = waiting[at]
        here, chance[place] = chance[place], 0.0
        if here < DUST:
            ends[NO_RESULT] += here
            continue
        node, turned = place // 2, place % 2
        seat = table.kinds[node] ^ turned
        seats[seat] += here
        for edge in range(table.starts[node], table.starts[node + 1]):
            share = here * plans[seat][edge]
            if table.losses[edge] > 0.0:
                seats[2 + seat] += share * table.losses[edge]
                seats[4 + seat] += share
            new = _send(share, table.targets[edge], turned, coming, ends)
            if new >= 0:
                later[comers] = new
                comers += 1
    return comers


def _send(share: float, target: int, turned: int, chance: Shares, ends: Shares) -> int:
    """Carry a share to where it leads. The place, if nothing has come there yet; otherwise -1."""
    if share == 0.0:
        return -1
    if target < 0:
        ends[winner_at(target, turned)] += share
        return -1
    place = target ^ turned
    known = chance[place] != 0.0
    chance[place] += share
    return -1 if known else place
