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

HEAD = ("", "player", "games", "points", "%", "W", "D", "L", "none", "faults")
LONGEST = 16
"""Letters of a name beside the opponents' columns, where these stand apart."""


def table_lines(table: CrossTable, width: int | None = None) -> Iterator[str]:
    """The table with every opponent's column; where a terminal is too narrow for that, these follow by themselves."""
    order = table.order()
    places = [f"#{place}" for place in range(1, len(order) + 1)]
    rows = [
        [place, table.entrants[me].name, *totals(table.totals[me]), *(_cell(table, me, foe) for foe in order)]
        for place, me in zip(places, order, strict=True)
    ]
    rows.insert(0, [*HEAD, *places])
    whole = columns(rows, left=2)
    if fits(whole, width):
        yield from whole
    else:
        yield from columns([row[: len(HEAD)] for row in rows], width, left=2)
        yield ""
        yield "Points against each opponent:"
        yield from _crossing(rows, width)
    yield from _legend(table, width)


def _crossing(rows: Sequence[Sequence[str]], width: int | None) -> Iterator[str]:
    """The opponents' columns alone, in as many blocks as it takes."""
    named = [["", ""], *([place, clipped(name, LONGEST)] for place, name, *_ in rows[1:])]
    at = len(HEAD)
    while at < len(rows[0]):
        for end in range(len(rows[0]), at, -1):
            block = columns([[*name, *row[at:end]] for name, row in zip(named, rows, strict=True)], left=2)
            if fits(block, width):
                break
        yield from block
        at = end


def totals(total: Tally) -> list[str]:
    """Games, points, their share in percent, and how the games ended, as HEAD names them."""
    counts = (total.wins, total.draws, total.losses, total.no_results)
    return [
        f"{total.games:.0f}",
        number(total.points, total.exact),
        f"{100 * (total.score or 0.0):.1f}",
        *(number(count, total.exact) for count in counts),
        f"{total.faults:.0f}",
    ]


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
