"""The tables of `chance_table`, found by a compiler: a duel laid out, two plans, and the way back from the bell."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np

from duelbook.core import LUCK
from duelbook.match import BELL
from duelbook.policies.backward_picks import carry_back_picks
from duelbook.policies.backward_turns import carry_back_turns
from duelbook.policies.chances import WHOLE, Kinds
from duelbook.policies.pick_tables import picks_table
from duelbook.policies.table_plans import table_plan
from duelbook.policies.turn_tables import cards_table
from duelbook.positions.drawn import explore_luck
from duelbook.positions.layout import Layout, packing
from duelbook.positions.machine import compiling
from duelbook.solving.recursive import explore_simultaneous
from duelbook.solving.solution import Solution

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

CERTAIN = 1e-9
"""What is nearer to 0 or 1 than this is taken for it; all else is kept apart from them, however near it is."""


def picks_carried_back(solution: Solution, kinds: Kinds) -> tuple[array[int], bool]:
    """A duel in which both pick at once, and whether its seats can be swapped."""
    positions = explore_simultaneous(solution.game, solution.rules, compiling())
    table = picks_table(solution, positions, BELL)
    one, two = (table_plan(table, compiling(), solution.game, kind) for kind in kinds)
    found = compiling().twin(carry_back_picks)(table, (one, two))
    return _noted(solution, positions.layout, np.sort(positions.numbers), found.reshape(-1, 2)), table.even


def cards_carried_back(solution: Solution, kinds: Kinds) -> tuple[array[int], bool] | None:
    """The same for a duel with luck; None where decisions follow each other: one look ahead does not lead to luck."""
    drawn = explore_luck(solution.game, solution.rules, compiling())
    decided = np.repeat(drawn.kinds != LUCK, np.diff(drawn.starts)) & (drawn.targets >= 0)
    if (drawn.kinds[drawn.targets[decided] // 2] != LUCK).any():
        return None
    table = cards_table(solution, drawn, BELL)
    one, two = (table_plan(table, compiling(), solution.game, kind) for kind in kinds)
    found = compiling().twin(carry_back_turns)(table, (one, two)).reshape(-1, 2)
    luck = drawn.kinds == LUCK
    return _noted(solution, drawn.layout, drawn.numbers[luck], found[luck]), drawn.turns_round


def _noted(solution: Solution, layout: Layout, numbers: Array, found: Array) -> array[int]:
    """The chances in 16 bits, each where the solution has its position."""
    kept = 1 + np.clip(np.round(found * WHOLE), 1, WHOLE - 1).astype(np.uint16)
    kept[found <= CERTAIN] = 1
    kept[found >= 1 - CERTAIN] = 1 + WHOLE
    table = np.zeros((len(solution.table), 2), np.uint16)
    if layout == solution.numbering.layout:
        table[numbers] = kept
    else:
        unpack = packing(layout, type(solution.game.start(solution.rules, 0))).unpack
        places = [solution.numbering.find(unpack(number)) for number in numbers.tolist()]
        at, turned = np.array([place for place, _ in places]), np.array([int(other) for _, other in places])
        table[at, turned], table[at, 1 - turned] = kept[:, 0], kept[:, 1]
    return array("H", table.tobytes())
