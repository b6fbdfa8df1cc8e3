"""Which position each node of a duel that is laid out is: the ints of its state, a row for each node. Needs NumPy.

The nodes stand in the order in which `laid_out` lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from duelbook.positions.drawn import explore_luck
from duelbook.positions.graph import explore
from duelbook.positions.layout import Layout, decoded, flatten
from duelbook.positions.machine import Machine
from duelbook.solving.recursive import explore_simultaneous
from duelbook.solving.solution import Solution

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


class Nodes(NamedTuple):
    states: Array
    """A row for each node, a column for each int of its state."""
    turns_round: bool
    """Whether a node stands for its mirror, too."""


def nodes_of(solution: Solution, machine: Machine) -> Nodes:
    """The nodes of a duel that was laid out for this machine."""
    game, rules = solution.game, solution.rules
    if solution.kind == "picks":
        found = explore_simultaneous(game, rules, machine)
        numbers = np.asarray(found.numbers, np.int64)
        return Nodes(_ints(found.layout, np.sort(numbers) if machine.compiled else numbers), found.turns_round)
    if solution.kind == "luck":
        drawn = explore_luck(game, rules, machine)
        return Nodes(_ints(drawn.layout, np.asarray(drawn.numbers, np.int64)), drawn.turns_round)
    graph = explore(game, rules, (game.start(rules, 0), game.start(rules, 1)))
    return Nodes(np.array([flatten(state) for state in graph.states], np.int64), graph.mirror is not None)


def _ints(layout: Layout, numbers: Array) -> Array:
    columns = decoded(layout, numbers)
    return np.stack([columns[digit] for digit in sorted(columns)], axis=1)
