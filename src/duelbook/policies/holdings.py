"""What the seats have, and which moves are about that.

What a seat has is what its gauge shows: the pair of numbers in the state that the gauges of the duel's scene are read
from. A move that changes it somewhere, but not here, is wasted: a heal with nothing to heal, a blow that is stopped.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple
from weakref import WeakKeyDictionary

from duelbook.core import BOTH, DRAW, LUCK, OVER, SomeState
from duelbook.positions.effects import with_effect
from duelbook.positions.layout import flatten
from duelbook.scene import scene_of
from duelbook.solving.solution import Solution

COMPARED = 200
"""So many positions from all over the table are looked at."""
NOWHERE = -1

Has = tuple[float, float]


class Holdings(NamedTuple):
    place: int
    """Of the first seat's number among the ints of a state, the second's stands behind it; NOWHERE if there is none."""
    about: tuple[bool, ...]
    """Which moves change what a seat has, somewhere."""

    def at(self, state: SomeState) -> Has:
        if self.place == NOWHERE:
            return 0.0, 0.0
        one, two = flatten(state)[self.place : self.place + 2]
        return float(one), float(two)


def at_end(winner: int, before: Has) -> Has:
    """The loser has nothing left, the winner what they had."""
    if winner == DRAW:
        return before
    return (before[0], 0.0) if winner == 0 else (0.0, before[1])


_known: WeakKeyDictionary[Solution, Holdings] = WeakKeyDictionary()


def holdings_of(solution: Solution) -> Holdings:
    if solution not in _known:
        states = list(_some_positions(solution))
        place = _place(solution, states)
        _known[solution] = Holdings(place, _about(solution, Holdings(place, ()), states))
    return _known[solution]


def worth_making(solution: Solution, state: SomeState, moves: list[int], afters: list[SomeState]) -> list[bool]:
    """Of the moves that lead to these positions those with an effect, none of them wasted while others are not."""
    holdings = holdings_of(solution)
    before = holdings.at(state)
    effects = with_effect(solution.numbering.layout, state, afters)
    useful = [
        effect and not (holdings.about[move] and holdings.at(after) == before)
        for move, after, effect in zip(moves, afters, effects, strict=True)
    ]
    return useful if any(useful) else effects


def _place(solution: Solution, states: list[SomeState]) -> int:
    """The pair that the gauges show at all these positions; if there is no such pair, the first one of all."""
    pairs, at = list[int](), 0
    for length in solution.numbering.layout.shape:
        if length == 2:
            pairs.append(at)
        at += max(1, length)
    shown = [(_gauges(solution, state), flatten(state)) for state in states]
    fitting = [place for place in pairs if all(tuple(flat[place : place + 2]) == gauges for gauges, flat in shown)]
    return next(iter(fitting or pairs), NOWHERE)


def _gauges(solution: Solution, state: SomeState) -> tuple[int, ...]:
    return tuple(side.gauge.value for side in scene_of(solution.game, solution.rules, state).sides)


def _about(solution: Solution, holdings: Holdings, states: list[SomeState]) -> tuple[bool, ...]:
    game, rules = solution.game, solution.rules
    about = [False] * len(game.moves)
    for state in states:
        turn = game.turn(rules, state)
        if turn in (BOTH, OVER):
            continue
        for move in game.legal_moves(rules, state, turn):
            about[move] |= holdings.at(game.apply(rules, state, move)) != holdings.at(state)
    return tuple(about)


def _some_positions(solution: Solution) -> Iterator[SomeState]:
    """Positions from all over the table at which somebody decides."""
    game, rules, count = solution.game, solution.rules, len(solution.table)
    places = range(0, count, max(1, count // (4 * COMPARED)))
    held = (solution.position(place) for place in places if solution.known(place) is not None)
    for at, state in enumerate(islice(held, COMPARED)):
        while game.turn(rules, state) == LUCK:
            faces = [face for face in game.faces if game.odds(rules, state, face)]
            state = game.deal(rules, state, faces[at % len(faces)])
        yield state
