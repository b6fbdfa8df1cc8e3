"""Random games of Number Duel (deck) as fast as this machine plays them: the limit for `bench.selfplay`.

Everything that `duelbook.simulate` can do besides is left out: other duels, other rules, other players. A card is one
look-up by the cards left and six random bits, a move is one bit, and both players' LP follow by one look-up. Four games
are walked side by side, a whole word of five turns without a question in between; a game that is over counts the turns
since. The random numbers are the simulator's, so that both play the same games. One game after the other, with LP
reckoned instead of looked up, takes nearly twice as long; more games side by side take a little longer, too.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from bench.secret_by_hand import CELLS, EIGHT, FINE, MASK, SIX, stir
from numba import uint64

from duelbook.positions.compiler import kept

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

LP, CARDS, BELL = 20, 10, 200
LANES, ROUNDS = 4, 5
FULL, OPEN = (1 << CARDS) - 1, np.iinfo(np.uint16).max
CARD = np.uint64(CARDS)
"""An entry holds the cards left after a draw in so many low bits, the card above them."""
LEFT = np.uint64(FULL)
OVER = 2 * LP * LP
START = LP * LP - 1
"""(mover, LP, LP) is (mover * 20 + LP - 1) * 20 + LP - 1; behind these stand the ends, by winner and turns since."""


@cache
def tables() -> tuple[Array, Array, Array]:
    """What 6 bits draw from the cards left, what the finer bits draw, and where card and move lead."""
    draws, nth = np.full((FULL + 1, CELLS), OPEN, np.uint16), np.zeros((FULL + 1, CARDS), np.uint16)
    for left in range(FULL + 1):
        pile = left or FULL
        entries = [(pile ^ (1 << card)) | (card + 1) << CARDS for card in range(CARDS) if pile >> card & 1]
        whole = CELLS // len(entries)
        draws[left, : whole * len(entries)] = np.repeat(entries, whole)
        nth[left, : len(entries)] = entries
    after = np.zeros((OVER + 2 * ROUNDS, 16, 2), np.uint16)
    for mover in (0, 1):
        for place in range(LP * LP):
            lp = (place // LP + 1, place % LP + 1)
            mine, theirs = lp[mover], lp[1 - mover]
            for card in range(1, CARDS + 1):
                for move, (high, low) in enumerate([(mine, theirs - card), (min(LP, mine + card // 2), theirs)]):
                    one, two = (high, low) if mover == 0 else (low, high)
                    goes_on = ((1 - mover) * LP + one - 1) * LP + two - 1
                    after[mover * LP * LP + place, card, move] = goes_on if low > 0 else OVER + mover * ROUNDS
    for end in range(2 * ROUNDS):
        after[OVER + end] = OVER + end + (end % ROUNDS < ROUNDS - 1)
    return draws.ravel(), nth, after.ravel()


@kept
def settled(key: np.uint64, choice: int, cell: np.uint64, left: np.uint64, nth: Array) -> np.uint64:
    """What is drawn at an open cell."""
    many, cards = uint64(0), left if left > 0 else LEFT
    while cards > 0:
        many += cards & uint64(1)
        cards >>= uint64(1)
    open = uint64(CELLS) % many
    at = ((cell + open - uint64(CELLS)) << np.uint64(48)) | (stir(key, FINE + choice) >> EIGHT >> EIGHT)
    return np.uint64(nth[left, at * many // open >> np.uint64(48)])


@kept
def walk(draws: Array, nth: Array, after: Array, seed: np.uint64, low: int, high: int, lengths: Array) -> None:
    """Play the games from `low` to `high`, and count them by winner and turns."""
    game, block = np.empty(LANES, np.int64), np.zeros(LANES, np.int64)
    keys, words = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    piles, at = np.zeros(LANES, np.uint64), np.full(LANES, START, np.uint64)
    for lane in range(LANES):
        game[lane] = low + lane
        keys[lane] = stir(seed, low + lane)
    coming, waiting = low + LANES, high - low
    while waiting > 0:
        for lane in range(LANES):
            words[lane] = stir(keys[lane], block[lane])
        for place in range(ROUNDS):
            for lane in range(LANES):
                word, left = words[lane] >> uint64(12 * place), piles[lane]
                entry = uint64(draws[left << SIX | (word & MASK)])
                if entry == OPEN:
                    entry = settled(keys[lane], 2 * (block[lane] * ROUNDS + place), word & MASK, left, nth)
                piles[lane] = entry & LEFT
                heals = (word >> np.uint64(11)) & uint64(1)
                at[lane] = uint64(after[at[lane] << np.uint64(5) | (entry >> CARD) << uint64(1) | heals])
        for lane in range(LANES):
            block[lane] += 1
            end, turns = np.int64(at[lane]) - OVER, block[lane] * ROUNDS
            if end < 0 and turns < BELL:
                continue
            turns -= end % ROUNDS if end >= 0 else 0
            if game[lane] < high:
                lengths[end // ROUNDS if end >= 0 else 3, turns] += 1
                waiting -= 1
            game[lane] = coming
            keys[lane] = stir(seed, coming)
            coming += 1
            piles[lane], at[lane], block[lane] = uint64(0), uint64(START), 0
