"""The reference back end: NumPy, the rule functions in plain Python, and the plans as the players make them.

All games of a portion are at the same turn. Whatever was asked once, of the rules or of a policy, is remembered; so the
plain functions are called once for each position and each choice, and arrays do the rest. It knows nothing of the
tables and loops of the compiled back end, and must play the same games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from duelbook.core import BOTH, LUCK, OVER, Game, SomeRules, SomeState
from duelbook.simulate.bits import digits, fine, game_keys
from duelbook.simulate.cells import UNDECIDED, Cells, cells_of, settle, stretched, whole_cells
from duelbook.simulate.outcomes import NO_RESULT, Play
from duelbook.simulate.policy import Seat

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

PORTION = 1 << 17
"""So many games are played at once."""


class Memory:
    """Every position met so far, numbered as it came, and what was answered about it."""

    def __init__(self, game: Game, rules: SomeRules, seats: tuple[Seat, Seat]) -> None:
        self.game, self.rules, self.seats = game, rules, seats
        self.states: list[SomeState] = []
        self.numbers: dict[SomeState, int] = {}
        self.after: dict[int, int] = {}
        self.turns = np.zeros(0, np.int8)
        self.urns = {0: Urn(cells_of), 1: Urn(cells_of), LUCK: Urn(lambda known: whole_cells(stretched(known)))}

    def number(self, state: SomeState) -> int:
        if state not in self.numbers:
            self.numbers[state] = len(self.states)
            self.states.append(state)
        return self.numbers[state]

    def kinds(self, at: Array) -> Array:
        """Who acts at each position."""
        fresh = self.states[len(self.turns) :]
        if fresh:
            turns = [int(self.game.turn(self.rules, state)) for state in fresh]
            self.turns = np.concatenate([self.turns, np.array(turns, np.int8)])
        return self.turns[at]

    def carried(self, at: Array, choices: Array, carry: Callable[[SomeState, int], SomeState]) -> Array:
        """Where each position's choice leads. `carry` is asked once for each pair of the two."""
        width = max(len(self.game.moves) ** 2, len(self.game.faces))
        keys, places = np.unique(at * width + choices, return_inverse=True)
        found = np.empty(len(keys), np.int64)
        for place, key in enumerate(keys.tolist()):
            if key not in self.after:
                number, choice = divmod(key, width)
                self.after[key] = self.number(carry(self.states[number], choice))
            found[place] = self.after[key]
        return found[places]

    def chosen(self, at: Array, seat: int, keys: Array, choices: Array) -> Array:
        """The move of a seat in each game."""

        def plan(state: SomeState) -> tuple[float, ...]:
            return self.seats[seat].plan(state)

        return self.urns[seat].drawn(at, self.states, plan, keys, choices)

    def dealt(self, at: Array, keys: Array, choices: Array) -> Array:
        """Which of the faces comes in each game: its place among them."""
        game, rules = self.game, self.rules

        def weights(state: SomeState) -> tuple[int, ...]:
            return tuple(game.odds(rules, state, face) for face in game.faces)

        return self.urns[LUCK].drawn(at, self.states, weights, keys, choices)


class Urn:
    """The plans of a seat, or luck's weights, as they are asked for."""

    def __init__(self, cells: Callable[[list[Any]], Cells]) -> None:
        self.make = cells
        self.plans: dict[int, int] = {}
        """The number of the plan at a position."""
        self.known: dict[tuple[float, ...] | tuple[int, ...], int] = {}
        self.cells: Cells | None = None

    def drawn(
        self,
        at: Array,
        states: list[SomeState],
        plan: Callable[[SomeState], tuple[float, ...] | tuple[int, ...]],
        keys: Array,
        choices: Array,
    ) -> Array:
        numbers, places = np.unique(at, return_inverse=True)
        for number in numbers.tolist():
            if number not in self.plans:
                self.plans[number] = self.known.setdefault(plan(states[number]), len(self.known))
        if self.cells is None or len(self.cells.settled) < len(self.known):
            self.cells = self.make(list(self.known))
        rows = np.array([self.plans[number] for number in numbers.tolist()])[places]
        cells = digits(keys, choices)
        moves: Array = self.cells.moves[rows, cells].astype(np.int64)
        open = np.flatnonzero(moves == UNDECIDED)
        moves[open] = settle(self.cells, rows[open], cells[open], fine(keys[open], choices[open]))
        return moves


def reference_player(
    game: Game, rules: SomeRules, seats: tuple[Seat, Seat], seed: int, max_turns: int, first: int
) -> Play:
    memory = Memory(game, rules, seats)
    start = memory.number(game.start(rules, first))

    def play(low: int, high: int, lengths: Array, winners: Array, turns_of: Array) -> None:
        for begin in range(low, high, PORTION):
            numbers = np.arange(begin, min(high, begin + PORTION))
            ends, turns = _portion(memory, start, game_keys(seed, numbers), max_turns)
            np.add.at(lengths, (ends, turns), 1)
            if len(winners):
                winners[numbers - low], turns_of[numbers - low] = ends, turns

    return play


def _portion(memory: Memory, start: int, keys: Array, max_turns: int) -> tuple[Array, Array]:
    """Play one game for each key: how it ended and after how many turns."""
    ends, turns = np.full(len(keys), NO_RESULT, np.int64), np.full(len(keys), max_turns, np.int64)
    playing, at, choices = np.arange(len(keys)), np.full(len(keys), start, np.int64), np.zeros(len(keys), np.int64)
    for turn in range(max_turns):
        at = _luck(memory, playing, at, keys, choices)
        playing, at = _over(memory, playing, at, ends, turns, turn)
        if len(playing) == 0:
            break
        at = _decided(memory, playing, at, keys, choices)
        playing, at = _over(memory, playing, at, ends, turns, turn + 1)
    return ends, turns


def _luck(memory: Memory, playing: Array, at: Array, keys: Array, choices: Array) -> Array:
    game, rules = memory.game, memory.rules

    def deal(state: SomeState, place: int) -> SomeState:
        return game.deal(rules, state, game.faces[place])

    while True:
        waiting = np.flatnonzero(memory.kinds(at) == LUCK)
        if len(waiting) == 0:
            return at
        those = playing[waiting]
        faces = memory.dealt(at[waiting], keys[those], choices[those])
        at[waiting] = memory.carried(at[waiting], faces, deal)
        choices[those] += 1


def _decided(memory: Memory, playing: Array, at: Array, keys: Array, choices: Array) -> Array:
    """One turn in every game that goes on."""
    game, rules, moves = memory.game, memory.rules, len(memory.game.moves)
    kinds, found = memory.kinds(at), at.copy()
    for seat in (0, 1):
        mine = np.flatnonzero(kinds == seat)
        if len(mine):
            those = playing[mine]
            chosen = memory.chosen(at[mine], seat, keys[those], choices[those])
            found[mine] = memory.carried(at[mine], chosen, lambda state, move: game.apply(rules, state, move))
            choices[those] += 1
    both = np.flatnonzero(kinds == BOTH)
    if len(both):
        those = playing[both]
        one, two = (memory.chosen(at[both], seat, keys[those], choices[those] + seat) for seat in (0, 1))
        found[both] = memory.carried(
            at[both], one * moves + two, lambda state, pair: game.resolve(rules, state, *divmod(pair, moves))
        )
        choices[those] += 2
    return found


def _over(memory: Memory, playing: Array, at: Array, ends: Array, turns: Array, turn: int) -> tuple[Array, Array]:
    """Count the games that are over and go on with the others."""
    over = memory.kinds(at) == OVER
    if not over.any():
        return playing, at
    done = playing[over]
    ends[done] = [memory.game.winner(memory.rules, memory.states[number]) for number in at[over].tolist()]
    turns[done] = turn
    return playing[~over], at[~over]
