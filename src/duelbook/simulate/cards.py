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
from duelbook.positions.compiler import keep_by, kept
from duelbook.positions.rule_code import functions_hash
from duelbook.simulate.bits import CELLS
from duelbook.simulate.by_rules import locating
from duelbook.simulate.cells import UNDECIDED
from duelbook.simulate.lanes import Ready, turns_of_two
from duelbook.simulate.lookup import Lookup
from duelbook.simulate.parts import Part, agrees, part_of, small, strides_of, with_ends
from duelbook.simulate.positions import Positions

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


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


def made_ready(cards: Cards, policy: Lookup, start: SomeState) -> Ready:
    """The tables that the loop reads: those of the duel together with a policy."""
    count, faces, moves = cards.board_after.shape
    leads = with_ends(cards.board_after.reshape(count, -1), count)
    adds = np.zeros((len(leads), 1), np.int64)
    adds[:count, 0] = cards.board.digits() @ np.array(policy.strides)
    width, bits = 1 + faces * moves, int((faces - 1) * moves).bit_length()
    plans = cards.luck.rows[cards.pile.digits() @ np.array(cards.luck.strides)]
    # What is drawn is the next pile and, in the low bits, the face times the number of moves.
    edges = cards.pile_after.clip(0) << bits | np.arange(faces) * moves
    kind = np.uint16 if edges.max() < np.iinfo(np.uint16).max - 1 else np.uint32
    drawn = cards.luck.moves.reshape(-1, CELLS)[plans].astype(np.int64)
    played = np.take_along_axis(edges, np.where(drawn == UNDECIDED, 0, drawn), axis=1)
    draws = np.where(drawn == UNDECIDED, np.iinfo(kind).max, played)
    luck = cards.luck.finer.at(plans)
    luck = luck._replace(order=np.take_along_axis(edges, luck.order, axis=1).astype(kind))
    rows = None
    if len(policy.rows) > 1:
        pile_adds = np.zeros((cards.pile.size, 1 << bits), np.int64)
        pile_adds[:, np.arange(faces) * moves] = cards.pile_part @ np.array(policy.strides)
        rows = (policy.rows, small(pile_adds.ravel()))
    tables = Tables(
        small(np.hstack([adds, leads * width]).ravel()),
        rows,
        int(policy.rows[0]),
        np.uint64(bits),
        np.uint64((1 << bits) - 1),
        count * width,
    )
    at = (np.uint64(cards.board.number(start) * width), np.uint64(cards.pile.number(start)))
    return Ready(tuple(tables), ((draws.astype(kind).ravel(), luck), policy.cells), at, width)


class Tables(NamedTuple):
    """What leads through a turn."""

    boards: Array
    """For each board what it adds to the row of a plan, and where it leads by face and move. Then the ends."""
    rows: tuple[Array, Array] | None
    """The rows of the plans, and what pile and face add to them; None for a policy that has but one plan, ..."""
    always: int
    """... which is this plan."""
    bits: np.uint64
    """So many of what is drawn are the face, ..."""
    mask: np.uint64
    """... these."""
    ends: int
    """The first end."""


@kept
def _pile(board: np.uint64, pile: np.uint64, *tables: object) -> np.uint64:
    """Luck's plan."""
    return pile


@kept
def _plan(board, pile, drawn, boards, rows, always, bits, mask, *_):  # type: ignore[no-untyped-def]  # the compiler finds the types
    if rows is None:
        return uint64(always)
    return uint64(rows[0][uint64(boards[board]) + uint64(rows[1][pile << bits | drawn & mask])])


@kept
def _lead(board, pile, drawn, move, boards, rows, always, bits, mask, *_):  # type: ignore[no-untyped-def]  # the compiler finds the types
    return uint64(boards[board + uint64(1) + (drawn & mask) + move]), drawn >> bits


@kept
def _beyond(board, pile, boards, rows, always, bits, mask, ends):  # type: ignore[no-untyped-def]  # the compiler finds the types
    return np.int64(board) - ends


play_cards = turns_of_two(_pile, _plan, _lead, _beyond)
