"""Many games at once, compiled: what the loops of all duels share, and the loop of turns that are two choices.

A look-up has to wait for the one before it, so independent games are played side by side, and each by a whole word of
choices without a question in between whether it is over. Only then it is seen which games ended, and how long ago.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit, uint64

from duelbook.positions.compiler import keep_by, kept
from duelbook.positions.rule_code import functions_hash
from duelbook.simulate.bits import DIGIT
from duelbook.simulate.choices import MASK, SHIFT, count, decided, stir
from duelbook.simulate.parts import ROUNDS, outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from duelbook.positions.numbers import Array
    from duelbook.simulate.choices import Finer

LANES = 24


class Ready(NamedTuple):
    """What `turns_of_two` makes games of."""

    tables: Any
    """Whatever its functions read: a tuple, for the compiler."""
    cells: tuple[tuple[Array, Finer], tuple[Array, Finer]]
    """The plans of both choices: what every cell comes to, all ones for undecided, one less for nothing said."""
    start: tuple[np.uint64, np.uint64]
    apart: int
    """How far apart the ends are."""


@kept
def begin(lane: int, number: int, seed: np.uint64, game: Array, keys: Array, block: Array) -> None:
    """Put a game into a lane, before its first word of choices."""
    game[lane], keys[lane], block[lane] = number, stir(seed, number), 0


def turns_of_two(first_plan: Any, second_plan: Any, lead: Any, beyond: Any) -> Callable[..., int]:
    """The loop of a duel in which a turn is a card and a move, or a pick of each seat.

    A game is at two places, say a board and a pile. `first_plan(one, two, *tables)` is the plan of the first choice,
    `second_plan(one, two, chosen, *tables)` that of the second, `lead(one, two, chosen, answer, *tables)` where a turn
    leads, and `beyond(one, two, *tables)` how far behind the first of the ends a game has come, below 0 for not yet.
    """

    @njit
    def play(tables, cells, start, apart, seed, low, high, bell, lengths, winners, turns_of):  # type: ignore[no-untyped-def]  # the compiler finds the types
        """Play the games from `low` to `high` and count them: -1, or the number of a game in which a plan is silent.

        The games behind them that fill idle lanes do not count.
        """
        (moves1, finer1), (moves2, finer2) = cells
        # Without a sign, as what they are compared with: otherwise both become floats first.
        blank1, blank2 = uint64(moves1.dtype.type(-2)), uint64(moves2.dtype.type(-2))
        game, block = np.empty(LANES, np.int64), np.zeros(LANES, np.int64)
        keys, words = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
        ones, twos = np.full(LANES, start[0], np.uint64), np.full(LANES, start[1], np.uint64)
        per_end = 1 / apart
        last, halted = -(-bell // ROUNDS), np.empty(LANES, np.int64)
        for lane in range(LANES):
            begin(lane, low + lane, seed, game, keys, block)
        coming, left = low + LANES, high - low
        while left > 0:
            for lane in range(LANES):
                words[lane] = stir(keys[lane], block[lane])
            for place in range(ROUNDS):
                for lane in range(LANES):
                    one, two, word = ones[lane], twos[lane], words[lane] >> uint64(2 * DIGIT * place)
                    plan, cell = first_plan(one, two, *tables), word & MASK
                    chosen = uint64(moves1[plan << SHIFT | cell])
                    if chosen >= blank1:
                        turn = block[lane] * ROUNDS + place
                        if chosen > blank1:
                            chosen = decided(keys[lane], 2 * turn, cell, plan, finer1)
                        elif game[lane] < high and turn < bell and beyond(one, two, *tables) < 0:
                            return game[lane]
                        else:
                            chosen = uint64(0)
                    plan, cell = second_plan(one, two, chosen, *tables), (word >> SHIFT) & MASK
                    answer = uint64(moves2[plan << SHIFT | cell])
                    if answer >= blank2:
                        turn = block[lane] * ROUNDS + place
                        if answer > blank2:
                            answer = decided(keys[lane], 2 * turn + 1, cell, plan, finer2)
                        elif game[lane] < high and turn < bell and beyond(one, two, *tables) < 0:
                            return game[lane]
                        else:
                            answer = uint64(0)
                    ones[lane], twos[lane] = lead(one, two, chosen, answer, *tables)
            many = 0
            for lane in range(LANES):
                block[lane] += 1
                halted[many] = lane
                # Added, not asked: the answer is a coin's, and guessing it wrong is dear.
                many += (beyond(ones[lane], twos[lane], *tables) >= 0) | (block[lane] >= last)
            for nth in range(many):
                lane = halted[nth]
                if game[lane] < high:
                    end = beyond(ones[lane], twos[lane], *tables)
                    if end >= 0:
                        end = int((end + 0.5) * per_end)  # to divide takes longer than all else that an end takes
                    end, turned = outcome(end, block[lane] * ROUNDS, bell)
                    count(game[lane], end, turned, low, lengths, winners, turns_of)
                    left -= 1
                begin(lane, coming, seed, game, keys, block)
                coming += 1
                ones[lane], twos[lane] = start
        return -1

    found: Callable[..., int] = keep_by(functions_hash(play), play)
    return found
