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
from duelbook.positions.compiler import keep_by, kept, kept_beside
from duelbook.positions.rule_code import functions_hash
from duelbook.simulate.bits import DIGIT
from duelbook.simulate.by_rules import locating
from duelbook.simulate.cells import BLANK
from duelbook.simulate.choices import MASK, SHIFT, Finer, count, decided, stir
from duelbook.simulate.lookup import Lookup
from duelbook.simulate.outcomes import NO_RESULT
from duelbook.simulate.parts import ROUNDS, Part, agrees, outcome, part_of, shrunk, small, strides_of, with_ends
from duelbook.simulate.positions import Positions

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

LANES = 16
RECORD = 3
"""The numbers of a record."""


class Sides(NamedTuple):
    """A duel that came apart: for each side how it is numbered, and where it leads."""

    parts: tuple[Part, Part]
    after: tuple[Array, Array]
    """after[side][number, pick1 * picks + pick2]: the next number, or the size of the part + the winner."""

    def position(self, one: int, two: int) -> int:
        """The number of the position with these two sides."""
        digits = self.parts[0].digits()[one] + self.parts[1].digits()[two]
        return int(digits @ np.array(strides_of(self.parts[0].layout)))


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


class Ready(NamedTuple):
    """What the loop reads: the sides together with the policies, in one table, so that few addresses are needed.

    A side's state is a record in it: what it adds to the row of the first policy's plan, to that of the second's, and
    where the row begins that leads on by the picks. Behind all others stand the ends.
    """

    table: Array
    start: tuple[int, int]
    ends: tuple[int, int]
    """The first end of each side."""
    second: int
    """The first record of the second side."""


def made_ready(
    sides: Sides, policies: tuple[Lookup, Lookup], start: SomeState
) -> tuple[Ready, tuple[Array, Array] | None]:
    """The table, and the rows of the plans: None where each policy looks at its own side alone, which names them."""
    adds = [[part.digits() @ np.array(policy.strides) for policy in policies] for part in sides.parts]
    alone = not (adds[0][1].any() or adds[1][0].any())
    if alone:
        for side, policy in enumerate(policies):
            adds[side][side] = policy.rows[adds[side][side]].astype(np.int64)
    blocks, begin, begins, starts, ends = [], 0, [], [], []
    for side, (part, after) in enumerate(zip(sides.parts, sides.after, strict=True)):
        lean, row = shrunk(part, after)
        leads = with_ends(lean, part.size)
        rows = np.concatenate([row, np.arange(len(lean), len(leads))])
        records = np.zeros((len(rows), RECORD), np.int64)
        records[: part.size, 0], records[: part.size, 1] = adds[side]
        records[:, 2] = begin + records.size + rows * leads.shape[1]
        blocks += [records.ravel(), (begin + leads * RECORD).ravel()]
        begins.append(begin)
        starts.append(begin + part.number(start) * RECORD)
        ends.append(begin + part.size * RECORD)
        begin += records.size + leads.size
    ready = Ready(small(np.concatenate(blocks)), (starts[0], starts[1]), (ends[0], ends[1]), begins[1])
    return ready, None if alone else (policies[0].rows, policies[1].rows)


@kept
def _end(place: np.uint64, ends: int) -> int:
    """Which end a side has come to; -1 for none."""
    return max(int(np.int64(place)) - ends, -1) // RECORD


@kept_beside
def play_picks(
    ready: Ready,
    rows: tuple[Array, Array] | None,
    first: tuple[Array, Finer],
    second: tuple[Array, Finer],
    seed: np.uint64,
    low: int,
    high: int,
    bell: int,
    lengths: Array,
    winners: Array,
    turns_of: Array,
) -> tuple[bool, np.int64, np.int64]:
    """Play the games from `low` to `high` and count them; or stop where a plan says nothing, and say where."""
    table, (start1, start2), (ends1, ends2), begin2 = ready
    (moves1, finer1), (moves2, finer2) = first, second
    # Without a sign, as what they are compared with: otherwise both become floats first.
    over1, over2 = uint64(ends1), uint64(ends2)
    game, block = np.empty(LANES, np.int64), np.zeros(LANES, np.int64)
    keys, words = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    ones, twos = np.full(LANES, start1, np.uint64), np.full(LANES, start2, np.uint64)
    picks = uint64(finer1.order.shape[1])
    for lane in range(LANES):
        game[lane] = low + lane
        keys[lane] = stir(seed, low + lane)
    coming, left = low + LANES, high - low
    while left > 0:
        for lane in range(LANES):
            words[lane] = stir(keys[lane], block[lane])
        for place in range(ROUNDS):
            for lane in range(LANES):
                one, two, word = ones[lane], twos[lane], words[lane] >> uint64(2 * DIGIT * place)
                if rows is None:
                    plan1, plan2 = uint64(table[one]), uint64(table[two + uint64(1)])
                else:
                    plan1 = uint64(rows[0][uint64(table[one]) + uint64(table[two])])
                    plan2 = uint64(rows[1][uint64(table[one + uint64(1)]) + uint64(table[two + uint64(1)])])
                cell1, cell2 = word & MASK, (word >> SHIFT) & MASK
                pick1, pick2 = uint64(moves1[plan1 << SHIFT | cell1]), uint64(moves2[plan2 << SHIFT | cell2])
                if pick1 + pick2 >= BLANK:
                    turn = block[lane] * ROUNDS + place
                    pick1 = decided(pick1, keys[lane], 2 * turn, cell1, plan1, finer1)
                    pick2 = decided(pick2, keys[lane], 2 * turn + 1, cell2, plan2, finer2)
                    if pick1 == BLANK or pick2 == BLANK:
                        if game[lane] < high and turn < bell and one < over1 and two < over2:
                            return False, np.int64(one) // RECORD, (np.int64(two) - begin2) // RECORD
                        pick1, pick2 = uint64(0), uint64(0)
                pair = pick1 * picks + pick2
                ones[lane] = uint64(table[uint64(table[one + uint64(2)]) + pair])
                twos[lane] = uint64(table[uint64(table[two + uint64(2)]) + pair])
        for lane in range(LANES):
            block[lane] += 1
            turned = block[lane] * ROUNDS
            if ones[lane] < over1 and twos[lane] < over2 and turned < bell:
                continue
            # A side goes on when the other has come to an end. What was first counts: it is longer ago.
            end, turned = outcome(max(_end(ones[lane], ends1), _end(twos[lane], ends2)), turned, bell)
            if game[lane] < high:
                count(game[lane], end, turned, low, lengths, winners, turns_of)
                left -= 1
            game[lane] = coming
            keys[lane] = stir(seed, coming)
            coming += 1
            ones[lane], twos[lane], block[lane] = uint64(start1), uint64(start2), 0
    return True, np.int64(0), np.int64(0)
