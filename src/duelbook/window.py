"""How wide the terminal is that somebody reads in, and sentences folded to it. Files and pipes get them whole."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import TextIO

from duelbook.letters import cells, showable

FIRM = "\0"
"""Stands for a space at which no line may end."""
JOINED = r" (?=%)|(?<=<-) |(?<=[a-z]) (?=\d+(?:[,.?]| or\b))|(?<=\(Or:) "
"""Spaces at which no line ends, whatever is said: a figure keeps its sign, an arrow what it points out, the commands in
`build 1, build 2 or build 4` their numbers, and a word that is offered the bracket in which it stands."""
COMMAND = (
    r"(?<=: )(?:\S*duelbook|python -m duelbook|pip install)(?: (?:'[^']*'|[^'])+?)?(?=[.?!;] [A-Z]|$)|'duelbook [^']*'"
    r"|^ *duelbook .*$"
)
"""A command that is offered to be copied: behind a colon, in quotes, or as a line of its own. Compiled when needed."""
COLUMN = r" *\S+(?: \S+)* {2,}(?=\S)| *"
"""What stands before the words of a line: a key or a move in a column of its own, or only air."""


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


def hanging(line: str, width: int) -> int:
    """Columns before what a line goes on with below: its words stand under one another, beside their key or move."""
    found = re.match(COLUMN, line)
    column = found.end() if found else 0
    return column if column <= width // 2 else len(line) - len(line.lstrip())


def folded(text: str, width: int | None, whole: Iterable[str] = ()) -> str:
    """Lines that are longer than this broken between words, each part under the beginning of its line's words.

    A command that is there to be copied stays whole: it moves to a line of its own, and if it is longer than that, the
    terminal goes on with it below, which copies as one line. What somebody may type at a prompt, as `whole` has it, is
    not broken either.
    """
    if width is None or width < 1 or all(cells(line) <= width for line in text.split("\n")):
        return text
    return "\n".join(_folded_line(line, width, whole) for line in text.split("\n"))


def joined(text: str, by: str = FIRM) -> str:
    """The same, as long as before, with another letter in place of the spaces at which no line may end."""
    return re.sub(JOINED, by, text)


def _folded_line(line: str, width: int, whole: Iterable[str]) -> str:
    if cells(line) <= width:
        return line
    indent = " " * hanging(line, width)
    firm = re.sub(COMMAND, lambda found: found[0].replace(" ", FIRM), joined(line))
    for words in whole:
        firm = firm.replace(words, words.replace(" ", FIRM))
    lines, begun = [], ""
    for gap, word in re.findall(r"( *)([^ ]+)", firm):
        if begun.strip() and cells(begun + gap + word) > width:
            lines.append(begun)
            begun, gap = "", indent if len(indent) <= width // 2 else ""
        begun += gap + word
    return "\n".join([*lines, begun]).replace(FIRM, " ")


def fitted(text: str, stream: TextIO | None) -> str:
    """The text as it is to be written to this stream."""
    return folded(text if stream is None else showable(text, stream), width_of(stream))
