"""One choice at a time, compiled: what `bits` and `cells` do for whole arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import uint64

from duelbook.positions.compiler import kept
from duelbook.simulate.bits import CELLS, DIGIT, FINE, FINE_BITS
from duelbook.simulate.cells import Cells

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

SHIFT, MASK = np.uint64(DIGIT), np.uint64(CELLS - 1)
STEP, ONE, TWO = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)

FEW = 6
"""Up to so many places are looked through from the first: that takes no longer than a guess."""


class Finer(NamedTuple):
    """What finer bits decide, for each plan: the rests of `cells`, without the moves that have none."""

    guess: Array
    """Where to look first: right at once where all that have a rest have the same, as in random play and most luck."""
    rests: Array
    """rests[plan, nth]: where the rest of the nth of these moves begins, the cells that are settled counted in."""
    order: Array
    """order[plan, nth]: which move it is, or what else stands for it."""

    def at(self, plans: Array) -> Finer:
        return Finer(*(each[plans] for each in self))


def finer(cells: Cells) -> Finer:
    parts = np.diff(cells.rests, axis=1, prepend=np.uint64(0))
    order = np.argsort(parts == 0, axis=1, kind="stable")
    settled = cells.settled.astype(np.uint64)[:, None] << np.uint64(FINE_BITS)
    rests = np.cumsum(np.hstack([settled, np.take_along_axis(parts, order, axis=1)]), axis=1)
    many, total = (parts > 0).sum(axis=1), np.maximum(cells.rests[:, -1].astype(np.float64), 1.0)
    # A guess is rather too low than too high: behind the last there is none.
    return Finer(many / total * (1 - 1e-12), rests, order.astype(np.uint8))


@kept
def stir(bits: np.uint64, part: int) -> np.uint64:
    """`luck.stir`."""
    bits = (bits ^ uint64(part)) + STEP
    bits = (bits ^ (bits >> np.uint64(30))) * ONE
    bits = (bits ^ (bits >> np.uint64(27))) * TWO
    return bits ^ (bits >> np.uint64(31))


@kept
def digit(word: np.uint64, place: int) -> np.uint64:
    """The cell that a word's bits name at one of its places."""
    return (word >> uint64(DIGIT * place)) & MASK


@kept
def decided(key: np.uint64, choice: int, cell: np.uint64, plan: np.uint64, finer: Finer) -> np.uint64:
    """The move at a cell that is not decided by itself."""
    guess, rests, order = finer
    at = (cell << np.uint64(FINE_BITS)) | (stir(key, FINE + choice) >> np.uint64(64 - FINE_BITS))
    nth = 0
    if rests.shape[1] > FEW:
        nth = int(np.float64(at - rests[plan, 0]) * guess[plan])
    while rests[plan, nth + 1] <= at:
        nth += 1
    while rests[plan, nth] > at:
        nth -= 1
    return np.uint64(order[plan, nth])


@kept
def count(game: int, end: int, turns: int, low: int, lengths: Array, winners: Array, turns_of: Array) -> None:
    lengths[end, turns] += 1
    if len(winners) > 0:
        winners[game - low] = end
        turns_of[game - low] = turns
