"""Tables in letters that fit a terminal, and the cross table among them. In a file or a pipe nothing has to fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from duelbook.arena.judge.tally import CrossTable, Tally
from duelbook.window import folded

GAP = 2
SHORTEST_NAME = 6


def fits(lines: Sequence[str], width: int | None) -> bool:
    return width is None or all(len(line) <= width for line in lines)


def columns(rows: Sequence[Sequence[str]], width: int | None = None, left: int = 1) -> list[str]:
    """Rows as lines, each column as wide as it must be; the first `left` of them begin at the left.

    What is too wide moves closer together. What is still too wide is taken off the names, which stand in the last
    column that begins at the left.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    gap = GAP
    if width is not None:
        gap = GAP if sum(widths) + GAP * (len(widths) - 1) <= width else 1
        over = max(0, sum(widths) + gap * (len(widths) - 1) - width)
        widths[left - 1] = max(min(SHORTEST_NAME, widths[left - 1]), widths[left - 1] - over)
    return [
        (" " * gap)
        .join(
            clipped(cell, room).ljust(room) if at < left else cell.rjust(room)
            for at, (cell, room) in enumerate(zip(row, widths, strict=True))
        )
        .rstrip()
        for row in rows
    ]


def clipped(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}."


def wrapped(sentence: str, width: int | None, indent: str = "") -> Iterator[str]:
    """A sentence in lines that are not longer than this."""
    yield from folded(indent + sentence, width).split("\n")


# The cross table

HEAD = ("player", "games", "points", "%", "W", "D", "L", "none", "faults")
WIDTHS = (7, 9, 7, 8, 7, 8, 7, 8)
OPPONENT = 9
"""How much room each column has, in letters, where there is room enough."""


def table_lines(table: CrossTable, width: int | None = None) -> Iterator[str]:
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


def _totals(total: Tally) -> list[str]:
    counts = (total.wins, total.draws, total.losses, total.no_results)
    return [
        f"{total.games:.0f}",
        number(total.points, total.exact),
        f"{100 * (total.score or 0.0):.1f}",
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


def _cell(table: CrossTable, me: int, foe: int) -> str:
    row = table.cells.get((me, foe))
    if row is None:
        return "-" if me != foe else "."
    return ("=" if row.exact else "") + number(row.points, row.exact)


def number(value: float, exact: bool = False) -> str:
    """Points in halves, and what was computed to a tenth."""
    return f"{value:.1f}" if exact or value % 1 else f"{value:.0f}"


def _legend(table: CrossTable, width: int | None) -> Iterator[str]:
    yield ""
    yield from wrapped(
        "none: games without a result, half a point each. faults: games lost away from the board, not among L.", width
    )
    if any(row.exact for row in table.totals):
        yield from wrapped(
            "Between random, the levels and perfect nothing was played: their chances (=) are computed exactly.", width
        )
