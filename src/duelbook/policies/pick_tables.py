"""Duels in which both pick at once, laid out for the ladder: the perfect plans, what tempts, what is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duelbook.policies.eye import SEEN, eye_of
from duelbook.policies.forward_picks import AtOnce
from duelbook.policies.temptation import APART, look, tempt
from duelbook.policies.turn_tables import held
from duelbook.positions.compiled_target import value_at
from duelbook.positions.compiler import kept
from duelbook.positions.layout import Numbering, flatten
from duelbook.positions.machine import compiling
from duelbook.solving.loss import given_away, hardest_answer, mark_certain
from duelbook.solving.recursive import ILLEGAL, Simultaneous
from duelbook.solving.solution import Solution, settled

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


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
    may = (legal.any(axis=2), legal.any(axis=1))
    any_first, any_second = (picks / picks.sum(axis=1, keepdims=True) for picks in may)
    losses, tempting = (tuple(np.zeros_like(first) for _ in may) for _ in range(2))
    compiling().twin(_pick_losses)(after, (first, second), may, values, solution.same, losses)
    seen = _seen(solution, numbering, numbers)
    compiling().twin(_temptations)(after, (first, second), may, values, seen, losses, np.zeros(moves), tempting)
    state = numbering.unpack(numbers.copy())  # it counts its argument down
    symmetric = np.full(len(numbers), positions.turns_round)
    for one, other in zip(flatten(state), flatten(numbering.mirror(state)), strict=True):
        symmetric &= one == other
    number, turned = numbering.find(game.start(rules, 0))
    start = 2 * int(np.searchsorted(numbers, number)) + turned
    even = bool(symmetric[start // 2]) and np.array_equal(first[symmetric], second[symmetric])
    ends, joint = _groups(after)
    players = ((first, second), tempting, (any_first, any_second), losses)
    plans, tempted, anything, lost = ((one.ravel(), two.ravel()) for one, two in players)
    has = held(solution, positions.layout, numbers)
    return AtOnce(moves, ends, joint.ravel(), plans, tempted, anything, lost, seen, has, symmetric, even, start, bell)


@kept
def _renumbered(after: Array, order: Array) -> Array:
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
def _groups(after: Array) -> tuple[Array, Array]:
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


def _known(solution: Solution, numbering: Numbering, numbers: Array) -> Array:
    """For every node its value and both perfect plans, in one row."""
    if numbering.layout == solution.numbering.layout:
        facts = np.array([[settled(fact.middle), *fact.first, *fact.second] for fact in solution.facts])
        return facts[np.frombuffer(solution.table, solution.table.typecode)[numbers].astype(np.int64) - 1]
    states = [numbering.unpack(int(number)) for number in numbers]
    return np.array([[solution.value(state), *solution.plan(state, 0), *solution.plan(state, 1)] for state in states])


def _seen(solution: Solution, numbering: Numbering, numbers: Array) -> Array:
    """How every node looks."""
    eye = eye_of(solution)
    if numbering.layout == solution.numbering.layout:
        return np.array(SEEN)[np.frombuffer(eye.table, np.uint8)[numbers]]
    return np.array([eye.value(numbering.unpack(int(number))) for number in numbers])


def _pick_losses(
    after: Array,
    plans: tuple[Array, Array],
    legal: tuple[Array, Array],
    values: Array,
    same: float,
    losses: tuple[Array, Array],
) -> None:
    """What each pick of each seat loses at each node, in win probability."""
    count, picks = after.shape[0], after.shape[1]
    met, certain = np.zeros((picks, picks)), np.zeros(picks, np.bool_)
    for node in range(count):
        for seat in range(2):
            mine, theirs = legal[seat][node], legal[1 - seat][node]
            value = values[node] if seat == 0 else -values[node]
            for pick in range(picks):
                for answer in range(picks):
                    if mine[pick] and theirs[answer]:
                        one, two = (pick, answer) if seat == 0 else (answer, pick)
                        worth = value_at(after[node, one, two], values)
                        met[pick, answer] = worth if seat == 0 else -worth
            mark_certain(met, mine, theirs, value + same, certain)
            for pick in range(picks):
                if mine[pick]:
                    kept = hardest_answer(met[pick], plans[1 - seat][node], certain)
                    losses[seat][node, pick] = given_away(value, kept) / 2


def _temptations(
    after: Array,
    plans: tuple[Array, Array],
    legal: tuple[Array, Array],
    values: Array,
    seen: Array,
    losses: tuple[Array, Array],
    looks: Array,
    found: tuple[Array, Array],
) -> None:
    """How likely each pick of each seat is among the mistakes."""
    count, picks = after.shape[0], after.shape[1]
    for node in range(count):
        for seat in range(2):
            sign = 1.0 if seat == 0 else -1.0
            mine, theirs = legal[seat][node], legal[1 - seat][node]
            for pick in range(picks):
                shown, answers = 0.0, 0
                for answer in range(picks):
                    if mine[pick] and theirs[answer]:
                        one, two = (pick, answer) if seat == 0 else (answer, pick)
                        shown += value_at(after[node, one, two], seen)
                        answers += 1
                if mine[pick]:
                    looks[pick] = look(sign * values[node], losses[seat][node, pick], sign * (shown / answers))
            tempt(looks, plans[seat][node], mine, 0, picks, APART, found[seat][node])
