"""A board duel between two given policies as one table: from a position and six random bits to the next position.

Rules and policies are both in it, so a turn is one look-up. The table holds only what these two can reach.

Behind the positions stand the ends, and at last UNDECIDED: the finer bits must decide. Nobody asks for that on the way,
but where a word of choices has led to it, the word is gone through again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import uint64

from duelbook.core import OVER, Game, SomeRules, SomeState
from duelbook.positions.compiler import kept
from duelbook.simulate.bits import CELLS, PER_WORD
from duelbook.simulate.cells import UNDECIDED, cells_of
from duelbook.simulate.choices import SHIFT, Finer, count, decided, digit, finer, stir
from duelbook.simulate.lanes import LANES, begin
from duelbook.simulate.parts import WINNERS, outcome, small, with_ends
from duelbook.simulate.policy import Seat

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


ENDS = PER_WORD * WINNERS


class Chain(NamedTuple):
    after: Array
    """after[number * CELLS + cell]: the next number."""
    targets: Array
    """targets[number, move]: where a move leads, for the finer bits; 0 where it is not played."""
    finer: Finer
    """For each position."""


def chain_of(game: Game, rules: SomeRules, seats: tuple[Seat, Seat], first: int) -> Chain:
    """Walk from the start through everything that these two can reach."""
    _, plans, follow = walk(game, rules, seats, game.start(rules, first))
    count, moves = len(plans), len(game.moves)
    kinds = {plan: kind for kind, plan in enumerate(dict.fromkeys(plans))}
    cells = cells_of(list(kinds))
    kind_at = np.array([kinds[plan] for plan in plans])
    targets = np.zeros((count, moves), np.int64)
    for number, leads in enumerate(follow):
        for move, target in leads.items():
            targets[number, move] = target if target >= 0 else count - 1 - target
    drawn, undecided = cells.moves[kind_at].astype(np.int64), count + ENDS
    played = np.take_along_axis(targets, np.where(drawn == UNDECIDED, 0, drawn), axis=1)
    after = with_ends(np.where(drawn == UNDECIDED, undecided, played), count, PER_WORD)
    after = np.vstack([after, np.full(CELLS, undecided)])
    return Chain(small(after.ravel()), targets, finer(cells).at(kind_at))


@kept
def _again(after: Array, targets: Array, finer: Finer, key: np.uint64, block: int, at: np.uint64) -> np.uint64:
    """Where a word of choices leads, with finer bits where they must decide."""
    undecided, word = uint64(len(targets) + ENDS), stir(key, block)
    for place in range(PER_WORD):
        cell = digit(word, place)
        found = uint64(after[at << SHIFT | cell])
        if found == undecided:
            found = uint64(targets[at, decided(key, block * PER_WORD + place, cell, at, finer)])
        at = found
    return at


@kept
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
) -> int:
    """Play the games from `low` to `high` and count them, as `turns_of_two` does; no plan is silent here."""
    ends, undecided = len(targets), uint64(len(targets) + ENDS)
    game, block = np.empty(LANES, np.int64), np.zeros(LANES, np.int64)
    keys, words = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    begun, at = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    last, halted = -(-bell // PER_WORD), np.empty(LANES, np.int64)
    for lane in range(LANES):
        begin(lane, low + lane, seed, game, keys, block)
    coming, left = low + LANES, high - low
    while left > 0:
        for lane in range(LANES):
            words[lane], begun[lane] = stir(keys[lane], block[lane]), at[lane]
        for place in range(PER_WORD):
            for lane in range(LANES):
                at[lane] = uint64(after[at[lane] << SHIFT | digit(words[lane], place)])
        many = 0
        for lane in range(LANES):
            block[lane] += 1
            halted[many] = lane
            many += (at[lane] >= uint64(ends)) | (block[lane] >= last)
        for nth in range(many):
            lane = halted[nth]
            if at[lane] == undecided:
                at[lane] = _again(after, targets, finer, keys[lane], block[lane] - 1, begun[lane])
            turned, end = block[lane] * PER_WORD, np.int64(at[lane]) - ends
            if end < 0 and turned < bell:
                continue
            if game[lane] < high:
                end, turned = outcome(end, turned, bell)
                count(game[lane], end, turned, low, lengths, winners, turns_of)
                left -= 1
            begin(lane, coming, seed, game, keys, block)
            coming += 1
            at[lane] = uint64(0)
    return -1


def walk(
    game: Game, rules: SomeRules, seats: tuple[Seat, Seat], start: SomeState
) -> tuple[list[SomeState], list[tuple[float, ...]], list[dict[int, int]]]:
    """The positions, the plan at each, and where the moves that are played lead: a number, or -1 - winner."""
    numbers, states = {start: 0}, [start]
    plans: list[tuple[float, ...]] = []
    follow: list[dict[int, int]] = []
    for state in states:  # grows while it is walked
        plan = seats[game.turn(rules, state)].plan(state)
        leads = {}
        for move in game.moves:
            if not plan[move]:
                continue
            found = game.apply(rules, state, move)
            if game.turn(rules, found) == OVER:
                leads[move] = -1 - game.winner(rules, found)
                continue
            if found not in numbers:
                numbers[found] = len(states)
                states.append(found)
            leads[move] = numbers[found]
        plans.append(plan)
        follow.append(leads)
    return states, plans, follow
