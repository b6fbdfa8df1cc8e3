"""What happens in a match, as values: each step, what is told to whoever listens, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from duelbook.core import BOTH, SomeState


class Outcome(NamedTuple):
    """How a match ended, and the sentence that says why."""

    winner: int | None
    """A seat, DRAW, or None for no result."""
    reason: str
    kind: str = "rules"
    """rules, bell, resignation or fault."""

    @property
    def result(self) -> str:
        return "*" if self.winner is None else ("1-0", "0-1", "1/2-1/2")[self.winner]


class Step(NamedTuple):
    """One thing that happened: a move, a pair of picks, or a card."""

    turn: int
    play: Any
    """A move or a face, or two picks: what it is the turn says, which no type can."""
    before: SomeState


def resigned(name: str) -> str:
    """Why a match is over in which this player gave up."""
    return f"{name} resigned."


def last_picks(steps: Sequence[Step]) -> tuple[int, int] | None:
    """What both showed last; None where they have not yet, or never do."""
    return next((step.play for step in reversed(steps) if step.turn == BOTH), None)


class Dealt(NamedTuple):
    before: SomeState
    face: int
    after: SomeState


class Played(NamedTuple):
    seat: int
    before: SomeState
    move: int
    after: SomeState


class Sealed(NamedTuple):
    """A pick is in. Which one is nobody's business yet."""

    seat: int


class Revealed(NamedTuple):
    before: SomeState
    picks: tuple[int, int]
    after: SomeState


class TakenBack(NamedTuple):
    steps: tuple[Step, ...]


class Ended(NamedTuple):
    outcome: Outcome


Event = Dealt | Played | Sealed | Revealed | TakenBack | Ended
