"""Thousands of games side by side: what is kept of each, what is told of it, and what all loops need of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit, uint64

from duelbook.envs.encoding import Encoding
from duelbook.positions.compiled import Compiled, compiled

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

FINE, STRAY, TIRED = 0, -1, -2
"""How it went: as it should; somebody has to decide at a position for which there is no plan; no game ever began."""
BY_ITSELF, AT_ONCE, BY_HAND = range(3)
"""When a game that is over begins again: with the next step, with the same one, or when it is told to."""


class Lanes(NamedTuple):
    """All that is kept of every game."""

    numbers: Array
    seats: Array
    turns: Array
    dealt: Array
    """How often luck has acted, ..."""
    chosen: Array
    """... and how often the opponent."""
    seeds: Array
    games: Array
    """How many games this lane has begun under its seed."""
    keys: Array
    done: Array

    @classmethod
    def of(cls, count: int, ints: int) -> Lanes:
        def whole() -> Array:
            return np.zeros(count, np.int64)

        def bits() -> Array:
            return np.zeros(count, np.uint64)

        numbers = np.zeros((count, ints), np.int32)
        return cls(numbers, whole(), whole(), whole(), whole(), bits(), whole(), bits(), np.ones(count, np.bool_))


class Told(NamedTuple):
    """What a step tells of every game."""

    seen: Array
    masks: Array
    rewards: Array
    over: Array
    rung: Array
    last_seen: Array
    """What was to be seen last of a game that has begun again within the step."""
    last_masks: Array

    @classmethod
    def of(cls, count: int, seats: int, ints: int, actions: int) -> Told:
        def seen() -> Array:
            return np.zeros((count, seats, ints + 1), np.int32)

        def masks() -> Array:
            return np.zeros((count, seats, actions), np.int8)

        flags = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        return cls(seen(), masks(), np.zeros(count), *flags, seen(), masks())


Loop = Any
"""step(rules, lanes, told, tables, which, actions, seat, bell, replaces, again, low, high): how it went, and where.

A step of every lane from low to high that is named in `which`; a game that is over begins again by that.
"""


def whole_rules(encoding: Encoding) -> Compiled:
    """The compiled rules, with something to call where a duel has no such turn and nobody ever calls it."""
    found = compiled(encoding.game)
    return found._replace(
        apply=found.apply or njit(lambda rules, state, move: state),
        resolve=found.resolve or njit(lambda rules, state, one, two: state),
        foul=found.foul or njit(lambda rules, state, me, move: False),
        odds=found.odds or njit(lambda rules, state, face: 0),
        deal=found.deal or njit(lambda rules, state, face: state),
    )


def luck_of(encoding: Encoding) -> Any:
    """How luck acts: `face_at`, compiled."""
    rules_of, faces = whole_rules(encoding), np.array(encoding.game.faces or (0,))
    odds, deal = rules_of.odds, rules_of.deal

    @njit
    def dealt(rules, state, bits):  # type: ignore[no-untyped-def]  # the compiler finds the types
        total = 0
        for face in faces:
            total += odds(rules, state, face)
        at = np.int64(((bits >> uint64(32)) * uint64(total)) >> uint64(32))
        for face in faces:
            at -= odds(rules, state, face)
            if at < 0:
                return deal(rules, state, face)
        return state

    return dealt
