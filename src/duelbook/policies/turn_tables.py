"""Duels in which one acts at a time, laid out for the ladder: what the perfect player does, what tempts, what is lost.

The values come from the solution. With luck it holds them only where luck acts, and the rest follows from these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from duelbook.core import LUCK, Game
from duelbook.policies.eye import SEEN, eye_of
from duelbook.policies.forward_turns import Alone
from duelbook.policies.holdings import NOWHERE, holdings_of
from duelbook.policies.inclined_turns import leave_out_wasted
from duelbook.policies.small_tables import small_table
from duelbook.policies.temptation import look, tempt
from duelbook.positions.compiled import compiled
from duelbook.positions.compiled_target import value_at
from duelbook.positions.compiler import kept
from duelbook.positions.drawn import Drawn
from duelbook.positions.effects import lesser
from duelbook.positions.layout import Layout, Numbering, decoded, encoded, packing, turned
from duelbook.positions.machine import compiling
from duelbook.positions.rule_code import functions_hash
from duelbook.solving.equal_with_luck import good_moves
from duelbook.solving.loss import given_away
from duelbook.solving.solution import Solution

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


def board_table(solution: Solution, bell: int) -> Alone:
    """An alternating duel without luck."""
    table = small_table(solution, bell)
    assert isinstance(table, Alone)
    kinds, starts = np.array(table.kinds, np.int8), np.array(table.starts, np.int64)
    targets, weights = np.array(table.targets, np.int32), np.array(table.weights, np.int32)
    perfect, tempting, losses = (np.array(column) for column in (table.perfect, table.tempting, table.losses))
    moves, able = np.array(table.moves, np.int8), np.array(table.able)
    seen, has = np.array(table.seen), np.array(table.has)
    columns = (kinds, starts, targets, weights, moves, perfect, tempting, losses, able, seen, has)
    return Alone(*columns, table.start, table.bell)


def cards_table(solution: Solution, drawn: Drawn, bell: int) -> Alone:
    """A duel with luck: the tables of `chance`, with the values that the solution holds where luck acts."""
    game, rules = solution.game, solution.rules
    numbering, values = _valued(solution, drawn)
    arrays = (drawn.kinds, drawn.starts, drawn.targets, drawn.weights)
    perfect = np.zeros(len(drawn.targets))
    perfect[_perfect_edges(solution, drawn, numbering, values)] = 1.0
    number, turned = numbering.find(game.start(rules, 0))
    start = 2 * int(np.flatnonzero(drawn.numbers == number)[0]) + turned
    losses, tempting = np.zeros(len(perfect)), np.zeros(len(perfect))
    compiling().twin(_losses)(*arrays[:3], values, losses)
    seen = _seen(solution, drawn, numbering)
    able, moves = np.ones(len(perfect), np.bool_), np.full(len(perfect), -1, np.int8)
    _moves_walker(game, drawn)(rules, drawn.numbers, drawn.kinds, drawn.starts, able, moves)
    has, about = held(solution, drawn.layout, drawn.numbers), np.array(holdings_of(solution).about)
    compiling().twin(leave_out_wasted)(*arrays[:3], moves, has, about, able)
    compiling().twin(_temptations)(*arrays[:3], values, seen, perfect, losses, able, np.zeros(len(perfect)), tempting)
    return Alone(*arrays, moves, perfect, tempting, losses, able, seen, has, start, bell)


def held(solution: Solution, layout: Layout, numbers: Array) -> Array:
    """What Player 1 has at the positions of these numbers, with what Player 2 has behind it."""
    place, found = holdings_of(solution).place, np.zeros((len(numbers), 2))
    if place != NOWHERE:
        columns = decoded(layout, numbers)
        found[:, 0], found[:, 1] = columns[place], columns[place + 1]
    return found.ravel()


def _seen(solution: Solution, drawn: Drawn, numbering: Numbering) -> Array:
    """How every position looks to which a decision leads."""
    by_luck = np.repeat(drawn.kinds == LUCK, np.diff(drawn.starts))
    led_to = np.unique(drawn.targets[~by_luck & (drawn.targets >= 0)] // 2)
    seen, eye = np.zeros(len(drawn.kinds)), eye_of(solution)
    places = _places(solution, drawn, led_to)
    if places is not None:
        seen[led_to] = np.array(SEEN)[np.frombuffer(eye.table, np.uint8)[places]]
        return seen
    for node in led_to.tolist():
        seen[node] = eye.value(numbering.unpack(int(drawn.numbers[node])))
    return seen


def _places(solution: Solution, drawn: Drawn, nodes: Array) -> Array | None:
    """Where the solution's table has these nodes; None where it does not hold all of them as they stand."""
    layout, turns_round = solution.numbering.layout, solution.numbering.turns_round
    if turns_round and (layout.mover < 0 or turned(layout) == layout):
        return None  # it may have the mirror of a node instead
    columns = decoded(drawn.layout, drawn.numbers[nodes])
    for column, (low, step, places) in zip((columns[at] for at in range(len(columns))), layout.spans, strict=True):
        if ((column < low) | (column >= low + step * places) | ((column - low) % step != 0)).any():
            return None
    found: Array = encoded(layout, columns)
    return found


def _moves_walker(game: Game, drawn: Drawn) -> Any:
    from numba import njit

    from duelbook.positions.compiler import keep_by

    rules_of, moves = compiled(game), len(game.moves)
    legal, apply = rules_of.legal, rules_of.apply
    unpack: Any = njit(packing(drawn.layout, type(game.start(game.book, 0))).unpack)
    less: Any = njit(lesser(drawn.layout))

    @njit
    def walk(rules, numbers, kinds, starts, able, made):  # type: ignore[no-untyped-def]  # the compiler finds the types
        """Write down the move of each edge, and mark those that have no effect."""
        for node in range(len(kinds)):
            if kinds[node] == LUCK:
                continue
            state, edge = unpack(numbers[node]), starts[node]
            for move in range(moves):
                if not legal(rules, state, kinds[node], move):
                    continue
                after, made[edge] = apply(rules, state, move), move
                for other in range(moves):
                    if legal(rules, state, kinds[node], other) and less(state, after, apply(rules, state, other)):
                        able[edge] = False
                edge += 1

    return keep_by(functions_hash(walk), walk)


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


def _losses(kinds: Array, starts: Array, targets: Array, values: Array, losses: Array) -> None:
    """What each move loses, in win probability."""
    for node in range(len(kinds)):
        if kinds[node] == LUCK:
            continue
        sign = 1.0 if kinds[node] == 0 else -1.0
        for edge in range(starts[node], starts[node + 1]):
            losses[edge] = given_away(sign * values[node], sign * value_at(targets[edge], values)) / 2


def _temptations(
    kinds: Array,
    starts: Array,
    targets: Array,
    values: Array,
    seen: Array,
    perfect: Array,
    losses: Array,
    able: Array,
    looks: Array,
    found: Array,
) -> None:
    """How likely each move is among the mistakes."""
    for node in range(len(kinds)):
        if kinds[node] == LUCK:
            continue
        sign = 1.0 if kinds[node] == 0 else -1.0
        for edge in range(starts[node], starts[node + 1]):
            looks[edge] = look(sign * values[node], losses[edge], sign * value_at(targets[edge], seen))
        tempt(looks, perfect, able, starts[node], starts[node + 1], 0.0, found)
