"""A solved duel: what every position is worth, and how to play it. Plain Python: a plain install plays perfectly.

A solution is a table from the numbers of positions (see `layout`) to what is known of them. In alternating duels and
duels of secret picks most positions share a few hundred facts, so the table holds a place in a list of facts. In duels
with luck it holds the values at the positions where a card comes; where a player decides, one look ahead through the
rules gives the rest.
"""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

from duelbook.core import BOTH, DRAW, LUCK, OVER, DuelError, Game
from duelbook.positions.layout import Numbering

ROUNDING = 1e-9
"""How far computing may carry a value beyond what it can be."""
ENDS = {0: 1.0, 1: -1.0, DRAW: 0.0}


class NotInTable(DuelError):
    """A position that cannot come up in play, so that the table does not hold it."""


class Option(NamedTuple):
    """One choice at a position: what it is worth for Player 1 and, in a decided game, in how many plies it ends."""

    move: int
    value: float
    plies: int | None


class Fact(NamedTuple):
    """What is known of a position, seen from Player 1."""

    low: float
    high: float
    plies: int
    """Plies to the end with best play, -1 where there is no such number."""
    first: tuple[float, ...]
    """How likely a perfect Player 1 picks each move; in alternating duels one of them is certain."""
    second: tuple[float, ...]


class Solution:
    """The solved duel. Values are Player 1's, from -1 (lost) over 0 (drawn, or endless) to 1 (won)."""

    def __init__(
        self, game: Game, rules: Any, kind: str, numbering: Numbering, table: array[Any], facts: list[Fact], about: Any
    ) -> None:
        self.game, self.rules, self.kind = game, rules, kind
        self.numbering, self.table, self.facts = numbering, table, facts
        self.states: int = about["states"]
        """How many positions were solved, mirrors counted once."""
        self.error: float = about["error"]
        """No value is further from the truth than this."""

    # What a position is worth

    def value(self, state: Any) -> float:
        turn = self.game.turn(self.rules, state)
        if turn == OVER:
            return ENDS[self.game.winner(self.rules, state)]
        if self.kind == "luck" and turn != LUCK:
            game, rules = self.game, self.rules
            values = [self.value(game.apply(rules, state, move)) for move in game.legal_moves(rules, state, turn)]
            return max(values) if turn == 0 else min(values)
        if self.kind == "luck":
            number, turned = self._number(state)
            value: float = self.table[number]
            if not abs(value) <= 1 + ROUNDING:  # no number at all stands where there is no position
                raise self._unknown(state)
            return -value if turned else value
        fact, _ = self._fact(state)
        return (fact.low + fact.high) / 2 + 0.0  # no minus in front of a zero

    def bounds(self, state: Any) -> tuple[float, float]:
        """What Player 1 can guarantee, and what Player 2 can hold Player 1 to."""
        if self.kind == "picks" and self.game.turn(self.rules, state) != OVER:
            fact, _ = self._fact(state)
            return fact.low + 0.0, fact.high + 0.0
        value = self.value(state)
        return value - self.error, value + self.error

    def plies(self, state: Any) -> int | None:
        """Plies to the end with best play, where one side can force it."""
        if self.kind != "backwards":
            return None
        if self.game.turn(self.rules, state) == OVER:
            return 0
        plies = self._fact(state)[0].plies
        return plies if plies >= 0 else None

    def options(self, state: Any) -> list[Option]:
        """Every legal move of the player whose turn it is, with what it is worth."""
        seat = self.game.turn(self.rules, state)
        found = []
        for move in self.game.legal_moves(self.rules, state, seat):
            after = self.game.apply(self.rules, state, move)
            plies = self.plies(after)
            found.append(Option(move, self.value(after), None if plies is None else plies + 1))
        return found

    # How to play it

    def plans(self, state: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """How likely each player's perfect play picks each move; all zeros for one who has no decision here."""
        fact, turned = self._fact(state)
        return (fact.second, fact.first) if turned else (fact.first, fact.second)

    def matrix(self, state: Any) -> list[list[float | None]]:
        """Where both pick: what each pair of picks is worth, None where one of them is not legal."""
        game, rules = self.game, self.rules
        if game.turn(rules, state) != BOTH:
            raise DuelError("Only one player decides at this position.")
        return [
            [
                self.value(game.resolve(rules, state, one, two))
                if game.legal(rules, state, 0, one) and game.legal(rules, state, 1, two)
                else None
                for two in game.moves
            ]
            for one in game.moves
        ]

    # The table

    def _number(self, state: Any) -> tuple[int, bool]:
        number, turned = self.numbering.find(state)
        if not 0 <= number < len(self.table):
            raise self._unknown(state)
        return number, turned

    def _fact(self, state: Any) -> tuple[Fact, bool]:
        """The fact, as seen by Player 1 of this position, and whether its plans belong to the other seats."""
        number, turned = self._number(state)
        place = self.table[number]
        if place == 0:
            raise self._unknown(state)
        fact = self.facts[place - 1]
        return (fact._replace(low=-fact.high, high=-fact.low), True) if turned else (fact, False)

    def holds(self, state: Any) -> bool:
        try:
            self.value(state)
        except NotInTable:
            return False
        return True

    def _unknown(self, state: Any) -> NotInTable:
        return NotInTable(f"The position {self.game.write_position(self.rules, state)} cannot come up in play.")
