"""The walk through every position of a large duel, compiled: the same rule functions, a hundred times faster.

Positions are found and numbered by a `Layout` that is widened until it holds them all. As in the plain walk, a
position and its mirror are one node where the duel is the same for both seats.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from duelbook.core import Game
from duelbook.luck import below
from duelbook.match import Match, View
from duelbook.solve.compiled import compiled
from duelbook.solve.graph import mirrors, seat_swap
from duelbook.solve.layout import Layout, Span, flatten, layout_of, packing

SAMPLE_GAMES = 200
LARGEST = 400_000_000
"""More numbers than this do not fit into memory."""


class Wanderer:
    """Any legal move: enough to meet what a duel's positions look like."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, view: View) -> int:
        legal = view.legal()
        return legal[below(len(legal), self.seed, view.seat, view.number)]


class Found(NamedTuple):
    """A layout for every position that was met in play, and whether the duel can be turned round the table."""

    layout: Layout
    turns_round: bool


def first_layout(game: Game, rules: Any, kinds: tuple[int, ...]) -> Found:
    """A layout of the positions that random games meet. It is a first guess: the walk says when it is too narrow."""
    swap = seat_swap(game, rules)
    states = {game.start(rules, 0)}
    for seed in range(SAMPLE_GAMES):
        match = Match(game, rules, seed=seed)
        match.run((Wanderer(seed), Wanderer(seed)))
        states |= {step.before for step in match.steps if step.turn in kinds}
    same = swap is not None and all(mirrors(game, rules, state, swap.mirror) for state in states)
    if same and swap is not None:
        states |= {swap.mirror(state) for state in states}
    return Found(layout_of(states), same)


def widened(layout: Layout, state: Any) -> Layout:
    """The layout with room for one more state, and a little more in the same direction."""
    spans = []
    for span, value in zip(layout.spans, flatten(state), strict=True):
        values = [span.low, span.low + span.step * (span.places - 1), value]
        if span.places > 1:
            values.append(span.low + span.step)
        spans.append(Span.over(values))
    return layout._replace(spans=tuple(spans))


def compiled_tools(game: Game, layout: Layout, turns_round: bool) -> Any:
    """The game's compiled rules, how a number is unpacked, and which number a position has: its own or its mirror's."""
    from numba import njit

    state_type = type(game.start(game.book, 0))
    pack, unpack, mirror = (njit(function) for function in packing(layout, state_type))

    @njit
    def canonical(state):  # type: ignore[no-untyped-def]  # the compiler finds the types
        number = pack(state)
        if number < 0 or not turns_round:
            return number, 0
        other = pack(mirror(state))
        if other < 0:
            return -1, 0
        return (other, 1) if other < number else (number, 0)

    return compiled(game), unpack, canonical
