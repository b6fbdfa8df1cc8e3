"""What the table of a solution holds of a position, and in what a solution answers."""

from __future__ import annotations

from typing import NamedTuple

from duelbook.positions.layout import Numbering


class Fact(NamedTuple):
    """What is known of a position, seen from Player 1."""

    low: float
    high: float
    plies: int
    """Plies to the end with best play, -1 where there is no such number."""
    first: tuple[float, ...]
    """How likely a perfect Player 1 picks each move; in alternating duels one of them is certain."""
    second: tuple[float, ...]

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2


class Choices(NamedTuple):
    """Where luck has a say and several moves are equally good: which of them a perfect player makes."""

    numbering: Numbering
    places: dict[int, int]
    """By the number of a position the place of the move among all legal ones, where it is not the first good one."""


class Option(NamedTuple):
    """One legal move of a seat, and what comes of it."""

    move: int
    value: float
    """What it is worth to Player 1 if both play perfectly from then on; of a secret pick, what a perfect answer leaves
    of it (see `loss`)."""
    plies: int | None
    """In a decided game, how many plies it takes to the end, this one counted."""
    lost: float
    """The win probability it gives away, 0 or more: half of `Solution.loss`."""

    def rank(self, seat: int) -> tuple[float, int]:
        """Sorts the best for a seat first: quick wins before slow ones, slow losses before quick ones."""
        mine = self.value if seat == 0 else -self.value
        return -mine, (self.plies or 0) * (1 if mine > 0 else -1)


class Draw(NamedTuple):
    """One face that luck can bring next."""

    face: int
    chance: float
    value: float
    """What the position is worth to Player 1 once it is there."""
