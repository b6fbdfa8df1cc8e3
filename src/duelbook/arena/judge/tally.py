"""Games counted, once for every purpose: how they ended for somebody, against everybody or against one opponent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

from duelbook.arena.play.exact import Exact
from duelbook.arena.play.results import Entrant, Result, counted, duel_name
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


def summed(tallies: Iterable[Tally]) -> Tally:
    return reduce(Tally.plus, tallies, Tally())


Meetings = dict[tuple[int, int, str, int], Tally]
"""What each entrant did against each other one, in each duel and from each seat. Every other count is made of it."""


def by_meeting(results: Iterable[Result]) -> Meetings:
    found: Meetings = {}
    for result in results:
        for seat in (0, 1):
            key = (result.task.seats[seat], result.task.seats[1 - seat], duel_name(result.task), seat)
            found[key] = found.get(key, Tally()).plus(ending(result, seat))
    return found


class CrossTable(NamedTuple):
    """Who scored what against whom. It depends on the games alone, not on the order they ended in."""

    entrants: tuple[Entrant, ...]
    cells: dict[tuple[int, int], Tally]
    """For each two that meet, what the first made of it."""
    totals: tuple[Tally, ...]

    def order(self) -> list[int]:
        """The entrants by their share of the points, then as they were entered."""
        return sorted(range(len(self.entrants)), key=lambda at: (-(self.totals[at].score or 0.0), at))


def cross_table(
    entrants: Sequence[Entrant], results: Iterable[Result], known: Iterable[Exact] = (), rounds: int = 1
) -> CrossTable:
    """The table of games that were played, and of chances that are known, as if so many rounds had been played."""
    parts = [((me, foe), met) for (me, foe, _, _), met in by_meeting(counted(results)).items()]
    for each in known:
        parts += [((each.seats[seat], each.seats[1 - seat]), chances(each, seat, rounds)) for seat in (0, 1)]
    cells: dict[tuple[int, int], Tally] = {}
    for pair, more in parts:
        cells[pair] = cells.get(pair, Tally()).plus(more)
    everybody = range(len(entrants))
    totals = (summed(cells[me, foe] for foe in everybody if (me, foe) in cells) for me in everybody)
    return CrossTable(tuple(entrants), cells, tuple(totals))
