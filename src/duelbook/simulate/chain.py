"""A board duel between two given policies as one table: from a position and six random bits to the next position.

Rules and policies are both in it, so a turn is one look-up. The table holds only what these two can reach.

Behind the positions stand what else a look-up can answer. UNDECIDED: the finer bits must decide. And the ends, for
each winner as many as a word has choices: an end leads on to the next of its kind, so that whoever walks through a
whole word without looking finds at its last one who won and how many choices ago.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from duelbook.core import OVER, Game, SomeRules, SomeState
from duelbook.simulate.bits import CELLS, PER_WORD
from duelbook.simulate.cells import UNDECIDED, cells_of
from duelbook.simulate.choices import Finer, finer
from duelbook.simulate.policy import Seat

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


class Chain(NamedTuple):
    states: list[SomeState]
    after: Array
    """after[number * CELLS + cell]: the next number."""
    targets: Array
    """targets[number, move]: where a move leads, for the finer bits; 0 where it is not played."""
    finer: Finer
    """For each position."""

    @property
    def undecided(self) -> int:
        return len(self.states)

    @property
    def ends(self) -> int:
        """The first end; that of winner w, so many choices later, is `ends + w * PER_WORD + choices`."""
        return len(self.states) + 1


def chain_of(game: Game, rules: SomeRules, seats: tuple[Seat, Seat], first: int) -> Chain:
    """Walk from the start through everything that these two can reach."""
    states, plans, follow = _walk(game, rules, seats, game.start(rules, first))
    count, moves = len(states), len(game.moves)
    kinds = {plan: kind for kind, plan in enumerate(dict.fromkeys(plans))}
    cells = cells_of(list(kinds))
    kind_at = np.array([kinds[plan] for plan in plans])
    targets = np.zeros((count, moves), np.int64)
    for number, leads in enumerate(follow):
        for move, target in leads.items():
            targets[number, move] = target if target >= 0 else count + 1 + (-1 - target) * PER_WORD
    size = count + 1 + 3 * PER_WORD
    after = np.empty((size, CELLS), np.uint16 if size <= 1 << 16 else np.uint32)
    drawn = cells.moves[kind_at].astype(np.int64)
    played = np.where(drawn == UNDECIDED, 0, drawn)
    after[:count] = np.where(drawn == UNDECIDED, count, np.take_along_axis(targets, played, axis=1))
    after[count] = count
    for winner in range(3):
        begin = count + 1 + winner * PER_WORD
        later = np.minimum(np.arange(1, PER_WORD + 1), PER_WORD - 1)
        after[begin : begin + PER_WORD] = begin + later[:, None]
    return Chain(states, after.ravel(), targets, finer(cells).at(kind_at))


def _walk(
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
