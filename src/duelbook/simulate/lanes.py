"""Board duels, compiled: eight games at once walk through the chain of `chain`.

A look-up has to wait for the one before it, so eight independent games are walked side by side, and a whole word of
choices without a question in between. Only then it is seen which games ended, or met a cell that the finer bits must
decide; such a word is walked again, step by step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import uint64

from duelbook.positions.compiler import kept, kept_beside
from duelbook.simulate.bits import PER_WORD
from duelbook.simulate.cells import UNDECIDED
from duelbook.simulate.choices import MASK, SHIFT, Finer, count, decided, digit, stir
from duelbook.simulate.outcomes import NO_RESULT

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

LANES = 8
Lanes = tuple[np.uint64, ...]


@kept
def _step(after: Array, at: Lanes, words: Lanes) -> Lanes:
    """One turn in each of the eight games."""
    return (
        uint64(after[(at[0] << SHIFT) | (words[0] & MASK)]),
        uint64(after[(at[1] << SHIFT) | (words[1] & MASK)]),
        uint64(after[(at[2] << SHIFT) | (words[2] & MASK)]),
        uint64(after[(at[3] << SHIFT) | (words[3] & MASK)]),
        uint64(after[(at[4] << SHIFT) | (words[4] & MASK)]),
        uint64(after[(at[5] << SHIFT) | (words[5] & MASK)]),
        uint64(after[(at[6] << SHIFT) | (words[6] & MASK)]),
        uint64(after[(at[7] << SHIFT) | (words[7] & MASK)]),
    )


@kept
def _shifted(words: Lanes) -> Lanes:
    return (
        words[0] >> SHIFT,
        words[1] >> SHIFT,
        words[2] >> SHIFT,
        words[3] >> SHIFT,
        words[4] >> SHIFT,
        words[5] >> SHIFT,
        words[6] >> SHIFT,
        words[7] >> SHIFT,
    )


@kept
def _slowly(
    after: Array, targets: Array, finer: Finer, key: np.uint64, block: int, at: int, bell: int
) -> tuple[int, int]:
    """One word of choices step by step: where it ends, and after how many turns of the game."""
    undecided = len(targets)
    word, turns = stir(key, block), block * PER_WORD
    for place in range(PER_WORD):
        if turns == bell or at > undecided:
            break
        cell = digit(word, place)
        found = int(np.int64(after[uint64(at) << SHIFT | cell]))
        if found == undecided:
            found = targets[at, decided(np.uint64(UNDECIDED), key, turns, cell, uint64(at), finer)]
        at = found
        turns += 1
    return at, turns


@kept
def _halted(at: Array, block: Array, undecided: np.uint64, last: int) -> int:
    """The lanes that cannot simply go on, one bit each: ended, undecided, or close to the bell."""
    bits = 0
    for lane in range(LANES):
        bits |= ((at[lane] >= undecided) | (block[lane] >= last)) << lane
    return bits


def _lanes_of_bits() -> tuple[Array, Array]:
    """For every set of lanes how many they are and which."""
    sets = [[lane for lane in range(LANES) if bits >> lane & 1] for bits in range(1 << LANES)]
    return np.array([len(lanes) for lanes in sets]), np.array([lanes + [0] * (LANES - len(lanes)) for lanes in sets])


HOW_MANY, WHICH = _lanes_of_bits()


@kept_beside
def play_chain(
    after: Array,
    targets: Array,
    finer: Finer,
    seed: np.uint64,
    low: int,
    high: int,
    bell: int,
    lengths: Array,
    winners: Array,
    turns_of: Array,
) -> None:
    """Play the games from `low` to `high` and count them. The games behind them that fill idle lanes do not count."""
    undecided = len(targets)
    ends = undecided + 1
    last = (bell - 1) // PER_WORD
    game, block = np.empty(LANES, np.int64), np.zeros(LANES, np.int64)
    keys, words = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    # Numbers without a sign: an index that cannot be negative needs no look at its sign.
    here, there = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    for lane in range(LANES):
        game[lane] = low + lane
        keys[lane] = stir(seed, low + lane)
    coming, left = low + LANES, high - low
    while left > 0:
        for lane in range(LANES):
            words[lane] = stir(keys[lane], block[lane])
        at = (here[0], here[1], here[2], here[3], here[4], here[5], here[6], here[7])
        bits = (words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7])
        for _ in range(PER_WORD):
            at = _step(after, at, bits)
            bits = _shifted(bits)
        there[0], there[1], there[2], there[3] = at[0], at[1], at[2], at[3]
        there[4], there[5], there[6], there[7] = at[4], at[5], at[6], at[7]
        # One question for all lanes, not one for each: the answer to each is a coin's, and guessing it wrong is dear.
        halted = _halted(there, block, uint64(undecided), last)
        for place in range(HOW_MANY[halted]):
            lane = WHICH[halted, place]
            found = int(np.int64(there[lane]))
            turns = (block[lane] + 1) * PER_WORD
            if found == undecided or block[lane] >= last:
                begun = np.int64(here[lane])
                found, turns = _slowly(after, targets, finer, keys[lane], block[lane], begun, bell)
                if found < undecided:
                    if turns < bell:
                        there[lane] = uint64(found)
                        continue
                    end = NO_RESULT
                else:
                    end = (found - ends) // PER_WORD
            else:
                end = (found - ends) // PER_WORD
                turns -= found - ends - end * PER_WORD
            if game[lane] < high:
                count(game[lane], end, turns, low, lengths, winners, turns_of)
                left -= 1
            game[lane] = coming
            keys[lane] = stir(seed, coming)
            coming += 1
            there[lane] = uint64(0)
            block[lane] = -1
        for lane in range(LANES):
            block[lane] += 1
        here, there = there, here
