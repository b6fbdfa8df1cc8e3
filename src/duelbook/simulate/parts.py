"""Parts of a position: some of a state's ints, numbered by themselves, so that a table by them stays small."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from duelbook.core import SomeState
from duelbook.positions.compiler import kept
from duelbook.positions.layout import Layout, encoded, flatten
from duelbook.simulate.bits import PER_WORD
from duelbook.simulate.outcomes import NO_RESULT

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

ROUNDS = PER_WORD // 2
"""A turn that is two choices, a card and a move or a pick of each seat: so many turns share a word."""
WINNERS = 3
"""Player 1, Player 2 and nobody."""


class Part(NamedTuple):
    """A numbering by some of a state's ints."""

    layout: Layout
    strides: tuple[int, ...]
    """What one step of each int adds to the number; 0 for what is no part of it."""
    size: int

    def number(self, state: SomeState) -> int:
        spans = self.layout.spans
        at = [(value - span.low) // span.step for value, span in zip(flatten(state), spans, strict=True)]
        return sum(map(mul, at, self.strides))

    def digits(self) -> Array:
        """The digits behind each number, 0 for what is no part of it."""
        numbers = np.arange(self.size)
        own = zip(self.strides, self.layout.spans, strict=True)
        return np.stack([numbers // stride % span.places if stride else 0 * numbers for stride, span in own], axis=-1)

    def by_digits(self, values: Array) -> Array:
        """Values by number as an array with an axis for each int of a state, the last one first."""
        taken = zip(self.strides, self.layout.spans, strict=True)
        places = [span.places if stride else 1 for stride, span in taken]
        return values.reshape([*reversed(places), *values.shape[1:]])


def part_of(layout: Layout, taken: Sequence[bool]) -> Part:
    strides, size = [], 1
    for own, span in zip(taken, layout.spans, strict=True):
        strides.append(size if own and span.places > 1 else 0)
        size *= span.places if own else 1
    return Part(layout, tuple(strides), size)


def strides_of(layout: Layout) -> list[int]:
    """What one step of each int of a state adds to the number of a position."""
    lowest = {digit: span.low for digit, span in enumerate(layout.spans)}
    return [int(encoded(layout, lowest | {digit: span.low + span.step})) for digit, span in enumerate(layout.spans)]


def without_idle_axes(table: Array, axes: int) -> Array:
    """The table with length 1 along every one of its first axes that makes no difference; below 0 is never asked."""
    for axis in range(axes):
        top = table.max(axis=axis, keepdims=True)
        if ((table == top) | (table < 0)).all():
            table = top
    return table


def shrunk(part: Part, table: Array) -> tuple[Array, Array]:
    """A table by a part's numbers without the ints that make no difference, and the row of each number in that."""
    axes = len(part.strides)
    lean = without_idle_axes(part.by_digits(table), axes)
    strides, apart = [], 1
    for places in reversed(lean.shape[:axes]):
        strides.append(apart if places > 1 else 0)
        apart *= places
    return lean.reshape(apart, -1), part.digits() @ np.array(strides)


def with_ends(after: Array, size: int, rounds: int = ROUNDS) -> Array:
    """Where a part leads, with the ends behind it: for each number of turns ago one for each winner.

    In `after` a game that is over leads to `size` + the winner, its first end. An end leads on to the next of its kind,
    so that whoever goes through a whole word without looking finds at its last turn who won and how many turns ago.
    """
    onward = [size + min(ago + 1, rounds - 1) * WINNERS + kind for ago in range(rounds) for kind in range(WINNERS)]
    return np.vstack([after.clip(0), np.repeat(np.array(onward)[:, None], after.shape[1], axis=1)])


@kept
def outcome(end: int, turns: int, bell: int) -> tuple[int, int]:
    """What is told by an end that was found after so many turns, -1 for none: the winner, and after how many turns."""
    turns -= end // WINNERS
    return (NO_RESULT, bell) if end < 0 or turns > bell else (end % WINNERS, turns)


def small(table: Array) -> Array:
    """The same numbers, none of them below 0, in as little room as they need."""
    top = table.max(initial=0)
    return table.astype(np.uint8 if top < 1 << 8 else np.uint16 if top < 1 << 16 else np.uint32)


@kept
def agrees(table: Array, at: int, value: int) -> bool:
    """Whether a table can say this at a place: it does already, or says nothing there yet."""
    if table[at] < 0:
        table[at] = value
    return bool(table[at] == value)
