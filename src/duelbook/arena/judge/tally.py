"""Games counted: which of them count, which belong together, and what two players did against each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from duelbook.arena.play.results import Result, Task
from duelbook.core import DRAW


def unplayed(result: Result) -> bool:
    """A game that could not be played to its end, through no player's fault: it counts for nothing.

    Where the bell rang the turns are used up; here they are not.
    """
    return result.winner is None and result.fault is None and result.turns < result.task.max_turns


def counted(results: Iterable[Result]) -> list[Result]:
    return [result for result in results if not unplayed(result)]


def duel_name(task: Task) -> str:
    """A duel as people write it: the game and what differs from the book."""
    return " ".join((task.game, *task.rules))


def duels_of(results: Iterable[Result]) -> list[str]:
    return list(dict.fromkeys(duel_name(result.task) for result in results))


def pairs_of(results: Iterable[Result]) -> list[list[Result]]:
    """Games that share their luck, together; a game whose partner is missing stands alone."""
    found: dict[int, list[Result]] = {}
    for result in results:
        found.setdefault(result.task.pair, []).append(result)
    return list(found.values())


class Tally(NamedTuple):
    """How games ended for one player."""

    wins: float = 0
    draws: float = 0
    losses: float = 0
    no_results: float = 0

    @property
    def games(self) -> float:
        return sum(self)

    @property
    def points(self) -> float:
        """Wins, and half of what nobody won."""
        return self.wins + (self.draws + self.no_results) / 2

    @property
    def score(self) -> float | None:
        return self.points / self.games if self.games else None

    def plus(self, other: Tally) -> Tally:
        return Tally(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def turned(self) -> Tally:
        """The same games as the other player sees them."""
        return Tally(self.losses, self.draws, self.wins, self.no_results)


def ending(result: Result, seat: int) -> Tally:
    """One game as a tally."""
    if result.winner is None:
        return Tally(no_results=1)
    if result.winner == DRAW:
        return Tally(draws=1)
    return Tally(wins=1) if result.winner == seat else Tally(losses=1)


def tally(results: Iterable[Result], entrant: int) -> Tally:
    """Everything that an entrant played."""
    total = Tally()
    for result in results:
        if entrant in result.task.seats:
            total = total.plus(ending(result, result.seat_of(entrant)))
    return total


def by_meeting(results: Sequence[Result]) -> dict[tuple[int, int, str], Tally]:
    """For every duel and every two entrants in their seats, what the first of them did."""
    found: dict[tuple[int, int, str], Tally] = {}
    for result in results:
        key = (*result.task.seats, duel_name(result.task))
        found[key] = found.get(key, Tally()).plus(ending(result, 0))
    return found


__all__ = ["Tally", "by_meeting", "counted", "duel_name", "duels_of", "ending", "pairs_of", "tally", "unplayed"]
