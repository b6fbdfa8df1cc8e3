"""Games counted, once for every purpose: how they ended for somebody, against everybody or against one opponent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from duelbook.arena.play.exact import Exact
from duelbook.arena.play.results import Result, duel_name
from duelbook.core import DRAW


class Tally(NamedTuple):
    """How games ended for one player. Computed games count with their chances, so nothing here need be whole."""

    games: float = 0
    wins: float = 0
    draws: float = 0
    losses: float = 0
    """Over the board."""
    no_results: float = 0
    faults: float = 0
    """Games lost away from the board."""
    computed: float = 0
    """Games that count among all these with their chances, and were not played."""

    @property
    def points(self) -> float:
        """Wins, and half of what nobody won."""
        return self.wins + (self.draws + self.no_results) / 2

    @property
    def lost(self) -> float:
        """However it was lost."""
        return self.losses + self.faults

    @property
    def score(self) -> float | None:
        return self.points / self.games if self.games else None

    @property
    def exact(self) -> bool:
        """Some of it was computed, so it need not be whole."""
        return self.computed > 0

    def plus(self, other: Tally) -> Tally:
        return Tally._make(mine + theirs for mine, theirs in zip(self, other, strict=True))


def ending(result: Result, seat: int) -> Tally:
    """One game as a tally."""
    if result.winner is None:
        return Tally(1, no_results=1)
    if result.winner == DRAW:
        return Tally(1, draws=1)
    if result.winner == seat:
        return Tally(1, wins=1)
    failed = result.fault is not None and result.fault.seat == seat
    return Tally(1, faults=1) if failed else Tally(1, losses=1)


def chances(each: Exact, seat: int, rounds: int) -> Tally:
    """A meeting that is computed, as if so many rounds of it had been played."""
    meeting = each.meeting if seat == 0 else each.meeting.turned()
    shares = (1.0, meeting.win, meeting.draw, meeting.loss, meeting.no_result, 0.0, 1.0)
    return Tally._make(rounds * share for share in shares)


def tally(results: Iterable[Result], entrant: int) -> Tally:
    """Everything that an entrant played."""
    total = Tally()
    for result in results:
        if entrant in result.task.seats:
            total = total.plus(ending(result, result.seat_of(entrant)))
    return total


def by_meeting(results: Iterable[Result]) -> dict[tuple[int, int, str], Tally]:
    """For every duel and every two entrants in their seats, what the first of them did."""
    found: dict[tuple[int, int, str], Tally] = {}
    for result in results:
        key = (*result.task.seats, duel_name(result.task))
        found[key] = found.get(key, Tally()).plus(ending(result, 0))
    return found
