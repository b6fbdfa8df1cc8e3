"""Random games of Tower Defense Duel as fast as this machine walks a table: the limit for `bench.selfplay`.

Everything that `duelbook.simulate` promises is left out. The rules are written out for this one duel, a table leads
from a position and six random bits to the next position (64 is no multiple of 3, and nobody minds), a game that ends
begins again at once in the same look-up, lanes run for a number of steps, and each lane has a generator of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

GOAL, BUILDS, KNOCKED = 15, (1, 2, 4), 3
LANES, CELLS, PER_WORD = 8, 64, 10
FIRST_WON, SECOND_WON = 1 << 14, 1 << 15
PLACE = FIRST_WON - 1


def table() -> Any:
    """Where 6 bits lead from (mover, one, two); the two highest bits say who has just won."""
    after = np.zeros((2 * GOAL * GOAL, CELLS), np.uint16)
    for mover in (0, 1):
        for one in range(GOAL):
            for two in range(GOAL):
                mine, theirs = (one, two) if mover == 0 else (two, one)
                moves = [(mine + build, theirs) for build in BUILDS]
                if theirs >= KNOCKED:
                    moves.append((mine, theirs - KNOCKED))
                for cell in range(CELLS):
                    high, low = moves[cell * len(moves) // CELLS]
                    if high >= GOAL:
                        wins = (high == GOAL) == (mover == 0)
                        entry = FIRST_WON if wins else SECOND_WON
                    else:
                        left, right = (high, low) if mover == 0 else (low, high)
                        entry = ((1 - mover) * GOAL + left) * GOAL + right
                    after[(mover * GOAL + one) * GOAL + two, cell] = entry
    return after.ravel()


@njit(nogil=True)
def walk(after: Any, words: int, seed: int) -> tuple[Any, Any]:
    """So many words of ten steps in each of eight lanes: how many games each side won."""
    six, mask, place = np.uint64(6), np.uint64(CELLS - 1), np.uint64(PLACE)
    first, second = np.uint64(14), np.uint64(15)
    at, state = np.zeros(LANES, np.uint64), np.empty(LANES, np.uint64)
    one = two = np.uint64(0)
    for lane in range(LANES):
        state[lane] = np.uint64(seed * LANES + lane + 1) * np.uint64(0x9E3779B97F4A7C15)
    a, b, c, d, e, f, g, h = at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7]
    for _ in range(words):
        for lane in range(LANES):  # xorshift
            state[lane] ^= state[lane] << np.uint64(13)
            state[lane] ^= state[lane] >> np.uint64(7)
            state[lane] ^= state[lane] << np.uint64(17)
        p, q, r, s = state[0], state[1], state[2], state[3]
        t, u, v, w = state[4], state[5], state[6], state[7]
        for _step in range(PER_WORD):
            a, p = np.uint64(after[(a & place) << six | p & mask]), p >> six
            b, q = np.uint64(after[(b & place) << six | q & mask]), q >> six
            c, r = np.uint64(after[(c & place) << six | r & mask]), r >> six
            d, s = np.uint64(after[(d & place) << six | s & mask]), s >> six
            e, t = np.uint64(after[(e & place) << six | t & mask]), t >> six
            f, u = np.uint64(after[(f & place) << six | u & mask]), u >> six
            g, v = np.uint64(after[(g & place) << six | v & mask]), v >> six
            h, w = np.uint64(after[(h & place) << six | w & mask]), w >> six
            # Added up without a branch.
            two += (a >> second) + (b >> second) + (c >> second) + (d >> second)
            two += (e >> second) + (f >> second) + (g >> second) + (h >> second)
            one += (a >> first) + (b >> first) + (c >> first) + (d >> first)
            one += (e >> first) + (f >> first) + (g >> first) + (h >> first)
    # Shifted by 14 only, a win of the second counts as 2.
    return np.int64(one) - 2 * np.int64(two), np.int64(two)
