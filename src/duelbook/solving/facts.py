"""What is known of all positions where both pick at once, as a list of facts, each of which stands there once."""

from __future__ import annotations

from math import copysign
from typing import TYPE_CHECKING

from duelbook.positions.machine import Machine
from duelbook.positions.numbers import ints, room_for_ints
from duelbook.solving.known import Fact
from duelbook.solving.stirring import slot_for, stir

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array
    from duelbook.solving.promises import Bracketed


def facts_in(solved: Bracketed, moves: int, machine: Machine) -> tuple[list[Fact], Array]:
    """The facts, and for every node the place of its own, counted from 1."""
    places, kept = machine.twin(tell_apart)(*solved, moves)
    facts = []
    for node in kept:
        plans = (plan[node * moves : (node + 1) * moves] for plan in (solved.first, solved.second))
        facts.append(
            Fact(float(solved.low[node]), float(solved.high[node]), -1, *(tuple(map(float, p)) for p in plans))
        )
    return _in_order(facts, places) if machine.compiled else (facts, places)


def tell_apart(low: Array, high: Array, first: Array, second: Array, moves: int) -> tuple[Array, Array]:
    """For every node the place of its fact, counted from 1, and for every fact the first node that has it."""
    slots = ints(2 * len(low), -1)
    places, kept, count = room_for_ints(len(low)), room_for_ints(len(low)), 0
    for node in range(len(low)):
        stirred = stir(stir(0, low[node]), high[node])
        for at in range(node * moves, (node + 1) * moves):
            stirred = stir(stir(stirred, first[at]), second[at])
        slot = slot_for(stirred, len(slots))
        while slots[slot] >= 0 and not _same(low, high, first, second, moves, node, kept[slots[slot]]):
            slot = (slot + 1) % len(slots)
        if slots[slot] < 0:
            slots[slot], kept[count] = count, node
            count += 1
        places[node] = slots[slot] + 1
    return places, kept[:count]


def _same(low: Array, high: Array, first: Array, second: Array, moves: int, one: int, other: int) -> bool:
    same = _to_the_bit(low[one], low[other]) and _to_the_bit(high[one], high[other])
    at = 0
    while same and at < moves:
        here, there = one * moves + at, other * moves + at
        same = bool(first[here] == first[there] and second[here] == second[there])
        at += 1
    return same


def _to_the_bit(one: float, other: float) -> bool:
    return one == other and copysign(1.0, one) == copysign(1.0, other)


def _in_order(facts: list[Fact], places: Array) -> tuple[list[Fact], Array]:
    """The facts as files have them: by a number that each one makes, so that their order says nothing of the walk."""
    import numpy as np

    rows = np.array([[fact.low, fact.high, *fact.first, *fact.second] for fact in facts])
    weights = np.random.default_rng(1).integers(1, 2**63, rows.shape[1], dtype=np.uint64) | np.uint64(1)
    bits = rows.view(np.uint64)
    half = np.uint64(32)  # plain numbers have nothing but zeros in their lower half
    order = np.argsort((((bits >> half) ^ (bits << half)) * weights).sum(axis=1, dtype=np.uint64))
    return [facts[place] for place in order], (np.argsort(order) + 1)[places - 1]
