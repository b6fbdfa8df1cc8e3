"""A duel with luck taken apart: what the cards do and what the players do, each in a small table of its own.

Luck's weights depend on a few ints of a state only, in Number Duel on the cards left. Where these ints (the pile)
change by what is dealt alone, and all others (the board) by what is dealt and the move alone, a turn is a handful of
look-ups into tables that stay in the processor's caches. Whether a duel comes apart in this way is not taken on trust:
every deal and every legal move at every position of the numbering is checked against the rules while the tables are
made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit, uint64

from duelbook.core import BOTH, LUCK, OVER, SomeState
from duelbook.positions.compiled import compiled
from duelbook.positions.compiler import keep_by, kept_beside
from duelbook.positions.rule_code import functions_hash
from duelbook.simulate.bits import CELLS, DIGIT
from duelbook.simulate.by_rules import locating
from duelbook.simulate.cells import BLANK, UNDECIDED
from duelbook.simulate.choices import MASK, SHIFT, Finer, count, decided, settled, stir
from duelbook.simulate.lookup import Lookup
from duelbook.simulate.parts import ROUNDS, Part, agrees, outcome, part_of, small, strides_of, with_ends
from duelbook.simulate.positions import Positions

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

LANES = 16


class Cards(NamedTuple):
    """A duel that came apart."""

    board: Part
    pile: Part
    board_after: Array
    """board_after[board, face, move]: the next board, or the number of boards + the winner; below 0 for neither."""
    pile_after: Array
    """pile_after[pile, face]."""
    pile_part: Array
    """pile_part[pile, face, digit]: what pile and face give to the position at which the move is chosen."""
    luck: Lookup
    """The weights of the faces, by the pile."""

    def position(self, board: int, pile: int, face: int) -> int:
        """The number of the position at which the move is chosen once a face is dealt."""
        digits = self.board.digits()[board] + self.pile_part[pile, face]
        return int(digits @ np.array(strides_of(self.board.layout)))


def taken_apart(places: Positions, luck: Lookup, still: Sequence[bool]) -> Cards | None:
    """The board and the pile, or None for a duel that does not come apart."""
    layout = places.layout
    full = strides_of(layout)
    pile = part_of(layout, [bool(stride) for stride in luck.strides])
    board = part_of(layout, [not stride and not fixed for stride, fixed in zip(luck.strides, still, strict=True)])
    others = tuple(stride if fixed else 0 for stride, fixed in zip(full, still, strict=True))
    moving = tuple(0 if own else stride for own, stride in zip(board.strides, full, strict=True))
    walk = _walker(places, board.size, pile.size)
    comes_apart, *flat = walk(places.rules, board.strides, pile.strides, others, moving)
    if not comes_apart:
        return None
    faces = len(places.game.faces)
    pile_after, rest = (table.reshape(pile.size, faces) for table in flat[1:])
    digits = [rest // stride % span.places for stride, span in zip(full, layout.spans, strict=True)]
    pile_part = np.where(rest[..., None] < 0, 0, np.stack(digits, axis=-1))
    return Cards(board, pile, flat[0].reshape(board.size, faces, -1), pile_after, pile_part, luck)


def _walker(places: Positions, boards: int, piles: int) -> Any:
    rules_of, unpack, locate = compiled(places.game), njit(places.unpack), locating(places.layout)
    turn, legal, apply, winner = rules_of.turn, rules_of.legal, rules_of.apply, rules_of.winner
    odds, deal = rules_of.odds, rules_of.deal
    size, faces, moves = places.count, np.array(places.game.faces), len(places.game.moves)

    @njit
    def walk(rules, board_strides, pile_strides, other_strides, moving_strides):  # type: ignore[no-untyped-def]  # the compiler finds the types
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
                seat, lies = turn(rules, dealt), locate(dealt, moving_strides)
                if seat >= BOTH or lies < 0 or locate(dealt, board_strides) != board or not agrees(rest, at, lies):
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
                    next_pile, next_board = locate(after, pile_strides), locate(after, board_strides)
                    fine = fine and next_pile >= 0 and agrees(pile_after, at, next_pile)
                    if not (fine and agrees(board_after, edge, next_board)):
                        return False, board_after, pile_after, rest
        return True, board_after, pile_after, rest

    return keep_by(functions_hash(walk), walk)


class Ready(NamedTuple):
    """What the loop reads: the tables of a duel together with a policy."""

    draws: Array
    """[pile, cell]: the next pile and, in the low bits, the face times the number of moves; all ones: undecided."""
    luck: Finer
    """For each pile, ..."""
    edges: Array
    """... and what is drawn by what the finer bits come to."""
    boards: Array
    """For each board what it adds to the row of a plan, and where it leads by face and move. Then the ends."""
    ends: int
    start: tuple[int, int]
    always: Array
    """The cells of a policy that does the same everywhere and never needs finer bits."""


def made_ready(cards: Cards, policy: Lookup, start: SomeState) -> tuple[Ready, tuple[Array, Array] | None]:
    """The tables, and the rows of the plans: None for a policy that does the same everywhere, without finer bits."""
    count, faces, moves = cards.board_after.shape
    leads = with_ends(cards.board_after.reshape(count, -1), count)
    adds = np.zeros((len(leads), 1), np.int64)
    adds[:count, 0] = cards.board.digits() @ np.array(policy.strides)
    width, always = 1 + faces * moves, policy.moves.reshape(-1, CELLS)[policy.rows[0]]
    plans = cards.luck.rows[cards.pile.digits() @ np.array(cards.luck.strides)]
    luck, bits = cards.luck.finer.at(plans), face_bits(faces, moves)
    edges = cards.pile_after.clip(0) << bits | np.arange(faces) * moves
    drawn = cards.luck.moves.reshape(-1, CELLS)[plans].astype(np.int64)
    kind = np.uint16 if edges.max() < np.iinfo(np.uint16).max else np.uint32
    played = np.take_along_axis(edges, np.where(drawn == UNDECIDED, 0, drawn), axis=1)
    draws = np.where(drawn == UNDECIDED, np.iinfo(kind).max, played)
    ready = Ready(
        draws.astype(kind).ravel(),
        luck,
        np.take_along_axis(edges, luck.order, axis=1).astype(kind),
        small(np.hstack([adds, leads * width]).ravel()),
        count * width,
        (cards.board.number(start) * width, cards.pile.number(start)),
        always,
    )
    if len(policy.rows) == 1 and always.max() < BLANK:
        return ready, None
    pile_adds = np.zeros((cards.pile.size, 1 << bits), np.int64)
    pile_adds[:, np.arange(faces) * moves] = cards.pile_part @ np.array(policy.strides)
    return ready, (policy.rows, small(pile_adds.ravel()))


def face_bits(faces: int, moves: int) -> int:
    """How many bits a face times the number of moves takes."""
    return int((faces - 1) * moves).bit_length()


@kept_beside
def play_cards(
    ready: Ready,
    rows: tuple[Array, Array] | None,
    policy: tuple[Array, Finer],
    seed: np.uint64,
    low: int,
    high: int,
    bell: int,
    lengths: Array,
    winners: Array,
    turns_of: Array,
) -> tuple[bool, np.int64, np.int64, np.int64]:
    """Play the games from `low` to `high` and count them; or stop where a plan says nothing, and say where."""
    draws, luck, edges, boards, ends, (start_board, start_pile), always = ready
    moves, finer = policy
    many = finer.order.shape[1]
    width = 1 + edges.shape[1] * many
    per_width = 1 / width  # to divide would take longer than all else that a game's end takes
    bits = 0
    while (edges.shape[1] - 1) * many >> bits:
        bits += 1
    face_mask, face_shift, open = uint64((1 << bits) - 1), uint64(bits), uint64(draws.dtype.type(-1))
    over = uint64(ends)  # without a sign, as what it is compared with: otherwise both become floats first
    game, block = np.empty(LANES, np.int64), np.zeros(LANES, np.int64)
    keys, words = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    at, piles = np.full(LANES, start_board, np.uint64), np.full(LANES, start_pile, np.uint64)
    for lane in range(LANES):
        game[lane] = low + lane
        keys[lane] = stir(seed, low + lane)
    coming, left = low + LANES, high - low
    while left > 0:
        for lane in range(LANES):
            words[lane] = stir(keys[lane], block[lane])
        for place in range(ROUNDS):
            for lane in range(LANES):
                board, pile, word = at[lane], piles[lane], words[lane] >> uint64(2 * DIGIT * place)
                cell = word & MASK
                drawn = uint64(draws[pile << SHIFT | cell])
                if drawn == open:
                    choice = 2 * (block[lane] * ROUNDS + place)
                    drawn = uint64(edges[pile, settled(keys[lane], choice, cell, pile, luck)])
                face = drawn & face_mask
                cell = (word >> SHIFT) & MASK
                if rows is None:
                    move = uint64(always[cell])
                else:
                    plan = uint64(rows[0][uint64(boards[board]) + uint64(rows[1][pile << face_shift | face])])
                    move = uint64(moves[plan << SHIFT | cell])
                    if move >= BLANK:
                        turn = block[lane] * ROUNDS + place
                        move = decided(move, keys[lane], 2 * turn + 1, cell, plan, finer)
                        if move == BLANK:
                            if game[lane] < high and turn < bell and board < over:
                                return False, np.int64(board) // width, np.int64(pile), np.int64(face) // many
                            move = uint64(0)
                at[lane] = uint64(boards[board + uint64(1) + face + move])
                piles[lane] = drawn >> face_shift
        for lane in range(LANES):
            block[lane] += 1
            turned = block[lane] * ROUNDS
            if at[lane] < over and turned < bell:
                continue
            end = int((at[lane] - over) * per_width + 0.5) if at[lane] >= over else -1
            end, turned = outcome(end, turned, bell)
            if game[lane] < high:
                count(game[lane], end, turned, low, lengths, winners, turns_of)
                left -= 1
            game[lane] = coming
            keys[lane] = stir(seed, coming)
            coming += 1
            at[lane], piles[lane], block[lane] = uint64(start_board), uint64(start_pile), 0
    return True, np.int64(0), np.int64(0), np.int64(0)
