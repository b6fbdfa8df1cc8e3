"""What can happen at a position: every move, pair of picks and face that the referee lets through, fouls included."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from duelbook.core import BOTH, FIRST, LUCK, SECOND, Game, SomeState
from duelbook.luck import below

LONGEST_GAME = 200
"""A game at random is broken off after so many steps."""


class Step(NamedTuple):
    function: str
    arguments: tuple[int, ...]
    after: object


def allowed(game: Game, rules: object, state: object, seat: int) -> list[int]:
    """What the referee lets a seat play: legal moves, and fouls, which count all the same."""
    return [m for m in game.moves if game.legal(rules, state, seat, m) or game.foul(rules, state, seat, m)]


def steps(game: Game, rules: object, state: object) -> Iterator[Step]:
    turn = game.turn(rules, state)
    if turn == LUCK:
        for face in game.faces:
            if game.odds(rules, state, face) > 0:
                yield Step("rules.deal", (face,), game.deal(rules, state, face))
    elif turn == BOTH:
        for picks in product(*(allowed(game, rules, state, seat) for seat in (0, 1))):
            yield Step("rules.resolve", picks, game.resolve(rules, state, *picks))
    elif turn in (FIRST, SECOND):  # what else a mistaken turn may be, nobody acts there
        for move in allowed(game, rules, state, turn):
            yield Step("rules.apply", (move,), game.apply(rules, state, move))


def at_random(game: Game, rules: object, seed: int, longest: int = LONGEST_GAME) -> Iterator[SomeState]:
    """The positions of one game in which anything that can happen does; always the same one for a seed."""
    state = game.start(rules, seed % 2)
    yield state
    for number in range(longest):
        found = list(steps(game, rules, state))
        if not found:
            return
        state = found[below(len(found), seed, number)].after
        yield state
