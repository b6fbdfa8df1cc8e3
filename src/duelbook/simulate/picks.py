"""A duel of secret picks taken apart: what happens to each side, in a small table of its own.

A pair in a state is one int for each seat. Where the ints of a seat change by themselves and the two picks alone, and
one side or the other shows by itself that a game is over, a turn is a handful of look-ups into tables that stay in the
processor's caches. Whether a duel comes apart in this way is not taken on trust: every pair of legal picks at
every position of the numbering is checked against the rules while the tables are made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit, uint64

from duelbook.core import BOTH, OVER, SomeState
from duelbook.positions.compiled import compiled
from duelbook.positions.compiler import keep_by, kept
from duelbook.positions.rule_code import functions_hash
from duelbook.simulate.by_rules import locating
from duelbook.simulate.lanes import Ready, turns_of_two
from duelbook.simulate.lookup import Lookup
from duelbook.simulate.outcomes import NO_RESULT
from duelbook.simulate.parts import Part, agrees, part_of, shrunk, small, with_ends
from duelbook.simulate.positions import Positions

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

RECORD = 3
"""The numbers of a record."""


class Sides(NamedTuple):
    """A duel that came apart: for each side how it is numbered, and where it leads."""

    parts: tuple[Part, Part]
    after: tuple[Array, Array]
    """after[side][number, pick1 * picks + pick2]: the next number, or the size of the part + the winner."""


def taken_apart(places: Positions) -> Sides | None:
    """The two sides, or None for a duel that does not come apart."""
    layout = places.layout
    second = [length == 2 and at == 1 for length in layout.shape for at in range(max(1, length))]
    one, two = part_of(layout, [not own for own in second]), part_of(layout, second)
    comes_apart, *after = _walker(places, one.size, two.size)(places.rules, one.strides, two.strides)
    if not comes_apart:
        return None
    return Sides((one, two), (after[0].reshape(one.size, -1), after[1].reshape(two.size, -1)))


def _walker(places: Positions, ones: int, twos: int) -> Any:
    rules_of, unpack, locate = compiled(places.game), njit(places.unpack), locating(places.layout)
    turn, legal, resolve, winner = rules_of.turn, rules_of.legal, rules_of.resolve, rules_of.winner
    size, picks = places.count, len(places.game.moves)

    @njit
    def walk(rules, strides1, strides2):  # type: ignore[no-untyped-def]  # the compiler finds the types
        after1, after2 = np.full(ones * picks * picks, -1, np.int32), np.full(twos * picks * picks, -1, np.int32)
        # Who has won whenever this side met these picks: -1 for not met yet, NO_RESULT for not always the same one.
        ends1, ends2 = np.full(len(after1), -1, np.int8), np.full(len(after2), -1, np.int8)
        ending = np.zeros(size, np.bool_)
        for number in range(size):
            state = unpack(number)
            if turn(rules, state) != BOTH:
                continue
            one, two = locate(state, strides1), locate(state, strides2)
            for first in range(picks):
                if not legal(rules, state, 0, first):
                    continue
                for second in range(picks):
                    if not legal(rules, state, 1, second):
                        continue
                    found, pair = resolve(rules, state, first, second), first * picks + second
                    edge1, edge2 = one * picks * picks + pair, two * picks * picks + pair
                    over = turn(rules, found) == OVER
                    if over:
                        ending[number] = True
                    else:
                        next1, next2 = locate(found, strides1), locate(found, strides2)
                        if next1 < 0 or not (agrees(after1, edge1, next1) and agrees(after2, edge2, next2)):
                            return False, after1, after2
                    end = winner(rules, found) if over else NO_RESULT
                    if not agrees(ends1, edge1, end):
                        ends1[edge1] = NO_RESULT
                    if not agrees(ends2, edge2, end):
                        ends2[edge2] = NO_RESULT
        for number in range(size):
            if not ending[number]:
                continue
            state = unpack(number)
            one, two = locate(state, strides1), locate(state, strides2)
            for first in range(picks):
                for second in range(picks):
                    if not (legal(rules, state, 0, first) and legal(rules, state, 1, second)):
                        continue
                    pair = first * picks + second
                    edge1, edge2 = one * picks * picks + pair, two * picks * picks + pair
                    unseen = ends1[edge1] == NO_RESULT and ends2[edge2] == NO_RESULT
                    if unseen and turn(rules, resolve(rules, state, first, second)) == OVER:
                        return False, after1, after2
        for edge in range(len(after1)):
            if 0 <= ends1[edge] < NO_RESULT:
                after1[edge] = ones + ends1[edge]
        for edge in range(len(after2)):
            if 0 <= ends2[edge] < NO_RESULT:
                after2[edge] = twos + ends2[edge]
        return True, after1, after2

    return keep_by(functions_hash(walk), walk)


class Tables(NamedTuple):
    """The sides together with the policies, in one table, so that few addresses are needed.

    A side's state is a record in it: what it adds to the row of the first policy's plan, to that of the second's, and
    where the row begins that leads on by the picks. Behind all others stand the ends.
    """

    table: Array
    rows: tuple[Array, Array] | None
    """The rows of the plans; None where each policy looks at its own side alone, which names them."""
    picks: np.uint64
    ends: tuple[int, int]
    """The first end of each side."""


def made_ready(sides: Sides, policies: tuple[Lookup, Lookup], start: SomeState) -> Ready:
    adds = [[part.digits() @ np.array(policy.strides) for policy in policies] for part in sides.parts]
    alone = not (adds[0][1].any() or adds[1][0].any())
    if alone:
        for side, policy in enumerate(policies):
            adds[side][side] = policy.rows[adds[side][side]].astype(np.int64)
    blocks, begin, starts, ends = [], 0, [], []
    for side, (part, after) in enumerate(zip(sides.parts, sides.after, strict=True)):
        lean, row = shrunk(part, after)
        leads = with_ends(lean, part.size)
        rows = np.concatenate([row, np.arange(len(lean), len(leads))])
        records = np.zeros((len(rows), RECORD), np.int64)
        records[: part.size, 0], records[: part.size, 1] = adds[side]
        records[:, 2] = begin + records.size + rows * leads.shape[1]
        blocks += [records.ravel(), (begin + leads * RECORD).ravel()]
        starts.append(np.uint64(begin + part.number(start) * RECORD))
        ends.append(begin + part.size * RECORD)
        begin += records.size + leads.size
    plans = None if alone else (policies[0].rows, policies[1].rows)
    picks = np.uint64(policies[0].finer.order.shape[1])
    tables = Tables(small(np.concatenate(blocks)), plans, picks, (ends[0], ends[1]))
    return Ready(tuple(tables), (policies[0].cells, policies[1].cells), (starts[0], starts[1]), RECORD)


@kept
def _first_plan(one, two, table, rows, *_):  # type: ignore[no-untyped-def]  # the compiler finds the types
    if rows is None:
        return uint64(table[one])
    return uint64(rows[0][uint64(table[one]) + uint64(table[two])])


@kept
def _second_plan(one, two, pick, table, rows, *_):  # type: ignore[no-untyped-def]  # the compiler finds the types
    if rows is None:
        return uint64(table[two + uint64(1)])
    return uint64(rows[1][uint64(table[one + uint64(1)]) + uint64(table[two + uint64(1)])])


@kept
def _lead(one, two, pick, answer, table, rows, picks, ends):  # type: ignore[no-untyped-def]  # the compiler finds the types
    pair = pick * picks + answer
    return uint64(table[uint64(table[one + uint64(2)]) + pair]), uint64(table[uint64(table[two + uint64(2)]) + pair])


@kept
def _beyond(one, two, table, rows, picks, ends):  # type: ignore[no-untyped-def]  # the compiler finds the types
    # A side goes on when the other has come to an end. What was first counts: it is longer ago.
    return max(np.int64(one) - ends[0], np.int64(two) - ends[1])


play_picks = turns_of_two(_first_plan, _second_plan, _lead, _beyond)
