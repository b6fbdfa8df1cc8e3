"""The cross table: who scored what against whom. It depends on the games alone, not on the order they ended in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from duelbook.arena.exact import Exact
from duelbook.arena.results import Entrant, Result
from duelbook.arena.tally import counted
from duelbook.core import DRAW


class Row(NamedTuple):
    """What one entrant made of some games. Computed games count with their chances, so nothing here is whole."""

    points: float = 0.0
    games: float = 0.0
    wins: float = 0.0
    draws: float = 0.0
    losses: float = 0.0
    """Over the board."""
    no_results: float = 0.0
    faults: float = 0.0
    """Games lost away from the board."""
    computed: float = 0.0
    """Games that count among all these with their chances, and were not played."""

    def plus(self, other: Row) -> Row:
        return Row._make(one + two for one, two in zip(self, other, strict=True))

    @property
    def exact(self) -> bool:
        """Some of it was computed, so it need not be whole."""
        return self.computed > 0


class Table(NamedTuple):
    entrants: tuple[Entrant, ...]
    cells: dict[tuple[int, int], Row]
    """For each two that meet, what the first made of it."""
    totals: tuple[Row, ...]

    def order(self) -> list[int]:
        """The entrants by their share of the points, then as they were entered."""
        return sorted(range(len(self.entrants)), key=lambda at: (-_share(self.totals[at]), at))


def cross_table(
    entrants: Sequence[Entrant], results: Iterable[Result], known: Iterable[Exact] = (), rounds: int = 1
) -> Table:
    """The table of games that were played, and of chances that are known, as if so many rounds had been played."""
    cells: dict[tuple[int, int], Row] = {}

    def add(me: int, foe: int, row: Row) -> None:
        cells[me, foe] = cells.get((me, foe), Row()).plus(row)

    for result in sorted(counted(results), key=lambda result: result.task.number):
        for seat in (0, 1):
            add(result.task.seats[seat], result.task.seats[1 - seat], _played(result, seat))
    for each in known:
        for seat in (0, 1):
            add(each.seats[seat], each.seats[1 - seat], _computed(each, seat, rounds))
    totals = []
    for me in range(len(entrants)):
        total = Row()
        for foe in range(len(entrants)):
            total = total.plus(cells.get((me, foe), Row()))
        totals.append(total)
    return Table(tuple(entrants), cells, tuple(totals))


def _played(result: Result, seat: int) -> Row:
    failed = result.fault is not None and result.fault.seat == seat
    return Row(
        result.score(seat),
        1,
        wins=result.winner == seat,
        draws=result.winner == DRAW,
        losses=result.winner == 1 - seat and not failed,
        no_results=result.winner is None,
        faults=failed,
    )


def _computed(each: Exact, seat: int, rounds: int) -> Row:
    meeting = each.meeting if seat == 0 else each.meeting.turned()
    chances = (meeting.score, 1.0, meeting.win, meeting.draw, meeting.loss, meeting.no_result, 0.0)
    return Row._make(rounds * chance for chance in (*chances, 1.0))


def _share(row: Row) -> float:
    return row.points / row.games if row.games else 0.0


# For people


def table_lines(table: Table, width: int = 100) -> Iterator[str]:
    """The table on a terminal: with every opponent's column where there is room, without where there is not."""
    order = table.order()
    names = [entrant.name for entrant in table.entrants]
    longest = max(8, *(len(name) for name in names))
    head = f"    {'player':<{longest}}{'games':>7}{'points':>9}{'%':>7}{'W':>8}{'D':>7}{'L':>8}{'none':>7}{'faults':>8}"
    cross = len(head) + 9 * len(order) <= width
    yield head + ("".join(f"{f'#{place}':>9}" for place in range(1, len(order) + 1)) if cross else "")
    for place, me in enumerate(order, 1):
        total = table.totals[me]
        counts = zip((total.wins, total.draws, total.losses, total.no_results), (8, 7, 8, 7), strict=True)
        yield (
            f"{f'#{place}':<4}{names[me]:<{longest}}{total.games:>7.0f}{number(total.points, total.exact):>9}"
            f"{100 * _share(total):>7.1f}"
            + "".join(f"{number(count, total.exact):>{room}}" for count, room in counts)
            + f"{total.faults:>8.0f}"
            + ("".join(f"{_cell(table, me, foe):>9}" for foe in order) if cross else "")
        )
    yield from _legend(table, cross)


def _cell(table: Table, me: int, foe: int) -> str:
    row = table.cells.get((me, foe))
    if row is None:
        return "-" if me != foe else "."
    return ("=" if row.exact else "") + number(row.points, row.exact)


def number(value: float, exact: bool = False) -> str:
    """Points in halves, and what was computed to a tenth."""
    return f"{value:.1f}" if exact or value % 1 else f"{value:.0f}"


def _legend(table: Table, cross: bool) -> Iterator[str]:
    said = "none: games without a result, half a point each. faults: games lost away from the board, not among L."
    yield ""
    yield said
    if any(row.exact for row in table.totals):
        where = " (=)" if cross else ""
        yield f"Between random, the levels and perfect nothing was played: their chances{where} are computed exactly."
    if not cross:
        yield "Who scored what against whom is shown in a wider window, by --report and by --json."


__all__ = ["Row", "Table", "cross_table", "table_lines"]
