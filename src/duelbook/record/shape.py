"""A record as a value, and what is wrong with a text that is none."""

from __future__ import annotations

from typing import NamedTuple

from duelbook.core import DRAW, DuelError
from duelbook.match import Match

RESULTS = {"1-0": 0, "0-1": 1, "1/2-1/2": DRAW, "*": None}
UNKNOWN_DATE = "????.??.??"
TAKEN_OVER = "TakenOver"
"""The tag of a game in which a person sat down in the place of a program: which seat, after how many turns."""
COACH = "Coach"
"""The tag of a game with a coach who speaks: on, or off where he was sent away."""
GAME_ID = "GameId"
"""The tag of a game that was saved: the place which was taken for it first. A copy of it is known by that, and told
apart from another game of the same day with the same moves."""
LONGEST_COMMENT = 100_000
"""Letters of all comments between two moves."""


class BadRecord(DuelError):
    """A file that is no record, or a game in it that goes wrong. Says where."""

    def __init__(self, sentence: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {sentence}")
        self.sentence, self.line, self.column = sentence, line, column


class Record(NamedTuple):
    """A game and what is known about it."""

    match: Match
    seats: tuple[str, str] = ("human", "human")
    """The kind of player in each seat."""
    date: str = UNKNOWN_DATE
    extra: dict[str, str] = {}  # noqa: RUF012 - never written to; a record is a value
    """Tags that mean nothing to Duelbook and are kept."""
    comments: dict[int, str] = {}  # noqa: RUF012 - never written to; a record is a value
    """Comments by the number of steps before them."""

    @property
    def day(self) -> str:
        """The date as people read it, `2026-11-18`; nothing where it is not known."""
        return "" if "?" in self.date else self.date.replace(".", "-")
