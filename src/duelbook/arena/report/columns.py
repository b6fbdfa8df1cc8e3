"""Tables and sentences that fit a terminal. Where the text goes into a file or a pipe nothing has to fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
