"""What many games came to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from duelbook.core import DRAW
from duelbook.policies.meeting import NO_RESULT

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

Play = Callable[[int, int, "Array", "Array", "Array"], None]
"""Plays the games from one number to another and counts them into lengths, winners and turns of each."""


class Outcomes(NamedTuple):
    """How many of the games ended in each way. Every game is counted once, whether it was short or long."""

    game: str
    seed: int
    lengths: Array
    """lengths[end, n]: how many games of n turns ended so; `end` is a seat, DRAW or NO_RESULT."""
    winners: Any = None  # an array; whoever has asked for one need not ask whether it is there
    """If asked for: how each game ended, in the order of their numbers."""
    turns_of: Any = None  # as above
    """If asked for: how many turns each game took."""

    @property
    def games(self) -> int:
        return int(self.lengths.sum())

    @property
    def wins1(self) -> int:
        return int(self.lengths[0].sum())

    @property
    def wins2(self) -> int:
        return int(self.lengths[1].sum())

    @property
    def draws(self) -> int:
        return int(self.lengths[DRAW].sum())

    @property
    def no_results(self) -> int:
        """The bell rang first."""
        return int(self.lengths[NO_RESULT].sum())

    @property
    def histogram(self) -> Array:
        """histogram[n]: how many games took n turns. A round of secret picks is one turn; a card is none."""
        found: Array = self.lengths.sum(axis=0)
        return found

    @property
    def turns(self) -> int:
        """The turns of all games together."""
        return sum(length * int(count) for length, count in enumerate(self.histogram))

    @property
    def score(self) -> float:
        """Player 1's wins and half of what nobody won, as a share of the games."""
        return (self.wins1 + (self.draws + self.no_results) / 2) / self.games

    def __str__(self) -> str:
        many = "game" if self.games == 1 else "games"
        won = f"{self.wins1:,} won by Player 1, {self.wins2:,} by Player 2"
        words = f"{self.games:,} {many} of {self.game}: {won}"
        words += f", {self.draws:,} drawn, {self.no_results:,} without a result"
        return f"{words}; {self.turns / self.games:.2f} turns a game."


__all__ = ["NO_RESULT", "Outcomes", "Play"]
