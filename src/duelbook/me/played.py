"""A saved game as the record sees it: whom I met, from which seat, how it ended, and what my decisions gave away.

Which games count: one person against one program, begun where the book begins and played to an end, by whatever end.
Nobody won a drawn game, nor one that the bell ended, which has no result. All others are told apart, so that they can
be counted without being scored.
"""

from __future__ import annotations

from datetime import date
from math import fsum
from typing import NamedTuple

from duelbook.coach.scales import weigh_game
from duelbook.core import BOTH, DRAW, FIRST, SECOND, settings
from duelbook.match import Match
from duelbook.players import people_in
from duelbook.record import TAKEN_OVER, Record
from duelbook.solving.solution import Solution

WON, LOST, DRAWN, NO_RESULT = "won", "lost", "drawn", "no result"
UNFINISHED, PEOPLE, PROGRAMS, SET_UP, OVERTAKEN = "unfinished", "two people", "two programs", "set up", "taken over"
COPY = "copy"
OVER = (WON, LOST, DRAWN, NO_RESULT)
NOT_COUNTED = {
    UNFINISHED: "unfinished",
    PEOPLE: "between two people",
    PROGRAMS: "between two programs",
    SET_UP: "from a chosen position or with chosen luck",
    OVERTAKEN: "taken over from a program",
    COPY: "counted already under another name",
}
"""Why a game does not count, each in a few words that follow a number of games."""


class Played(NamedTuple):
    id: str
    duel: str
    rules: str
    """What differs from the book, as `hp=60 last=0`."""
    day: str
    """When it was begun, as 2026-11-16; nothing where nobody knows."""
    standing: str
    """One of OVER, or why it does not count."""
    opponent: str = ""
    """The kind of player I met."""
    seat: int = FIRST
    decisions: int = 0
    """Mine."""
    given: float | None = None
    """The win probability that they gave away, all together; None where nobody has weighed it."""
    file: str = ""
    """What it is known by under every name and in every copy."""

    @property
    def counts(self) -> bool:
        return self.standing in OVER

    @property
    def month(self) -> str:
        return self.day[:7]


def played(id: str, record: Record) -> Played:
    """The game that a file holds, its decisions not weighed yet."""
    match = record.match
    day = _day(record.date)
    people = people_in(record.seats)
    found = Played(id, match.game.id, " ".join(settings(match.game, match.rules)), day, _standing(record))
    if len(people) != 1:
        return found
    (seat,) = people
    decisions = sum(step.turn in (seat, BOTH) for step in match.steps)
    return found._replace(opponent=record.seats[1 - seat], seat=seat, decisions=decisions)


def _day(written: str) -> str:
    """The day in a record; nothing where its month is none that a calendar has."""
    day = written.replace(".", "-")
    try:
        date.fromisoformat(f"{day[:7]}-01")
    except ValueError:
        return ""
    return day


def _standing(record: Record) -> str:
    match, people = record.match, people_in(record.seats)
    if len(people) != 1:
        return PEOPLE if people else PROGRAMS
    if TAKEN_OVER in record.extra:  # some of the moves in that seat were a program's
        return OVERTAKEN
    if match.stacked or match.start not in (match.game.start(match.rules, seat) for seat in (FIRST, SECOND)):
        return SET_UP
    if match.outcome is None:
        return UNFINISHED
    if match.outcome.winner in (FIRST, SECOND):
        return WON if match.outcome.winner in people else LOST
    return DRAWN if match.outcome.winner == DRAW else NO_RESULT


def given_away(match: Match, seat: int, solution: Solution) -> float:
    """The win probability that a seat's decisions gave away in a game, as a review has it."""
    return fsum(weight.lost[seat] for weight in weigh_game(solution, match)) / 2
