"""What a player of the ladder does at a position, and the plans of one seat at all of them as a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from duelbook.core import Game, SomeRules, SomeState
from duelbook.policies.levels import RUNGS, level_plan
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


def named_plan(game: Game, rules: SomeRules, name: str, state: SomeState, seat: int) -> tuple[float, ...]:
    """How likely a player of the ladder makes each move, from the functions that the player itself decides with."""
    nothing = (0.0,) * len(game.moves)
    # Random does without a solution: it also plays duels that nobody has solved.
    perfect = nothing if name == "random" else solution_for(game, rules).plan(state, seat)
    return tuple(level_plan(RUNGS[name], perfect, game.legal_moves(rules, state, seat)))


def table_by_asking(places: Positions, name: str, seat: int, numbers: Iterable[int]) -> PolicyTable:
    """A seat's plans at these positions, wherever they can come up: asked for one by one."""
    game, rules = places.game, places.rules
    known: dict[tuple[float, ...], int] = {(0.0,) * len(game.moves): 0}
    rows = np.zeros(places.count, np.int32)
    for number in numbers:
        state = places.unpack(number)
        if solution_for(game, rules).holds(state):
            rows[number] = known.setdefault(named_plan(game, rules, name, state, seat), len(known))
    return PolicyTable(places, seat, rows, np.array(list(known)))
