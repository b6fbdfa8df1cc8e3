"""The cross table: who scored what against whom. It depends on the games alone, not on the order they ended in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from duelbook.arena.judge.tally import counted
from duelbook.arena.play.exact import Exact
from duelbook.arena.play.results import Entrant, Result
from duelbook.arena.report.columns import clipped, columns, fits, wrapped
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


HEAD = ("player", "games", "points", "%", "W", "D", "L", "none", "faults")
WIDTHS = (7, 9, 7, 8, 7, 8, 7, 8)
OPPONENT = 9
"""How much room each column has, in letters, where there is room enough."""


def table_lines(table: Table, width: int | None = None) -> Iterator[str]:
    """The table with every opponent's column; where a terminal is too narrow for that, what stood in them follows."""
    order = table.order()
    places = [f"#{place}" for place in range(1, len(order) + 1)]
    names = [table.entrants[me].name for me in order]
    totals = [_totals(table.totals[me]) for me in order]
    points = [[_cell(table, me, foe) for foe in order] for me in order]
    longest = max(8, *map(len, names))

    def wide(place: str, name: str, cells: Sequence[str], against: Sequence[str]) -> str:
        spaced = "".join(f"{cell:>{room}}" for cell, room in zip(cells, WIDTHS, strict=True))
        return f"{place:<4}{name:<{longest}}{spaced}" + "".join(f"{cell:>{OPPONENT}}" for cell in against)

    rows = list(zip(places, names, totals, points, strict=True))
    whole = [wide("", HEAD[0], HEAD[1:], places), *(wide(*row) for row in rows)]
    apart = not fits(whole, width)
    if apart:
        whole = [wide("", HEAD[0], HEAD[1:], ()), *(wide(place, name, cells, ()) for place, name, cells, _ in rows)]
        if not fits(whole, width):
            narrow = [[place, name, *cells] for place, name, cells, _ in rows]
            whole = columns([["", *HEAD], *narrow], width, left=2)
    yield from whole
    if apart:
        yield ""
        yield "Points against each opponent:"
        yield from _crossing(places, names, points, width)
    yield from _legend(table, width)


def _totals(total: Row) -> list[str]:
    counts = (total.wins, total.draws, total.losses, total.no_results)
    return [
        f"{total.games:.0f}",
        number(total.points, total.exact),
        f"{100 * _share(total):.1f}",
        *(number(count, total.exact) for count in counts),
        f"{total.faults:.0f}",
    ]


def _crossing(
    places: Sequence[str], names: Sequence[str], points: Sequence[Sequence[str]], width: int | None
) -> Iterator[str]:
    """The opponents' columns alone, in as many blocks as it takes."""
    room = 4 + min(max(map(len, names)), 16)
    many = max(1, ((width or OPPONENT) - room) // OPPONENT)
    shown = [clipped(name, 16) for name in names]
    for begin in range(0, len(places), many):
        here = range(begin, min(begin + many, len(places)))
        yield " " * room + "".join(f"{places[at]:>{OPPONENT}}" for at in here)
        for place, name, row in zip(places, shown, points, strict=True):
            yield f"{place:<4}{name:<{room - 4}}" + "".join(f"{row[at]:>{OPPONENT}}" for at in here)


def _cell(table: Table, me: int, foe: int) -> str:
    row = table.cells.get((me, foe))
    if row is None:
        return "-" if me != foe else "."
    return ("=" if row.exact else "") + number(row.points, row.exact)


def number(value: float, exact: bool = False) -> str:
    """Points in halves, and what was computed to a tenth."""
    return f"{value:.1f}" if exact or value % 1 else f"{value:.0f}"


def _legend(table: Table, width: int | None) -> Iterator[str]:
    yield ""
    yield from wrapped(
        "none: games without a result, half a point each. faults: games lost away from the board, not among L.", width
    )
    if any(row.exact for row in table.totals):
        yield from wrapped(
            "Between random, the levels and perfect nothing was played: their chances (=) are computed exactly.", width
        )


__all__ = ["Row", "Table", "cross_table", "table_lines"]
