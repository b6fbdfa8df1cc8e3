"""What was done in a pair of games that is not over, in a file that outlives whoever referees it.

A program can kill the process that referees its game, and so can a machine that runs out of memory. Nobody must gain
by that. So every step of a pair is noted here as soon as it is made, and after a death the games go on where they
stood: the same moves, the same cards, the same clock. The file holds no seed, and of two sealed picks neither before
both are in: programs may be able to read it.

It is a list of lines. `+` begins an attempt to play the pair and `=` ends it in peace; an attempt without its end is a
death. `game 17` begins a game, perhaps with the position where it begins behind it; `4` and `7/5` are its steps, and
`clock 0 9.5` says what a seat has left. `?0` says that seat 0 is being asked while no other program runs, `!0` that
this is over. `end`, `fault ...` and `gone` end the game.
"""

from __future__ import annotations

import errno
import json
import os
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from mmap import mmap
from pathlib import Path
from typing import Any

from duelbook.arena.results import FAULTS, KILLED, Fault, Played
from duelbook.core import DuelError
from duelbook.disk import SaveError
from duelbook.locks import NEVER_FOLLOWED
from duelbook.speech import quote

BEGIN, PEACE, GAME, CLOCK, END, FAULT, GONE = "+", "=", "game", "clock", "end", "fault", "gone"
ASK, ANSWERED = "?", "!"

DEATHS = 3
"""After so many deaths of its referee, with nobody asked, a game is given up."""
PIECE = 4096
"""Bytes of room for a pair, to begin with."""
ALONE = 2
"""After so many deaths while a program was asked and no other one ran, it is this program's fault."""


@dataclass
class Begun:
    """One game as far as it was played."""

    number: int
    opening: str = ""
    plays: list[Any] = field(default_factory=list)
    clocks: dict[int, float] = field(default_factory=dict)
    asked: list[int] = field(default_factory=lambda: [0, 0])
    """For each seat, how often the referee died while its program was asked and no other one ran."""
    deaths: int = 0
    """How often it died otherwise."""
    fault: Fault | None = None
    over: bool = False
    gone: bool = False
    """It was given up."""

    def played(self) -> Played:
        return Played(self.number, tuple(self.plays), self.fault)

    @property
    def hopeless(self) -> bool:
        return self.gone or self.deaths >= DEATHS

    def verdict(self) -> str:
        """The line that ends this game, if its referee has died over it too often; otherwise nothing."""
        for seat in (0, 1):
            if self.asked[seat] >= ALONE:
                sentence = (
                    f"The process that refereed the game died {self.asked[seat]} times while this program was being "
                    "asked and no other one ran."
                )
                return f"{FAULT} {json.dumps(Fault(seat, KILLED, sentence))}\n"
        return f"{GONE}\n" if self.hopeless else ""


def read(text: str) -> list[Begun]:
    """The games that a trace tells of, the one under way last. A line that was not written to its end is not there."""
    reader = _Reader()
    for line in text.split("\n")[:-1]:
        try:
            reader.line(line)
        except (ValueError, IndexError, TypeError):
            raise DuelError(f"{quote(line)} is no line of a trace.") from None
    reader.death()
    return reader.games


class _Reader:
    def __init__(self) -> None:
        self.games: list[Begun] = []
        self.attempt = False
        self.asked: int | None = None

    def line(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word in (BEGIN, PEACE):
            if word == BEGIN:
                self.death()
            self.attempt, self.asked = word == BEGIN, None
        elif word == GAME:
            number, _, opening = rest.partition(" ")
            self.games.append(Begun(int(number), opening))
        elif word.startswith((ASK, ANSWERED)):
            self.asked = int(word[1:]) if word[0] == ASK else None
        else:
            self._of_game(self.games[-1], word, rest)

    def _of_game(self, game: Begun, word: str, rest: str) -> None:
        if game.over:
            raise ValueError
        if word == CLOCK:
            seat, seconds = rest.split()
            game.clocks[int(seat)] = float(seconds)
        elif word in (END, FAULT, GONE):
            game.over, game.gone = True, word == GONE
            game.fault = _fault(json.loads(rest)) if word == FAULT else None
        elif "/" in word:
            one, two = word.split("/")
            game.plays.append((int(one), int(two)))
        else:
            game.plays.append(int(word))

    def death(self) -> None:
        """An attempt has no end: whose game was it?"""
        if self.attempt and self.games and not self.games[-1].over:
            if self.asked in (0, 1):
                self.games[-1].asked[self.asked] += 1
            else:
                self.games[-1].deaths += 1
        self.attempt = False


def _fault(said: Any) -> Fault:
    seat, kind, sentence, stderr = said
    if seat not in (0, 1) or kind not in FAULTS or not isinstance(sentence, str) or not isinstance(stderr, str):
        raise ValueError
    return Fault(seat, kind, sentence, stderr)


def forgiven(text: str) -> str:
    """The same games without the deaths, and with none of them given up: for who tries once more."""
    lines = []
    for game in read(text):
        lines.append(f"{GAME} {game.number} {game.opening}".rstrip())
        lines += [_step(play) for play in game.plays]
        lines += [f"{CLOCK} {seat} {left!r}" for seat, left in game.clocks.items()]
        if game.over and not game.gone:
            lines.append(_ending(game.fault))
    return "".join(f"{line}\n" for line in lines)


def _step(play: Any) -> str:
    return f"{play[0]}/{play[1]}" if isinstance(play, tuple) else str(int(play))


def _ending(fault: Fault | None) -> str:
    return f"{FAULT} {json.dumps(fault)}" if fault else END


class Trace:
    """The file of one pair, for whoever plays it.

    It is written through memory that the file shares: a step costs a fraction of a microsecond so, and what is in the
    file when the process dies stays there. Zeros at its end are room that nothing was written to yet.
    """

    def __init__(self, folder: Path, pair: int, known: str) -> None:
        """`known` is what is known of the pair from before."""
        self.path = folder / str(pair)
        self._at = 0
        self._shared: mmap | None = None
        try:
            try:
                self._file = self._open()
            except FileNotFoundError:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._file = self._open()
        except OSError as error:
            raise SaveError(f"No game can be begun, for {self.path} cannot be written: {error.strerror}.") from None
        self._note(f"{known}{BEGIN}")

    def _open(self) -> int:
        return os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | NEVER_FOLLOWED, 0o600)

    def _note(self, line: str) -> None:
        self._write(f"{line}\n".encode())

    def _write(self, data: bytes) -> None:
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
            raise SaveError(f"A game cannot go on, for {self.path} cannot be written: {error.strerror}.") from None

    def game(self, number: int, opening: str) -> None:
        self._note(f"{GAME} {number} {opening}".rstrip())

    def step(self, play: Any) -> None:
        self._write(b"%d\n" % play if type(play) is int else f"{_step(play)}\n".encode())

    def clock(self, seat: int, left: float) -> None:
        self._note(f"{CLOCK} {seat} {left!r}")

    def ask(self, seat: int) -> None:
        self._note(f"{ASK}{seat}")

    def answered(self, seat: int) -> None:
        self._note(f"{ANSWERED}{seat}")

    def end(self, fault: Fault | None) -> None:
        self._note(_ending(fault))

    def close(self) -> None:
        if self._shared is not None:
            self._shared.close()
        os.close(self._file)


_over: list[bool] = []
"""Not empty once this process is about to leave."""


def note_no_more() -> None:
    """This process leaves, and ends its programs: whoever still referees must not take that for their fault."""
    _over.append(True)


class NoTrace:
    """In place of a trace where nobody could gain by a death: our own players do the same again."""

    def game(self, number: int, opening: str) -> None: ...
    def step(self, play: Any) -> None: ...
    def clock(self, seat: int, left: float) -> None: ...
    def ask(self, seat: int) -> None: ...
    def answered(self, seat: int) -> None: ...
    def end(self, fault: Fault | None) -> None: ...
    def close(self) -> None: ...


def found(folder: Path, pairs: Iterable[int] | None = None) -> dict[int, str]:
    """The traces in a folder, those of some pairs or of all."""
    texts: dict[int, str] = {}
    for pair in pairs if pairs is not None else _numbers(folder):
        path = folder / str(pair)
        try:
            texts[pair] = _whole_lines(path.read_bytes()).decode("ascii", "replace")
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise SaveError(f"{path} cannot be read: {error.strerror}.") from None
    return texts


def _whole_lines(data: bytes) -> bytes:
    """Without half a line, and without room that nothing was written to."""
    return data[: data.rfind(b"\n") + 1]


def _numbers(folder: Path) -> list[int]:
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    return sorted(int(name) for name in names if name.isascii() and name.isdigit() and len(name) < 20)


def stopped_in_peace(folder: Path) -> None:
    """Nobody died over the pairs that are begun here: they are broken off, and go on some other time."""
    for pair in _numbers(folder):
        with suppress(OSError), (folder / str(pair)).open("r+b") as file:
            whole = _whole_lines(file.read())
            file.seek(len(whole))
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


__all__ = [
    "Begun",
    "NoTrace",
    "Trace",
    "forget",
    "forgiven",
    "found",
    "note_no_more",
    "read",
    "stopped_in_peace",
    "tidy",
]
