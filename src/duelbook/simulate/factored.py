"""A duel with luck taken apart: what the cards do and what the players do, each in a small table of its own.

Luck's weights depend on a few ints of a state only, in Number Duel on the cards left. Where these ints (the pile)
change by what is dealt alone, and all others (the board) by what is dealt and the move alone, a turn is a handful of
look-ups into tables that stay in the processor's caches. Whether a duel comes apart in this way is not taken on trust:
every deal and every legal move at every position of the numbering is checked against the rules while the tables are
made.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numba import njit, uint64

from duelbook.core import BOTH, LUCK, OVER
from duelbook.positions.compiled import compiled
from duelbook.positions.compiler import kept_beside
from duelbook.positions.layout import Layout, flatten
from duelbook.simulate.bits import PER_WORD
from duelbook.simulate.cells import BLANK, UNDECIDED
from duelbook.simulate.kernel import locating
from duelbook.simulate.lanes import count, digit, settle, stir
from duelbook.simulate.lookup import Lookup, strides_of
from duelbook.simulate.outcomes import NO_RESULT
from duelbook.simulate.positions import Positions

LANES = 16
ROUNDS = PER_WORD // 2
"""A turn is two choices, the card and the move: so many turns share a word."""


class Factored(NamedTuple):
    """The tables of a duel that came apart."""

    board_after: Any
    """board_after[board, face, move]: the next board, or the number of boards + the winner."""
    pile_after: Any
    """pile_after[pile, face]."""
    board_part: Any
    """board_part[board, digit] and ..."""
    pile_part: Any
    """... pile_part[pile, face, digit]: the digits of the position at which the move is chosen, each in one of them."""
    luck: Any
    """For each pile the cells of its cards: moves, settled and rests, as in `cells`."""
    strides: tuple[tuple[int, ...], tuple[int, ...]]
    """How the board and the pile of a state are numbered."""

    def numbers(self, layout: Layout, state: Any) -> tuple[int, int]:
        """The board and the pile of a state."""
        at = [(value - span.low) // span.step for value, span in zip(flatten(state), layout.spans, strict=True)]
        board, pile = (sum(map(mul, at, strides)) for strides in self.strides)
        return board, pile

    def position(self, layout: Layout, board: int, pile: int, face: int) -> int:
        """The number of the position at which the move is chosen once a face is dealt."""
        digits = self.board_part[board] + self.pile_part[pile, face]
        return sum(map(mul, digits.tolist(), strides_of(layout)))


def factored(places: Positions, luck: Lookup, still: Sequence[bool]) -> Factored | None:
    """The tables, or None for a duel that does not come apart."""
    layout = places.layout
    full = strides_of(layout)
    pile = _radix(places, [bool(stride) for stride in luck.strides])
    board = _radix(places, [not stride and not fixed for stride, fixed in zip(luck.strides, still, strict=True)])
    others = tuple(stride if fixed else 0 for stride, fixed in zip(full, still, strict=True))
    moving = tuple(0 if own else stride for own, stride in zip(board.strides, full, strict=True))
    walk = _walker(places, board.size, pile.size)
    comes_apart, *flat = walk(places.rules, board.strides, pile.strides, others, moving)
    if not comes_apart:
        return None
    faces = len(places.game.faces)
    board_after = flat[0].reshape(board.size, faces, -1)
    pile_after, rest = (table.reshape(pile.size, faces) for table in flat[1:])
    digits = [rest // stride % span.places for stride, span in zip(full, layout.spans, strict=True)]
    pile_part = np.where(rest[..., None] < 0, 0, np.stack(digits, axis=-1))
    plans = luck.rows[_digits_of(places, pile) @ np.array(luck.strides)]
    cells = (luck.moves[plans], luck.settled[plans], luck.rests[plans])
    strides = (board.strides, pile.strides)
    return Factored(board_after, pile_after, _digits_of(places, board), pile_part, cells, strides)


class Radix(NamedTuple):
    strides: tuple[int, ...]
    """0 for what is no part of it."""
    size: int


def _radix(places: Positions, taken: list[bool]) -> Radix:
    """A numbering by some of a state's ints."""
    strides, size = [], 1
    for own, span in zip(taken, places.layout.spans, strict=True):
        strides.append(size if own and span.places > 1 else 0)
        size *= span.places if own else 1
    return Radix(tuple(strides), size)


def _digits_of(places: Positions, radix: Radix) -> Any:
    """The digits behind each number, 0 for what is no part of it."""
    numbers = np.arange(radix.size)
    parts = zip(radix.strides, places.layout.spans, strict=True)
    return np.stack([numbers // own % span.places if own else 0 * numbers for own, span in parts], axis=-1)


def _walker(places: Positions, boards: int, piles: int) -> Any:
    rules_of, unpack, locate = compiled(places.game), njit(places.unpack), locating(places.layout)
    turn, legal, apply, winner = rules_of.turn, rules_of.legal, rules_of.apply, rules_of.winner
    odds, deal = rules_of.odds, rules_of.deal
    size, faces, moves = places.count, np.array(places.game.faces), len(places.game.moves)

    @njit
    def agrees(table, at, value):  # type: ignore[no-untyped-def]  # the compiler finds the types
        if table[at] < 0:
            table[at] = value
        return table[at] == value

    @njit
    def walk(rules, board_strides, pile_strides, other_strides, moving_strides):  # type: ignore[no-untyped-def]  # as above
        board_after = np.full(boards * len(faces) * moves, -1, np.int32)
        pile_after, rest = np.full(piles * len(faces), -1, np.int32), np.full(piles * len(faces), -1, np.int64)
        for number in range(size):
            state = unpack(number)
            if turn(rules, state) != LUCK:
                continue
            board, pile = locate(state, board_strides), locate(state, pile_strides)
            for place in range(len(faces)):
                if odds(rules, state, faces[place]) == 0:
                    continue
                dealt, at = deal(rules, state, faces[place]), pile * len(faces) + place
                seat = turn(rules, dealt)
                if seat >= BOTH or locate(dealt, board_strides) != board:
                    return False, board_after, pile_after, rest
                if not agrees(rest, at, locate(dealt, moving_strides)):
                    return False, board_after, pile_after, rest
                for move in range(moves):
                    if not legal(rules, dealt, seat, move):
                        continue
                    after = apply(rules, dealt, move)
                    edge, acts = (board * len(faces) + place) * moves + move, turn(rules, after)
                    if acts == OVER:
                        if not agrees(board_after, edge, boards + winner(rules, after)):
                            return False, board_after, pile_after, rest
                        continue
                    fine = acts == LUCK and locate(after, other_strides) == locate(state, other_strides)
                    fine = fine and agrees(pile_after, at, locate(after, pile_strides))
                    if not (fine and agrees(board_after, edge, locate(after, board_strides))):
                        return False, board_after, pile_after, rest
        return True, board_after, pile_after, rest

    return walk


class Ready(NamedTuple):
    """What the loop reads: the tables of a duel together with a policy."""

    board_after: Any
    pile_after: Any
    board_row: Any
    pile_row: Any
    """The row of a plan: the board's part and the pile's, added up."""
    faces: Any
    faces_settled: Any
    faces_rests: Any
    rows: Any
    moves: Any
    settled: Any
    rests: Any


def made_ready(tables: Factored, policy: Lookup) -> Ready:
    strides = np.array(policy.strides)
    small = np.uint16 if tables.board_after.max() < 1 << 16 else np.int32
    return Ready(
        tables.board_after.clip(0).astype(small),
        tables.pile_after.clip(0).astype(np.int32),
        (tables.board_part @ strides).astype(np.int32),
        (tables.pile_part @ strides).astype(np.int32),
        tables.luck[0],
        tables.luck[1],
        tables.luck[2],
        policy.rows,
        policy.moves,
        policy.settled,
        policy.rests,
    )


@kept_beside
def play_factored(
    ready: Any,
    start_board: int,
    start_pile: int,
    seed: Any,
    low: int,
    high: int,
    bell: int,
    lengths: Any,
    winners: Any,
    turns_of: Any,
) -> tuple[bool, Any, Any, Any]:
    """Play the games from `low` to `high` and count them; or stop where a plan says nothing, and say where."""
    board_after, pile_after, board_row, pile_row, faces, faces_settled, faces_rests, rows, moves, settled, rests = ready
    boards = len(board_row)
    game, turns, keys = np.empty(LANES, np.int64), np.zeros(LANES, np.int64), np.empty(LANES, np.uint64)
    board, pile = np.full(LANES, start_board, np.uint64), np.full(LANES, start_pile, np.uint64)
    for lane in range(LANES):
        game[lane] = low + lane
        keys[lane] = stir(seed, low + lane)
    coming, left = low + LANES, high - low
    while left > 0:
        for lane in range(LANES):
            here, cards, key, turned = board[lane], pile[lane], keys[lane], turns[lane]
            word, place = stir(key, turned // ROUNDS), 2 * (turned % ROUNDS)
            cell = digit(word, place)
            face = uint64(faces[cards, uint64(cell)])
            if face == UNDECIDED:
                face = uint64(settle(key, 2 * turned, cell, cards, faces_settled, faces_rests))
            plan = uint64(rows[uint64(board_row[here] + pile_row[cards, face])])
            cell = digit(word, place + 1)
            move = uint64(moves[plan, uint64(cell)])
            if move >= BLANK:
                if move == BLANK:
                    return False, here, cards, face
                move = uint64(settle(key, 2 * turned + 1, cell, plan, settled, rests))
            after = np.int64(board_after[here, face, move])
            turned += 1
            if after < boards and turned < bell:
                board[lane] = uint64(after)
                pile[lane] = uint64(pile_after[cards, face])
                turns[lane] = turned
                continue
            if game[lane] < high:
                end = after - boards if after >= boards else NO_RESULT
                count(game[lane], end, turned, low, lengths, winners, turns_of)
                left -= 1
            board[lane], pile[lane], turns[lane] = uint64(start_board), uint64(start_pile), 0
            game[lane] = coming
            keys[lane] = stir(seed, coming)
            coming += 1
    return True, uint64(0), uint64(0), uint64(0)
