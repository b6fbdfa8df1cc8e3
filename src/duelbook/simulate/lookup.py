"""Which plan applies at a position, with as small a table as the plans allow.

A table with a place for each of millions of positions does not stay in the processor's caches. But often a plan does
not depend on everything: random picks depend on the own last number alone, a deal on nothing but the cards left. So
every digit of the numbering that makes no difference anywhere is dropped: its stride is 0, and the table shrinks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit

from duelbook.core import LUCK, DuelError
from duelbook.positions.compiled import compiled
from duelbook.positions.compiler import keep_by
from duelbook.positions.layout import Layout
from duelbook.positions.rule_code import functions_hash
from duelbook.simulate.cells import Cells, cells_of, stretched, whole_cells
from duelbook.simulate.choices import Finer, finer
from duelbook.simulate.parts import small, strides_of, without_idle_axes
from duelbook.simulate.plans import PolicyTable
from duelbook.simulate.positions import Positions

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


class Lookup(NamedTuple):
    """Rows by the digits of a position, each times its stride; then the cells of the plan of that row."""

    rows: Array
    strides: tuple[int, ...]
    moves: Array
    """The cells of all plans, one after the other, as in `cells`."""
    finer: Finer

    @property
    def cells(self) -> tuple[Array, Finer]:
        return self.moves, self.finer


def _by_digits(layout: Layout, values: Array) -> tuple[list[int], Array]:
    """Values by number as an array with an axis for each int of a state, and which int each axis is."""
    full = strides_of(layout)
    order = sorted(range(len(full)), key=lambda digit: -full[digit])
    return order, values.reshape([layout.spans[digit].places for digit in order])


def lookup(layout: Layout, rows: Array, asked: Array, cells: Cells) -> Lookup:
    """The smallest table that answers as `rows` does wherever it is asked."""
    order, table = _by_digits(layout, np.where(asked, rows, -1))
    table = without_idle_axes(table, len(order))
    strides, apart = [0] * len(order), 1
    for digit, places in reversed(list(zip(order, table.shape, strict=True))):
        if places > 1:
            strides[digit] = apart
        apart *= places
    return Lookup(small(table.clip(0).ravel()), tuple(strides), cells.moves.ravel(), finer(cells))


def policy_lookup(table: PolicyTable, asked: Array) -> Lookup:
    return lookup(table.positions.layout, table.rows, asked, cells_of(table.plans))


class LuckLookup(NamedTuple):
    """Luck as a policy: at each position where it acts, how its faces are weighted."""

    lookup: Lookup
    still: tuple[bool, ...]
    """Which ints are the same wherever luck acts, such as the card on the table, which is not there yet."""


def luck_lookup(places: Positions) -> LuckLookup:
    rows, firsts = _luck_walker(places)(places.rules)
    game, faces = places.game, places.game.faces
    weights = []
    for number in firsts.tolist():
        state = places.unpack(number)
        weights.append([game.odds(places.rules, state, face) for face in faces])
    if not weights:
        raise DuelError(f"Luck never acts in {game.name}.")
    found = lookup(places.layout, rows, rows >= 0, whole_cells(stretched(weights)))
    order, acts = _by_digits(places.layout, rows >= 0)
    axes = range(len(order))
    values = {digit: acts.any(axis=tuple(set(axes) - {axis})).sum() for axis, digit in enumerate(order)}
    return LuckLookup(found, tuple(bool(values[digit] == 1) for digit in axes))


def _luck_walker(places: Positions) -> Any:
    rules_of, unpack = compiled(places.game), njit(places.unpack)
    turn, odds = rules_of.turn, rules_of.odds
    count, faces = places.count, np.array(places.game.faces)

    @njit
    def walk(rules):  # type: ignore[no-untyped-def]  # the compiler finds the types
        """For every position the number of luck's weights there, -1 for none, and where each was met first."""
        rows, firsts = np.full(count, -1, np.int32), np.empty(count, np.int64)
        size = 1
        while size < 2 * count:
            size *= 2
        slots = np.full(size, -1, np.int32)
        kinds = 0
        for number in range(count):
            state = unpack(number)
            if turn(rules, state) != LUCK:
                continue
            slot = 0
            for face in faces:
                slot = (slot * 31 + odds(rules, state, face) * 40503) & (size - 1)
            while rows[number] < 0:
                kind = slots[slot]
                if kind < 0:
                    kind = kinds
                    slots[slot], firsts[kind] = kind, number
                    kinds += 1
                other = unpack(firsts[kind])
                same = True
                for face in faces:
                    same = same and odds(rules, state, face) == odds(rules, other, face)
                if same:
                    rows[number] = kind
                slot = (slot + 1) & (size - 1)
        return rows, firsts[:kinds].copy()

    return keep_by(functions_hash(walk), walk)
