"""Random games of Number Duel (secret) as fast as this machine plays them: the limit for `bench.selfplay`.

Everything that `duelbook.simulate` can do besides is left out: other duels, other rules, other players. The rules are
written out, one game runs after the other, and the picks of a turn are two look-ups. The random numbers are the
simulator's, so that both play the same games. Four games side by side in registers were tried and are no faster.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numba import uint64

from duelbook.positions.compiler import kept

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

HP, HIGHEST, BELL = 100, 10, 200
CELLS, OPEN = 64, 255
SIX, MASK, TWELVE = np.uint64(6), np.uint64(CELLS - 1), np.uint64(12)
FINE, EIGHT, FINE_BITS = 1 << 32, np.uint64(8), np.uint64(56)


@cache
def tables() -> tuple[Array]:
    """What 6 bits pick after each last number, 0 for none; OPEN where finer bits decide."""
    picks = np.full((HIGHEST + 1, CELLS), OPEN, np.uint8)
    for last in range(HIGHEST + 1):
        numbers = [number for number in range(1, HIGHEST + 1) if number != last]
        whole = CELLS // len(numbers)
        picks[last, : whole * len(numbers)] = np.repeat(numbers, whole)
    return (picks.ravel(),)


@kept
def stir(bits: np.uint64, part: int) -> np.uint64:
    """SplitMix64's finaliser."""
    bits = (bits ^ uint64(part)) + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@kept
def settled(key: np.uint64, choice: int, cell: np.uint64, last: np.uint64) -> np.uint64:
    """The number at an open cell. Of ten numbers four cells are left over, of nine one."""
    fine: np.uint64 = stir(key, FINE + choice) >> EIGHT
    if last == 0:
        at = ((cell - np.uint64(60)) << np.uint64(54)) | (fine >> np.uint64(2))
        return np.uint64(1) + ((at >> np.uint64(4)) * np.uint64(10) >> np.uint64(52))
    nth = np.uint64(1) + ((fine * np.uint64(9)) >> FINE_BITS)
    return nth + np.uint64(nth >= last)


@kept
def walk(picks: Array, seed: np.uint64, low: int, high: int, lengths: Array) -> None:
    """Play the games from `low` to `high`, and count them by winner and turns."""
    for game in range(low, high):
        key, word = stir(seed, game), uint64(0)
        last1, last2 = uint64(0), uint64(0)
        hp1, hp2, turns = HP, HP, 0
        while hp1 > 0 and hp2 > 0 and turns < BELL:
            if turns % 5 == 0:
                word = stir(key, turns // 5)
            cell1, cell2 = word & MASK, (word >> SIX) & MASK
            word >>= TWELVE
            one, two = uint64(picks[last1 << SIX | cell1]), uint64(picks[last2 << SIX | cell2])
            if (one | two) >= uint64(128):
                if one == OPEN:
                    one = settled(key, 2 * turns, cell1, last1)
                if two == OPEN:
                    two = settled(key, 2 * turns + 1, cell2, last2)
            last1, last2 = one, two
            ahead = int(np.int64(one)) - int(np.int64(two))
            hp1 += min(ahead, 0)
            hp2 -= max(ahead, 0)
            turns += 1
        lengths[1 if hp1 <= 0 else 0 if hp2 <= 0 else 3, turns] += 1
