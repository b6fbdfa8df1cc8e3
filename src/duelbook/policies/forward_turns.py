"""Chances carried forward where one seat or luck acts at a time: an absorbing Markov chain, step by step.

What is likely at the start of a turn goes through luck until a seat decides everywhere, and through the decisions to
the start of the next turn. Only positions that are met are touched: each turn keeps a list of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duelbook.core import LUCK
from duelbook.policies.meeting import DUST, NO_RESULT, Meeting, from_sums
from duelbook.positions.compiled_target import winner_at
from duelbook.positions.compiler import kept, kept_beside


class Alone(NamedTuple):
    """Positions at which one seat or luck acts. Edges are listed as in `chance`; targets are as there."""

    kinds: Any
    starts: Any
    targets: Any
    weights: Any
    perfect: Any
    """For each edge of a decision how likely the perfect player takes it."""
    losses: Any
    """For each node what a random move loses there on average, in win probability."""
    start: int
    """The first position, as a target."""
    bell: int
    """How many turns a match has at most."""

    @property
    def even(self) -> bool:
        return False  # somebody begins

    def meet(self, slips: tuple[float, float]) -> Meeting:
        return from_sums(*_carry_forward(self, slips))


@kept_beside
def _carry_forward(table: Any, slips: tuple[float, float]) -> tuple[Any, Any]:
    """How likely every end is, and for each seat its expected decisions and losses."""
    places = 2 * len(table.kinds)
    all_ends, all_seats = np.zeros(4), np.zeros((2, 2))
    chance, coming = np.zeros(places), np.zeros(places)
    waiting = np.empty(places, np.int32)  # positions at which a seat decides, in this turn
    drawing = np.empty(places, np.int32)  # and at which luck acts before it
    later = np.empty(places, np.int32)
    later[0], comers = table.start, 1
    coming[table.start] = 1.0
    for _turn in range(table.bell):
        ends, seats = np.zeros(4), np.zeros((2, 2))  # one turn by itself: small numbers keep their digits
        waits = draws = 0
        for at in range(comers):
            place = later[at]
            chance[place], coming[place] = coming[place], 0.0
            waits, draws = _listed(table, place, waiting, waits, drawing, draws)
        waits = _draw(table, chance, waiting, waits, drawing, draws, ends)
        comers = _decide(table, slips, chance, waiting, waits, coming, later, ends, seats)
        all_ends += ends
        all_seats += seats
        if comers == 0:
            break
    for at in range(comers):
        all_ends[NO_RESULT] += coming[later[at]]
    return all_ends, all_seats


@kept
def _listed(table: Any, place: int, waiting: Any, waits: int, drawing: Any, draws: int) -> tuple[int, int]:
    """Put a place on the list that it belongs to. How long the two lists are then."""
    if table.kinds[place // 2] == LUCK:
        drawing[draws] = place
        return waits, draws + 1
    waiting[waits] = place
    return waits + 1, draws


@kept
def _draw(table: Any, chance: Any, waiting: Any, waits: int, drawing: Any, draws: int, ends: Any) -> int:
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


@kept
def _decide(
    table: Any,
    slips: tuple[float, float],
    chance: Any,
    waiting: Any,
    waits: int,
    coming: Any,
    later: Any,
    ends: Any,
    seats: Any,
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
        seats[0, seat] += here
        seats[1, seat] += here * slips[seat] * table.losses[node]
        edges = range(table.starts[node], table.starts[node + 1])
        anything = slips[seat] / len(edges)
        for edge in edges:
            share = here * ((1.0 - slips[seat]) * table.perfect[edge] + anything)
            new = _send(share, table.targets[edge], turned, coming, ends)
            if new >= 0:
                later[comers] = new
                comers += 1
    return comers


@kept
def _send(share: float, target: int, turned: int, chance: Any, ends: Any) -> int:
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
