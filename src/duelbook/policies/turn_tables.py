"""Duels in which one acts at a time, laid out for the ladder: what the perfect player does and what random loses.

The values come from the solution. With luck it holds them only where luck acts, and the rest follows from these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duelbook.core import LUCK
from duelbook.policies.forward_turns import Alone
from duelbook.positions.compiled_target import value_at
from duelbook.positions.compiler import kept
from duelbook.positions.drawn import Drawn
from duelbook.positions.graph import explore
from duelbook.positions.layout import Numbering
from duelbook.positions.machine import compiling
from duelbook.solving.equal_with_luck import good_moves
from duelbook.solving.loss import given_away
from duelbook.solving.solution import Solution

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


def board_table(solution: Solution, bell: int) -> Alone:
    """An alternating duel without luck."""
    game, rules = solution.game, solution.rules
    start = game.start(rules, 0)
    graph = explore(game, rules, (start, game.start(rules, 1)))
    perfect, values = [], []
    for node, (state, seat) in enumerate(zip(graph.states, graph.movers, strict=True)):
        plan = solution.plan(state, seat)
        values.append(solution.value(state))
        perfect += [plan[move] for move in graph.moves[graph.starts[node] : graph.starts[node + 1]]]
    arrays = (
        np.array(graph.movers, np.int8),
        np.array(graph.starts, np.int64),
        np.array(graph.targets, np.int32),
        np.zeros(len(graph.targets), np.int32),
    )
    losses = compiling().twin(_losses)(*arrays[:3], np.array(values))
    return Alone(*arrays, np.array(perfect), losses, graph.nodes[start], bell)


def cards_table(solution: Solution, drawn: Drawn, bell: int) -> Alone:
    """A duel with luck: the tables of `chance`, with the values that the solution holds where luck acts."""
    game, rules = solution.game, solution.rules
    numbering, values = _valued(solution, drawn)
    arrays = (drawn.kinds, drawn.starts, drawn.targets, drawn.weights)
    perfect = np.zeros(len(drawn.targets))
    perfect[_perfect_edges(solution, drawn, numbering, values)] = 1.0
    number, turned = numbering.find(game.start(rules, 0))
    start = 2 * int(np.flatnonzero(drawn.numbers == number)[0]) + turned
    losses = compiling().twin(_losses)(*arrays[:3], values)
    return Alone(*arrays, perfect, losses, start, bell)


def _valued(solution: Solution, drawn: Drawn) -> tuple[Numbering, Array]:
    """How the positions are numbered, and what each is worth."""
    numbering = Numbering(drawn.layout, type(solution.game.start(solution.rules, 0)), drawn.turns_round)
    values = np.zeros(len(drawn.kinds))
    for node in np.flatnonzero(drawn.kinds == LUCK):
        values[node] = solution.value(numbering.unpack(int(drawn.numbers[node])))
    _carry(drawn.kinds, drawn.starts, drawn.targets, values)
    return numbering, values


def perfect_edges(solution: Solution, drawn: Drawn) -> Array:
    """The edge that the solution plays at each decision, in the order of the nodes."""
    return _perfect_edges(solution, drawn, *_valued(solution, drawn))


def _perfect_edges(solution: Solution, drawn: Drawn, numbering: Numbering, values: Array) -> Array:
    """The edge that the solution plays at each decision: the first good one, or what it chose instead."""
    worth = np.concatenate([np.column_stack([values, -values]).ravel(), [0.0, 0.0, -1.0, 1.0]])
    marks, _ = compiling().twin(good_moves)(drawn.kinds, np.diff(drawn.starts), drawn.targets, worth)
    good = np.flatnonzero(marks)
    nodes, firsts = np.unique(np.searchsorted(drawn.starts, good, side="right") - 1, return_index=True)
    edges = np.full(len(drawn.kinds), -1, np.int64)
    edges[nodes] = good[firsts]
    edges[drawn.kinds == LUCK] = -1
    if solution.choices is not None and solution.choices.places:
        unpack, places = solution.choices.numbering.unpack, solution.choices.places
        wanted = np.array([numbering.find(unpack(number))[0] for number in places])
        order = np.argsort(drawn.numbers)
        nodes = order[np.searchsorted(drawn.numbers, wanted, sorter=order)]
        edges[nodes] = drawn.starts[nodes] + np.array(list(places.values()))
    return edges[edges >= 0]


@kept
def _carry(kinds: Array, starts: Array, targets: Array, values: Array) -> None:
    """From the values where luck acts to those where a seat decides: one look ahead, or as many as it takes."""
    moved = True
    while moved:
        moved = False
        for node in range(len(kinds) - 1, -1, -1):
            if kinds[node] == LUCK:
                continue
            sign = 1.0 if kinds[node] == 0 else -1.0
            best = -2.0
            for edge in range(starts[node], starts[node + 1]):
                best = max(best, sign * value_at(targets[edge], values))
            if values[node] != sign * best:
                values[node] = sign * best
                moved = True


def _losses(kinds: Array, starts: Array, targets: Array, values: Array) -> Array:
    """What a random move loses on average at each node, in win probability."""
    losses = np.zeros(len(kinds))
    for node in range(len(kinds)):
        if kinds[node] == LUCK:
            continue
        sign = 1.0 if kinds[node] == 0 else -1.0
        for edge in range(starts[node], starts[node + 1]):
            losses[node] += given_away(sign * values[node], sign * value_at(targets[edge], values)) / 2
        losses[node] /= starts[node + 1] - starts[node]
    return losses
