"""Who can sit in a seat: what a player is shown, what it must be able to do, and how it can fail."""

from __future__ import annotations

from operator import index
from typing import NamedTuple, Protocol, runtime_checkable

from duelbook.core import DuelError, Game, IllegalMove, SomeRules, SomeState
from duelbook.speech import quote


class View(NamedTuple):
    """All that a player may know when asked for a move: never luck to come, never the other's sealed pick."""

    game: Game
    rules: SomeRules
    state: SomeState
    seat: int
    number: int
    """Which turn of the match this is, from 0."""

    def legal(self) -> list[int]:
        return self.game.legal_moves(self.rules, self.state, self.seat)


class Player(Protocol):
    """Anything that can sit in a seat and decide by itself."""

    def choose(self, view: View) -> int: ...


def move_number(move: object) -> int:
    """The number that a player answered; an object can answer anything."""
    try:
        return index(move)  # type: ignore[arg-type]  # whether it can be one is the question
    except TypeError:
        raise IllegalMove(f"{quote(str(move))} is not a move: a move is a whole number.") from None


@runtime_checkable
class Prepared(Protocol):
    """A player that can get ready before the first move, so that anything it lacks is said in time."""

    def prepare(self, view: View) -> None: ...


@runtime_checkable
class Closable(Protocol):
    """A player that holds something which must be let go, as a program that runs."""

    def close(self) -> None: ...


ILLEGAL = "illegal"
"""The kind of fault of a player that plays what the rules do not allow."""


class PlayerFault(DuelError):
    """A player that decides by itself failed away from the board. `kind` is the short word for how."""

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind, self.sentence = kind, sentence
