"""The cross table: who scored what against whom. It depends on the games alone, not on the order they ended in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from duelbook.arena.judge.tally import Tally, chances, ending
from duelbook.arena.play.exact import Exact
from duelbook.arena.play.results import Entrant, Result, counted


class CrossTable(NamedTuple):
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
    cells: dict[tuple[int, int], Tally] = {}

    def add(me: int, foe: int, more: Tally) -> None:
        cells[me, foe] = cells.get((me, foe), Tally()).plus(more)

    for result in sorted(counted(results), key=lambda result: result.task.number):
        for seat in (0, 1):
            add(result.task.seats[seat], result.task.seats[1 - seat], ending(result, seat))
    for each in known:
        for seat in (0, 1):
            add(each.seats[seat], each.seats[1 - seat], chances(each, seat, rounds))
    totals = []
    for me in range(len(entrants)):
        total = Tally()
        for foe in range(len(entrants)):
            total = total.plus(cells.get((me, foe), Tally()))
        totals.append(total)
    return CrossTable(tuple(entrants), cells, tuple(totals))
