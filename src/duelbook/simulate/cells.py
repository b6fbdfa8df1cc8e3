"""How six random bits become a move, exactly.

A plan's probabilities are weights that add up to 2**62. Of the 64 cells that six bits tell apart, each move gets as
many as its weight fills. What is left over of all the weights fills the last cells together: there 56 more bits decide.
So a move comes up exactly as often as its weight says, and hardly ever needs more than a look into a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from duelbook.core import DuelError
from duelbook.simulate.bits import CELLS, FINE_BITS, TOTAL

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

    Rows = Array | Sequence[Sequence[float]]

UNDECIDED = 255
"""In a cell: the finer bits decide."""
BLANK = 254
"""In a cell: the plan says nothing, because it stands for positions at which nobody asks it."""
CLOSE = 1e-9
"""How far from 1 the probabilities of a plan may add up to."""
CHUNK = 4096


class Cells(NamedTuple):
    """The plans of a policy, ready to be drawn from."""

    moves: Array
    """moves[plan, cell]: a move, UNDECIDED or BLANK."""
    settled: Array
    """settled[plan]: how many cells decide by themselves."""
    rests: Array
    """rests[plan, move]: what is left over of the weights of all moves up to this one."""


def weights(rows: Rows) -> Array:
    """Whole numbers that add up to TOTAL for each row of probabilities; a row of zeros stays one."""
    plans = np.asarray(rows, np.float64)
    sums = plans.sum(axis=1)
    blank = ~plans.any(axis=1)
    if not np.isfinite(plans).all() or (plans < 0).any() or (abs(sums[~blank] - 1) > CLOSE).any():
        raise DuelError("The probabilities of a plan must be 0 or more and add up to 1.")
    whole: Array = np.floor(np.minimum(plans, 1.0) * TOTAL).astype(np.int64)
    # Rounding leaves a few of 2**62 over, or takes a few too many: the likeliest move has them.
    rest = np.where(blank, 0, TOTAL - whole.sum(axis=1))
    whole[np.arange(len(whole)), plans.argmax(axis=1)] += rest
    return whole


def stretched(weights: Iterable[Sequence[int]]) -> Array:
    """Luck's weights brought to TOTAL, in whole numbers throughout; what does not divide goes to the heaviest."""
    rows = []
    for row in weights:
        whole = [weight * TOTAL // sum(row) for weight in row]
        whole[max(range(len(row)), key=row.__getitem__)] += TOTAL - sum(whole)
        rows.append(whole)
    return np.array(rows, np.int64)


def cells_of(plans: Rows) -> Cells:
    return whole_cells(weights(plans))


def whole_cells(whole: Array) -> Cells:
    """The cells of plans whose weights are whole numbers already."""
    count, moves = whole.shape
    filled = np.cumsum(whole >> FINE_BITS, axis=1)
    settled = filled[:, -1].astype(np.int64)
    rests = np.cumsum(whole & ((1 << FINE_BITS) - 1), axis=1).astype(np.uint64)
    drawn = np.empty((count, CELLS), np.uint8)
    cells = np.arange(CELLS)
    for low in range(0, count, CHUNK):
        some = slice(low, low + CHUNK)
        drawn[some] = (filled[some, None, :] <= cells[None, :, None]).sum(axis=2)
    drawn[drawn == moves] = UNDECIDED
    drawn[~whole.any(axis=1)] = BLANK
    return Cells(drawn, settled, rests)


def settle(cells: Cells, plans: Array, digits: Array, fine: Array) -> Array:
    """The moves at cells that are not decided by themselves."""
    at = ((digits - cells.settled[plans]).astype(np.uint64) << np.uint64(FINE_BITS)) | fine
    moves: Array = (cells.rests[plans] <= at[:, None]).sum(axis=1)
    return moves
