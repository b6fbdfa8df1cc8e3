"""Records written, as text that `reads` turns back into the same game."""

from __future__ import annotations

from duelbook.record import moves, tags
from duelbook.record.checking import check
from duelbook.record.shape import Record

WIDTH = 80


def writes(record: Record) -> str:
    """The record as text that `reads` turns back into the same game. What could not be read again is refused."""
    check(record)
    return f"{tags.written(record)}\n\n{_wrap(moves.written(record))}\n"


def _wrap(pieces: list[str]) -> str:
    lines: list[str] = []
    line, length = pieces[:1], len(pieces[0])
    for piece in pieces[1:]:
        length += 1 + len(piece)
        if length > WIDTH:
            lines.append(" ".join(line))
            line, length = [], len(piece)
        line.append(piece)
    return "\n".join([*lines, " ".join(line)])
