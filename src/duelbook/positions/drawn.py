"""Every position of a duel with luck as a node of its own, its edges side by side: the ladder goes through them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from duelbook.core import LUCK, Game, SomeRules
from duelbook.positions.branches import explore_each
from duelbook.positions.layout import Layout
from duelbook.positions.machine import Machine
from duelbook.positions.numbers import ints

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


class Drawn(NamedTuple):
    """Every position of the duel and where its moves or its cards lead: one long list, with a start for each node."""

    layout: Layout
    turns_round: bool
    numbers: Array
    kinds: Array
    """Who acts at a node: a seat, or LUCK."""
    starts: Array
    targets: Array
    """2 * node, plus 1 when it is that node's mirror; or an end, -1 - winner."""
    weights: Array
    """At luck's nodes how likely each card is; otherwise 0."""


def explore_luck(game: Game, rules: SomeRules, machine: Machine) -> Drawn:
    found = explore_each(game, rules, machine)
    weights = machine.twin(weights_of_edges)(found.weights, found.choosers, found.widths, len(found.targets))
    return Drawn(found.layout, found.turns_round, found.numbers, found.kinds, found.starts, found.targets, weights)


def weights_of_edges(weights: Array, choosers: Array, widths: Array, edges: int) -> Array:
    found: Array = ints(edges, 0)
    edge = 0
    for branch in range(len(weights)):
        if choosers[branch] == LUCK:  # and so it has one edge
            found[edge] = weights[branch]
        edge += widths[branch]
    return found
