"""How wide the terminal is that somebody reads in, and sentences folded to it. Files and pipes get them whole."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TextIO

NARROWEST = 20
"""In a narrower window nothing is folded."""
FIRM = "\0"
"""Stands for a space at which no line may end."""
COMMAND = (
    r"(?<=: )(?:\S*duelbook|python -m duelbook|pip install)(?: (?:'[^']*'|[^'])+?)?(?=[.?!;] [A-Z]|$)|'duelbook [^']*'"
    r"|^ *duelbook .*$"
)
"""A command that is offered to be copied: behind a colon, in quotes, or as a line of its own. Compiled when needed."""


def width_of(stream: TextIO | None) -> int | None:
    """As wide as its window is, or None where nothing has to fit: a file, a pipe, nobody."""
    if stream is None or stream.closed or not stream.isatty():
        return None
    return columns(stream)


def columns(stream: TextIO | None) -> int:
    """As shutil has it, without the time it takes to import."""
    with suppress(ValueError, KeyError):
        return int(os.environ["COLUMNS"])
    with suppress(OSError, ValueError, AttributeError):
        return os.get_terminal_size(stream.fileno()).columns  # type: ignore[union-attr]  # no stream: AttributeError, 80
    return 80


def folded(text: str, width: int | None) -> str:
    """Lines that are longer than this broken between words, each part under the beginning of its line.

    A command that is there to be copied stays whole: it moves to a line of its own, and if it is longer than that, the
    terminal goes on with it below, which copies as one line.
    """
    if width is None or width < NARROWEST or all(len(line) <= width for line in text.split("\n")):
        return text
    return "\n".join(_folded_line(line, width) for line in text.split("\n"))


def _folded_line(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    from textwrap import wrap

    indent = " " * (len(line) - len(line.lstrip()))
    firm = re.sub(COMMAND, lambda found: found[0].replace(" ", FIRM), line).replace(" %", f"{FIRM}%")
    pieces = wrap(firm, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(pieces).replace(FIRM, " ")


def fitted(text: str, stream: TextIO | None) -> str:
    """The text as it is to be written to this stream."""
    return folded(text, width_of(stream))
