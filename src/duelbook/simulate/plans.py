"""The plans of one seat at all positions, as a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from duelbook.core import DuelError, SomeState
from duelbook.policies.plans import plan_of
from duelbook.simulate.positions import Positions
from duelbook.solving.library import solution_for

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


class PolicyTable:
    """One seat's plans: `plans[rows[number]]` are the probabilities of its moves at the position of that number.

    Where the seat does not decide, they are all 0.
    """

    def __init__(self, positions: Positions, seat: int, rows: Array, plans: Array) -> None:
        self.positions, self.seat, self.rows, self.plans = positions, seat, rows, plans

    def plan(self, state: SomeState) -> tuple[float, ...]:
        """The probabilities of this seat's moves at a position."""
        return tuple(self.plans[self.rows[self.positions.number(state)]].tolist())

    def array(self) -> Array:
        """The whole table: a row for each position, a column for each move. It is large where positions are many."""
        return self.plans[self.rows]


def equal_rows(array: Array) -> tuple[Array, Array]:
    """A row of each kind, and for every row which kind it is."""
    # Equal rows get equal keys; that no two different rows share one is then made sure of.
    factors = np.random.default_rng(1).integers(1, 2**63, array.shape[1], dtype=np.uint64) | np.uint64(1)
    bits, half = array.view(np.uint64), np.uint64(32)
    keys = (((bits >> half) ^ (bits << half)) * factors).sum(axis=1, dtype=np.uint64)
    _, picked, rows = np.unique(keys, return_index=True, return_inverse=True)
    if not all(np.array_equal(array[picked, move][rows], array[:, move]) for move in range(array.shape[1])):
        raise DuelError("Two different rows of the array fell together. This must not happen; please report it.")
    return picked, rows.astype(np.int32)


def table_by_asking(places: Positions, name: str, seat: int, numbers: Iterable[int]) -> PolicyTable:
    """A seat's plans at these positions, wherever they can come up: asked for one by one."""
    game, rules = places.game, places.rules
    known: dict[tuple[float, ...], int] = {(0.0,) * len(game.moves): 0}
    rows = np.zeros(places.count, np.int32)
    for number in numbers:
        state = places.unpack(number)
        if solution_for(game, rules).holds(state):
            rows[number] = known.setdefault(plan_of(name, game, rules, state, seat), len(known))
    return PolicyTable(places, seat, rows, np.array(list(known)))
