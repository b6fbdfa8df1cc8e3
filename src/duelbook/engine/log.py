"""Everything that is said between a referee and its programs, written down for whoever builds one.

One file serves all programs and all workers of a machine: each event is one line, and each line is appended in one
piece. A file that cannot be written any more costs nobody a game.
"""

from __future__ import annotations

import os
from contextlib import suppress
from time import monotonic
from typing import NamedTuple

from duelbook.core import DuelError
from duelbook.speech import plain

TO, FROM, ERROR, NOTE = ">", "<", "!", "#"
"""What a line is: said to the program, said by it, said by it on standard error, or told of it."""


class LogFile(NamedTuple):
    """Where it is written, and when its time began: by a clock that all processes of a machine share."""

    path: str
    begun: float


def begin(path: str, what: str) -> LogFile:
    """Begin a log, at the end of the file if there is one already; refused where it cannot be written."""
    file = LogFile(path, monotonic())
    try:
        handle = _opened(file)
    except OSError as error:
        raise DuelError(f"The log cannot be written to {plain(path)}: {error.strerror}.") from None
    os.write(handle, f"{0:12.6f} {NOTE} {plain(what)}\n".encode())
    os.close(handle)
    return file


def _opened(file: LogFile) -> int:
    return os.open(file.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


class Log:
    """The log of one player, whatever processes it has one after the other."""

    def __init__(self, file: LogFile, name: str) -> None:
        self.file, self.name = file, name
        self.where = ""
        """Which game it plays, for those who play many."""
        self._handle: int | None = None
        self._error = b""
        """The last line on standard error, as far as it has come."""

    def write(self, mark: str, text: bytes, process: int | None = None) -> None:
        """Write down what was said, a line for each of its lines."""
        who = self.name if process is None else f"{self.name}[{process}]"
        head = f"{monotonic() - self.file.begun:12.6f} {plain(who)} {plain(self.where)}".rstrip()
        lines = text.decode("utf-8", "replace").removesuffix("\n").split("\n")
        with suppress(OSError):
            if self._handle is None:
                self._handle = _opened(self.file)
            os.write(self._handle, "".join(f"{head} {mark} {plain(line)}\n" for line in lines).encode())

    def error(self, piece: bytes, process: int, *, last: bool = False) -> None:
        """What came on standard error; a line is written down once it has come to its end."""
        whole, newline, rest = (self._error + piece).rpartition(b"\n")
        self._error = b"" if last else rest[-LONGEST_ERROR:]
        if newline:
            self.write(ERROR, whole, process)
        if last and rest:
            self.write(ERROR, rest, process)

    def close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


LONGEST_ERROR = 1 << 14
