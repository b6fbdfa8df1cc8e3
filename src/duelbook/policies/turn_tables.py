"""Duels in which one acts at a time, laid out for the ladder: what the perfect player does and what random loses.

The values come from the solution. With luck it holds them only where luck acts, and the rest follows from these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from duelbook.core import LUCK
from duelbook.policies.forward_turns import Alone
from duelbook.positions.compiler import kept
from duelbook.positions.graph import explore
from duelbook.positions.layout import Numbering
from duelbook.positions.machine import compiling
from duelbook.positions.target import value_at
from duelbook.solving.chance import Drawn
from duelbook.solving.loss import ROUNDING, given_away
from duelbook.solving.solution import Solution


def board_table(solution: Solution, bell: int) -> Alone:
    """An alternating duel without luck."""
    game, rules = solution.game, solution.rules
    start = game.start(rules, 0)
    graph = explore(game, rules, (start, game.start(rules, 1)))
    starts, targets, perfect, values = [0], [], [], []
    for state, seat, edges in zip(graph.states, graph.movers, graph.edges, strict=True):
        plan = solution.plan(state, seat)
        values.append(solution.value(state))
        perfect += [plan[edge.move] for edge in edges]
        targets += [edge.target if edge.target < 0 else 2 * edge.target + edge.turned for edge in edges]
        starts.append(len(targets))
    found = graph.find(start)
    assert found is not None
    arrays = (
        np.array(graph.movers, np.int8),
        np.array(starts, np.int64),
        np.array(targets, np.int32),
        np.zeros(len(targets), np.int32),
    )
    losses = compiling().twin(_losses)(*arrays[:3], np.array(values))
    return Alone(*arrays, np.array(perfect), losses, 2 * found[0] + found[1], bell)


def cards_table(solution: Solution, drawn: Drawn, bell: int) -> Alone:
    """A duel with luck: the tables of `chance`, with the values that the solution holds where luck acts."""
    game, rules = solution.game, solution.rules
    numbering = Numbering(drawn.layout, type(game.start(rules, 0)), drawn.turns_round)
    values = np.zeros(len(drawn.kinds))
    for node in np.flatnonzero(drawn.kinds == LUCK):
        values[node] = solution.value(numbering.unpack(int(drawn.numbers[node])))
    arrays = (drawn.kinds, drawn.starts, drawn.targets, drawn.weights)
    _carry(*arrays[:3], values)
    perfect = _most_trying(*arrays, values)
    number, turned = numbering.find(game.start(rules, 0))
    start = 2 * int(np.flatnonzero(drawn.numbers == number)[0]) + turned
    losses = compiling().twin(_losses)(*arrays[:3], values)
    return Alone(*arrays, perfect, losses, start, bell)


@kept
def _carry(kinds: Any, starts: Any, targets: Any, values: Any) -> None:
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


def _losses(kinds: Any, starts: Any, targets: Any, values: Any) -> Any:
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


@kept
def _after_slips(kinds: Any, starts: Any, targets: Any, weights: Any, values: Any) -> Any:
    """after[node, me]: what the node is worth if the seat that is not `me` makes any legal move as soon as it acts."""
    after = np.zeros((len(kinds), 2))
    moved = True
    while moved:
        moved = False
        for node in range(len(kinds) - 1, -1, -1):
            for me in range(2):
                worth, total = 0.0, 0
                for edge in range(starts[node], starts[node + 1]):
                    target = targets[edge]
                    if kinds[node] != LUCK:
                        worth += value_at(target, values)
                        total += 1
                        continue
                    total += weights[edge]
                    if target < 0:
                        worth += weights[edge] * value_at(target, values)
                    else:
                        turned = target % 2
                        met = after[target // 2, me ^ turned]
                        worth += weights[edge] * (-met if turned == 1 else met)
                worth = values[node] if kinds[node] == me else worth / total
                if worth != after[node, me]:
                    after[node, me] = worth
                    moved = True
    return after


@kept
def _most_trying(kinds: Any, starts: Any, targets: Any, weights: Any, values: Any) -> Any:
    """The perfect player's move at every decision: the best; among equals the one that a slip answers worst.

    The player decides the same way, one position at a time and in plain Python; a test holds the two together.
    """
    after = _after_slips(kinds, starts, targets, weights, values)
    perfect = np.zeros(len(targets))
    for node in range(len(kinds)):
        me = kinds[node]
        if me == LUCK:
            continue
        sign = 1.0 if me == 0 else -1.0
        choice, most = -1, 0.0
        for edge in range(starts[node], starts[node + 1]):
            target = targets[edge]
            if sign * value_at(target, values) < sign * values[node] - ROUNDING:
                continue
            if target < 0:
                worth = sign * value_at(target, values)
            else:
                turned = target % 2
                worth = sign * (-after[target // 2, me ^ turned] if turned == 1 else after[target // 2, me ^ turned])
            if choice < 0 or worth > most:
                choice, most = edge, worth
        perfect[choice] = 1.0
    return perfect
