"""Every way on from every position that play can come to, compiled: what the tables of a step are filled from.

A way is a move, a pair of picks, or a ticket that luck draws: its weights as tickets of which each is as likely as the
next. Positions stand here as the digits of their number in a layout, ends and what comes of fouls included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit

from duelbook.core import BOTH, LUCK, OVER, DuelError, Game, SomeRules
from duelbook.envs.encoding import Encoding
from duelbook.envs.lanes import whole_rules
from duelbook.positions.compiler import keep_by
from duelbook.positions.layout import Layout, joined, layout_of, packing
from duelbook.positions.rule_code import functions_hash
from duelbook.positions.size import MOST_NUMBERS, TooLarge, named
from duelbook.simulate.parts import strides_of

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

HERE, ALONE, PAIR, DEAL = range(4)
"""What is asked: about the position itself, or what follows from a move, from a pair of picks, from a ticket."""
KIND, TICKETS, MASKS = 0, 1, 2
"""Where the answers about a position stand: who acts, or who has won; luck's tickets; from here on the masks."""
NEVER_ASKED = -1
"""The answer where it does not matter: luck's tickets where luck does not act, the mask of who is not on turn."""
WORD = 16
"""So many moves have their bits in one number."""
MOST_TICKETS = (1 << 16) - 1
FINE, STRAY, ENDLESS = 0, 1, 2
"""How a walk went: to the end; to a position that the layout does not hold; to luck with too many tickets."""


class Ways(NamedTuple):
    """All positions of a duel from its start on, and the function that tells about each."""

    layout: Layout
    start: int
    numbers: Array
    """The number of each position in the layout, in their order."""
    seen: Array
    """For each number of the layout whether a position stands there."""
    tickets: int
    """The most tickets that luck ever has; 0 where it never acts."""
    in_a_row: bool
    """Whether luck can act again before anybody has decided."""
    told: Any
    """told(rules, number, way, one, two, found) writes what is asked into `found`, and says whether there is such a
    way. Of a way on that is the digits of the position that follows."""


def words_of(encoding: Encoding) -> int:
    """How many numbers a mask is made of."""
    return -(-encoding.moves // WORD)


def ways_of(encoding: Encoding) -> Ways:
    """Walk everywhere. A position that does not fit into the layout widens it."""
    game, rules, layout = encoding.game, encoding.rules, encoding.layout
    while True:
        if layout.size > MOST_NUMBERS:
            raise TooLarge(f"{named(game, rules)} is too large for tables: there are {layout.size:,} numbers to fill.")
        walk, told = _compiled(encoding, layout)
        seen = np.zeros(layout.size, np.bool_)
        start = int(packing(layout, type(game.start(rules, 0))).pack(game.start(rules, 0)))
        went, stray, tickets, in_a_row = walk(rules, start, seen, np.empty(layout.size, np.int32))
        if went == FINE:
            return Ways(layout, start, np.flatnonzero(seen), seen, int(tickets), bool(in_a_row), told)
        if went == ENDLESS:
            raise _too_fine(game, rules)
        layout = joined(layout, layout_of([stray]))


def _too_fine(game: Game, rules: SomeRules) -> DuelError:
    return DuelError(f"Luck in {named(game, rules)} has weights that add up to more than {MOST_TICKETS:,} tickets.")


def _compiled(encoding: Encoding, layout: Layout) -> tuple[Any, Any]:
    rules_of, functions = whole_rules(encoding), packing(layout, type(encoding.game.start(encoding.rules, 0)))
    pack, unpack = njit(functions.pack), njit(functions.unpack)
    turn, legal, foul, winner = rules_of.turn, rules_of.legal, rules_of.foul, rules_of.winner
    apply, resolve, odds, deal = rules_of.apply, rules_of.resolve, rules_of.odds, rules_of.deal
    moves, words, faces = encoding.moves, words_of(encoding), np.array(encoding.game.faces or (0,))
    strides, places = tuple(strides_of(layout)), tuple(span.places for span in layout.spans)
    ints = len(places)

    @njit
    def counts(rules, state, seat, move):  # type: ignore[no-untyped-def]  # the compiler finds the types
        return legal(rules, state, seat, move) or foul(rules, state, seat, move)

    @njit
    def weights(rules, state):  # type: ignore[no-untyped-def]  # the compiler finds the types
        """All of luck's weights together, and what divides every one of them."""
        total, common = 0, 0
        for face in faces:
            weight = odds(rules, state, face)
            total += weight
            while weight:
                common, weight = weight, common % weight
        return total, max(1, common)

    @njit
    def dealt(rules, state, ticket):  # type: ignore[no-untyped-def]  # the compiler finds the types
        _, common = weights(rules, state)
        for face in faces:
            ticket -= odds(rules, state, face) // common
            if ticket < 0:
                return deal(rules, state, face)
        return state

    @njit
    def ways_on(rules, state):  # type: ignore[no-untyped-def]  # the compiler finds the types
        """What can follow, and how many ways there are to ask for in each of two places."""
        acts = turn(rules, state)
        if acts == OVER:
            return HERE, 0, 0
        if acts == LUCK:
            total, common = weights(rules, state)
            return DEAL, total // common, 1
        return (PAIR, moves, moves) if acts == BOTH else (ALONE, moves, 1)

    @njit
    def after(rules, state, way, one, two):  # type: ignore[no-untyped-def]  # the compiler finds the types
        """What follows, and whether there is such a way at all."""
        if way == DEAL:
            return dealt(rules, state, one), True
        if way == PAIR:
            if not counts(rules, state, 0, one) or not counts(rules, state, 1, two):
                return state, False
            return resolve(rules, state, one, two), True
        if not counts(rules, state, turn(rules, state), one):
            return state, False
        return apply(rules, state, one), True

    @njit
    def told(rules, number, way, one, two, found):  # type: ignore[no-untyped-def]  # the compiler finds the types
        state = unpack(number)
        if way != HERE:
            there, most, most_too = ways_on(rules, state)
            if there != way or one >= most or two >= most_too:
                return False
            state, can = after(rules, state, way, one, two)
            number = pack(state)
            for at in range(ints):
                found[at] = number // strides[at] % places[at]
            return can
        acts = turn(rules, state)
        found[KIND] = acts if acts != OVER else OVER + winner(rules, state)
        found[TICKETS] = NEVER_ASKED
        if acts == LUCK:
            total, common = weights(rules, state)
            found[TICKETS] = total // common
        for seat in range(2):
            mine = acts in (seat, BOTH)
            for word in range(seat * words, (seat + 1) * words):
                found[MASKS + word] = found[MASKS + 2 * words + word] = 0 if mine else NEVER_ASKED
            for move in range(moves if mine else 0):
                bit, word = 1 << (move % WORD), seat * words + move // WORD
                if legal(rules, state, seat, move):
                    found[MASKS + word] |= bit
                if counts(rules, state, seat, move):
                    found[MASKS + 2 * words + word] |= bit
        return True

    @njit
    def walk(rules, start, seen, queue):  # type: ignore[no-untyped-def]  # the compiler finds the types
        queue[0], known, tickets, in_a_row = start, 1, 0, False
        seen[start] = True
        at = 0
        while at < known:
            state = unpack(queue[at])
            at += 1
            way, most, most_too = ways_on(rules, state)
            if way == DEAL:
                tickets = max(tickets, most)
                if tickets > MOST_TICKETS:
                    return ENDLESS, state, tickets, in_a_row
            for one in range(most):
                for two in range(most_too):
                    following, can = after(rules, state, way, one, two)
                    if not can:
                        continue
                    number = pack(following)
                    if number < 0:
                        return STRAY, following, tickets, in_a_row
                    if way == DEAL and turn(rules, following) == LUCK:
                        in_a_row = True
                    if not seen[number]:
                        seen[number] = True
                        queue[known] = number
                        known += 1
        return FINE, state, tickets, in_a_row

    return keep_by(functions_hash(walk), walk), told
