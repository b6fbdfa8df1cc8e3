"""Duels in which both pick at once, laid out for the ladder: the perfect plans and what random picks lose."""

from __future__ import annotations

from typing import Any

import numpy as np

from duelbook.policies.forward_picks import AtOnce
from duelbook.positions.compiler import kept
from duelbook.positions.layout import Numbering, flatten
from duelbook.positions.target import value_at
from duelbook.solving.recursive import ILLEGAL, Simultaneous
from duelbook.solving.solution import Solution

ROUNDING = 1e-12
"""Nobody gains by a decision of their own: a loss smaller than this is none."""


def picks_table(solution: Solution, positions: Simultaneous, bell: int) -> AtOnce:
    game, rules = solution.game, solution.rules
    numbering = Numbering(positions.layout, type(game.start(rules, 0)), positions.turns_round)
    order = np.argsort(positions.numbers)
    numbers = positions.numbers[order]
    rows = _known(solution, numbering, numbers)
    moves = len(game.moves)
    values = np.ascontiguousarray(rows[:, 0])
    first, second = np.ascontiguousarray(rows[:, 1 : 1 + moves]), np.ascontiguousarray(rows[:, 1 + moves :])
    after = _renumbered(positions.after.reshape(-1, moves, moves), order)
    legal = after != ILLEGAL
    any_first, any_second = (may / may.sum(axis=1, keepdims=True) for may in (legal.any(axis=2), legal.any(axis=1)))
    losses = _pick_losses(after, first, second, any_first, any_second, values, 2 * solution.error + ROUNDING)
    state = numbering.unpack(numbers.copy())  # it counts its argument down
    symmetric = np.full(len(numbers), positions.turns_round)
    for one, other in zip(flatten(state), flatten(numbering.mirror(state)), strict=True):
        symmetric &= one == other
    number, turned = numbering.find(game.start(rules, 0))
    start = 2 * int(np.searchsorted(numbers, number)) + turned
    ends, joint = _groups(after)
    return AtOnce(ends, joint, first, second, any_first, any_second, losses, symmetric, start, bell)


@kept
def _renumbered(after: Any, order: Any) -> Any:
    rank = np.empty(len(order), np.int32)
    for at in range(len(order)):
        rank[order[at]] = at
    new = np.empty_like(after)
    picks = after.shape[1]
    for at in range(len(order)):
        for one in range(picks):
            for two in range(picks):
                target = after[order[at], one, two]
                new[at, one, two] = target if target < 0 else 2 * rank[target // 2] + target % 2
    return new


@kept
def _groups(after: Any) -> tuple[Any, Any]:
    """Runs of nodes that do not contradict each other, and where a pair of picks leads from any of them."""
    count, picks = after.shape[0], after.shape[1]
    ends, joint = np.empty(count, np.int32), np.empty_like(after)
    groups = 0
    for node in range(count):
        agrees = groups > 0
        for one in range(picks):
            for two in range(picks):
                target = after[node, one, two]
                known = joint[groups - 1, one, two] if agrees else ILLEGAL
                if target != ILLEGAL and known != ILLEGAL and known != target:
                    agrees = False
        if not agrees:
            joint[groups] = after[node]
            groups += 1
        for one in range(picks):
            for two in range(picks):
                if after[node, one, two] != ILLEGAL:
                    joint[groups - 1, one, two] = after[node, one, two]
        ends[groups - 1] = node + 1
    return ends[:groups].copy(), joint[:groups].copy()


def _known(solution: Solution, numbering: Numbering, numbers: Any) -> Any:
    """For every node its value and both perfect plans, in one row."""
    if numbering.layout == solution.numbering.layout:
        facts = np.array([[(fact.low + fact.high) / 2, *fact.first, *fact.second] for fact in solution.facts])
        return facts[np.frombuffer(solution.table, solution.table.typecode)[numbers].astype(np.int64) - 1]
    states = [numbering.unpack(int(number)) for number in numbers]
    plans = [solution.plans(state) for state in states]
    return np.array([[solution.value(state), *one, *two] for state, (one, two) in zip(states, plans, strict=True)])


@kept
def _pick_losses(after: Any, first: Any, second: Any, any_first: Any, any_second: Any, values: Any, same: float) -> Any:
    """What a random pick of each seat loses on average at each node.

    As for the coach, a pick is held against the other seat's plan and against every single pick that keeps all the
    other seat has, and it is worth what the hardest of them leaves it.
    """
    count, picks = after.shape[0], after.shape[1]
    losses = np.zeros((count, 2))
    worth, keeps = np.empty((picks, picks)), np.empty(picks, np.bool_)
    for node in range(count):
        for seat in range(2):
            mine, theirs = (any_first[node], any_second[node]) if seat == 0 else (any_second[node], any_first[node])
            plan = second[node] if seat == 0 else first[node]
            value = values[node] if seat == 0 else -values[node]
            for reply in range(picks):
                keeps[reply] = theirs[reply] > 0.0
                for pick in range(picks):
                    if mine[pick] > 0.0 and theirs[reply] > 0.0:
                        one, two = (pick, reply) if seat == 0 else (reply, pick)
                        met = value_at(after[node, one, two], values)
                        worth[pick, reply] = met if seat == 0 else -met
                        if worth[pick, reply] > value + same:
                            keeps[reply] = False
            for pick in range(picks):
                if mine[pick] == 0.0:
                    continue
                mixed, hardest = 0.0, 1.0
                for reply in range(picks):
                    if theirs[reply] > 0.0:
                        mixed += plan[reply] * worth[pick, reply]
                        if keeps[reply]:
                            hardest = min(hardest, worth[pick, reply])
                lost = value - min(mixed, hardest)
                if lost > ROUNDING:
                    losses[node, seat] += mine[pick] * lost / 2
    return losses
