"""What was done in a pair of games that is not over, in a file that outlives whoever referees it.

A program can kill the process that referees its game, and so can a machine that runs out of memory. Nobody must gain
by that. So every step of a pair is noted as soon as it is made, in the words of `ledger`, and after a death the games
go on where they stood: the same moves, the same cards, the same clock. The file holds no seed, and of two sealed picks
neither before both are in: programs may be able to read it.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterable
from contextlib import suppress
from mmap import mmap
from pathlib import Path

from duelbook.arena.play.ledger import BEGIN, PEACE, step_line
from duelbook.arena.play.results import Play
from duelbook.disk import SaveError, read_text
from duelbook.locks import NEVER_FOLLOWED

PIECE = 4096
"""Bytes of room for a pair, to begin with."""
LARGEST = 64_000_000
"""Bytes of a trace that is read: many more than two games and all that was said in them."""


class Trace:
    """The file of one pair, for whoever plays it. Where nobody could gain by a death, as our own players do the same
    again, it has no folder, and nothing is noted.

    It is written through memory that the file shares: a step costs a fraction of a microsecond so, and what is in the
    file when the process dies stays there. Zeros at its end are room that nothing was written to yet.
    """

    def __init__(self, folder: Path | None, pair: int, known: str) -> None:
        """`known` is what is known of the pair from before."""
        self.kept = folder is not None
        if folder is None:
            return
        self.path = folder / str(pair)
        self._at = 0
        self._shared: mmap | None = None
        try:
            if not folder.is_dir():
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | NEVER_FOLLOWED, 0o600)
        except OSError as error:
            raise SaveError(f"No game can be begun, because {self.path} cannot be written: {error.strerror}.") from None
        self.note(f"{known}{BEGIN}")

    def note(self, line: str) -> None:
        self._write(f"{line}\n".encode())

    def _write(self, data: bytes) -> None:
        if not self.kept:
            return
        if _over:
            threading.Event().wait()  # for the end, which is near
        end = self._at + len(data)
        if self._shared is None or end > len(self._shared):
            self._shared = self._more_room(end)
        self._shared[self._at : end] = data
        self._at = end

    def _more_room(self, least: int) -> mmap:
        """Room is taken by writing zeros, so that a full disk is heard of here, and not by a signal that kills us."""
        if self._shared is not None:
            self._shared.close()
        try:
            size = os.fstat(self._file).st_size
            os.lseek(self._file, size, os.SEEK_SET)
            missing = bytes(max(PIECE, 2 * least) - size)
            if os.write(self._file, missing) < len(missing):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return mmap(self._file, 0)
        except OSError as error:
            raise SaveError(f"A game cannot go on, because {self.path} cannot be written: {error.strerror}.") from None

    def step(self, play: Play) -> None:
        self._write(b"%d\n" % play if type(play) is int else f"{step_line(play)}\n".encode())

    def close(self) -> None:
        if self.kept:
            if self._shared is not None:
                self._shared.close()
            os.close(self._file)


_over: list[bool] = []
"""Not empty once this process is about to leave."""


def note_no_more() -> None:
    """This process leaves, and ends its programs: whoever still referees must not take that for their fault."""
    _over.append(True)


def found(folder: Path, pairs: Iterable[int] | None = None) -> dict[int, str]:
    """The traces in a folder, those of some pairs or of all."""
    texts: dict[int, str] = {}
    for pair in pairs if pairs is not None else _numbers(folder):
        path = folder / str(pair)
        try:
            text = read_text(path, LARGEST)
            texts[pair] = text[: text.rfind("\n") + 1]
        except (FileNotFoundError, NotADirectoryError):
            continue
        except UnicodeDecodeError:
            raise SaveError(f"{path} should say how far a pair of games was, and is not text.") from None
        except OSError as error:
            raise SaveError(f"{path} cannot be read: {error.strerror}.") from None
    return texts


def _numbers(folder: Path) -> list[int]:
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    return sorted(int(name) for name in names if name.isascii() and name.isdigit() and len(name) < 20)


def stopped_in_peace(folder: Path) -> None:
    """Nobody died over the pairs that are begun here: they are broken off, and go on some other time."""
    for pair in _numbers(folder):
        with suppress(OSError), (folder / str(pair)).open("r+b") as file:
            file.seek(file.read().rfind(b"\n") + 1)  # behind it is half a line, or room that nothing was written to
            file.write(f"{PEACE}\n".encode())
            file.truncate()


def forget(folder: Path, pairs: Iterable[int]) -> None:
    for pair in pairs:
        with suppress(OSError):
            (folder / str(pair)).unlink()


def tidy(folder: Path) -> None:
    """Remove the folder if no pair in it waits to go on."""
    with suppress(OSError):
        folder.rmdir()
