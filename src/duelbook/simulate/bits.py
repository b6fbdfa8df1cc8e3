"""Random numbers that are a function of (seed, game, choice), and nothing else.

They are `duelbook.luck`'s: `key = mix(seed, game)` stands for a game, and `stir(key, n)` is its n-th number. Everything
that is left to chance is a choice: a move, a card, and where both pick at once first Player 1's number and then Player
2's. The choices of a game are counted from 0, and each takes six bits, so that one number serves ten of them. Where six
bits do not decide, 56 finer ones from a number of their own follow.

The functions here take NumPy arrays; `choices` holds the same for single numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duelbook.luck import mix

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

DIGIT = 6
"""The bits of a choice, ..."""
CELLS = 1 << DIGIT
"""... how many cells they tell apart, ..."""
PER_WORD = 64 // DIGIT
"""... and how many choices one number serves."""
FINE = 1 << 32
"""From here on a key's numbers are the finer bits of its choices."""
FINE_BITS = 56
TOTAL = 1 << (DIGIT + FINE_BITS)
"""What the weights of a plan add up to: one for each number that a choice's bits can be."""

_MASK = (1 << 64) - 1


def stirred(bits: Array, part: Array) -> Array:
    """`luck.stir` for whole arrays of 64-bit numbers."""
    bits = (bits ^ part) + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    bits ^= bits >> np.uint64(31)
    return bits


def seed_key(seed: int) -> np.uint64:
    """The 64 bits that stand for a seed."""
    return np.uint64(mix(seed & _MASK))


def game_keys(seed: int, games: Array) -> Array:
    return stirred(np.asarray(seed_key(seed)), games.astype(np.uint64))


def digits(keys: Array, choices: Array) -> Array:
    """Which cell each game's bits name, at its choice of this number."""
    words = stirred(keys, (choices // PER_WORD).astype(np.uint64))
    places = (DIGIT * (choices % PER_WORD)).astype(np.uint64)
    return ((words >> places) & np.uint64(CELLS - 1)).astype(np.int64)


def fine(keys: Array, choices: Array) -> Array:
    return stirred(keys, (FINE + choices).astype(np.uint64)) >> np.uint64(64 - FINE_BITS)
