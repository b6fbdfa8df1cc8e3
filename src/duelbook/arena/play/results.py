"""What an arena plays and what comes of it, as plain values: they are sent between processes and written to files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from duelbook.core import DRAW, Game, SomeRules, variant
from duelbook.engine.fault import CRASH, PROTOCOL, TIME
from duelbook.engine.limits import Limits
from duelbook.games import load
from duelbook.llm.asking import Asking
from duelbook.llm.faults import CUT, REFUSED, UNREADABLE
from duelbook.match import ILLEGAL, Match, Player
from duelbook.record import UNKNOWN_DATE

KILLED = "killed"
"""The process that refereed the game died while this program was being asked."""
FAULTS = (CRASH, TIME, ILLEGAL, PROTOCOL, KILLED, UNREADABLE, REFUSED, CUT)
"""How a program or a language model can lose a game away from the board."""


class Duel(NamedTuple):
    """A game and what its rules change of the book."""

    game: str
    rules: tuple[str, ...] = ()

    def __str__(self) -> str:
        """As people write it: `tower goal=20`."""
        return " ".join((self.game, *self.rules))

    @classmethod
    def named(cls, text: str) -> Duel:
        id, *changes = text.split()
        return cls(id, tuple(changes))

    def loaded(self) -> tuple[Game, SomeRules]:
        game = load(self.game)
        return game, variant(game, self.rules)


class Entrant(NamedTuple):
    """One player of a tournament."""

    name: str
    kind: str
    """As `players.seat_player` reads it: random, level:3, perfect, engine:./mybot; python:Mine for an object."""
    limits: Limits = Limits()
    player: Player | None = None
    """A Python object with `choose` that plays, in place of what the kind names."""
    asking: Asking | None = None
    """How a language model is asked; None for all others."""


class Settings(NamedTuple):
    """What all games of a tournament have in common."""

    event: str = "Duelbook arena"
    fingerprint: str = ""
    date: str = UNKNOWN_DATE


class Task(NamedTuple):
    """One game that is to be played. Everything that is not the players' own follows from it."""

    number: int
    """Its place in the schedule, from 0."""
    pair: int
    """Two games with the seats swapped and the same luck make a pair."""
    game: str
    rules: tuple[str, ...]
    """What differs from the book, each as `name=value`."""
    seats: tuple[int, int]
    """Which entrant sits in which seat."""
    seed: int
    """The seed of luck, the same for both games of a pair."""
    max_turns: int
    round: int = 1
    """In each round every two opponents play one pair of each duel."""
    opening: str = ""
    """The position in which both games of the pair begin, as the duel writes it; empty for the usual start."""
    own: tuple[int, int] = (0, 0)
    """For each seat the seed of its player's own choices, as far as it lets us choose: random and the levels do."""
    stacked: tuple[int, ...] = ()
    """Cards that were shown before an interruption, where the luck that gave them is gone."""

    @property
    def half(self) -> int:
        """0 for the first game of a pair, 1 for the second: a schedule numbers them one after the other."""
        return self.number % 2


class Fault(NamedTuple):
    """How a program failed: the seat it sat in, what kind of fault, and the sentence for people."""

    seat: int
    kind: str
    sentence: str
    stderr: str = ""
    """The last of what the program wrote to its standard error."""


Play = int | tuple[int, int]
"""A move, a card, or two picks."""


class Played(NamedTuple):
    """A game as whoever played it hands it back: what was done, and nothing that could be worked out from that."""

    number: int
    plays: tuple[Play, ...]
    """Every step."""
    fault: Fault | None = None
    match: Match | None = None
    """The match itself, where it was played in this process."""
    said: tuple[tuple[int, str], ...] = ()
    """What programs said of their thinking, each with the number of steps before it; where it is to be kept."""

    def __reduce__(self) -> tuple[type[Played], tuple[Any, ...]]:
        """What comes from another process is looked at again, so no match is sent."""
        return Played, (self.number, self.plays, self.fault, None, self.said)


class Result(NamedTuple):
    """One game that was played."""

    task: Task
    winner: int | None
    """A seat, DRAW, or None for no result."""
    reason: str
    turns: int
    fault: Fault | None = None
    losses: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    """For each seat, the win probability that each of its decisions gave away; empty where nothing is solved."""
    start: float = 0.0
    """What the duel is worth to the first seat before the first move, from -1 to 1."""
    luck: float = 0.0
    """What luck did for the first seat: a value whose mean is 0, whoever plays."""
    record: str = ""
    """The game as a `.duel` record."""
    guess: float = 0.0
    """What the guess did for the first seat where both pick at once.

    Between players who do not pick perfectly its mean need not be 0, so it must not be taken off a result as luck is.
    """

    def score(self, seat: int) -> float:
        """1 for a win, 0 for a loss, a half for a draw or no result."""
        if self.winner is None or self.winner == DRAW:
            return 0.5
        return 1.0 if self.winner == seat else 0.0

    def seat_of(self, entrant: int) -> int:
        return self.task.seats.index(entrant)


# Which games count, and which belong together


def unplayed(result: Result) -> bool:
    """A game that could not be played to its end, through no player's fault: it counts for nothing.

    Where the bell rang the turns are used up; here they are not.
    """
    return result.winner is None and result.fault is None and result.turns < result.task.max_turns


def counted(results: Iterable[Result]) -> list[Result]:
    return [result for result in results if not unplayed(result)]


def duel_name(task: Task) -> str:
    return str(Duel(task.game, task.rules))


def duels_of(results: Iterable[Result]) -> list[str]:
    return list(dict.fromkeys(duel_name(result.task) for result in results))


def pairs_of(results: Iterable[Result]) -> list[list[Result]]:
    """Games that share their luck, together; a game whose partner is missing stands alone."""
    found: dict[int, list[Result]] = {}
    for result in results:
        found.setdefault(result.task.pair, []).append(result)
    return list(found.values())
