"""The games of a tournament on disk: one `.duel` file that grows as games end.

Every record says which game of which tournament it is, so the file alone is enough to go on after any interruption.
The two games of a pair are written together, for either shows the luck of both. What a kill or a power cut left half
written at the end of the file is recognised and cut off; that pair is played again. Numbers that follow from the moves
are not written down but computed anew when the file is read, and what cannot follow from the plan is refused.

Beside the file a folder holds the traces of pairs that were begun and are not over; it is gone when none is.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from duelbook.arena.play import traces
from duelbook.arena.play.game_file import is_torn, pieces, record_in
from duelbook.arena.play.ledger import forgiven, read
from duelbook.arena.play.results import Entrant, Played, Result, Settings, Task
from duelbook.arena.play.schedule import Schedule
from duelbook.arena.play.telling import ARENA, TASK, fault_in, new_match, tell, was_given_up
from duelbook.core import DuelError, settings
from duelbook.locks import claim
from duelbook.match import Match
from duelbook.record import Record
from duelbook.saves import SaveError
from duelbook.speech import quote

AS_IT_IS: int = getattr(os, "O_BINARY", 0)
"""Windows would write two characters for the end of a line."""
NEVER_WAITED: int = getattr(os, "O_NONBLOCK", 0)
"""A pipe would be waited for, perhaps for ever; it is refused a moment later."""


class Store:
    """The file of one tournament, held by one program at a time."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path, self.settings = path, settings
        self._file: int | None = None
        self.folder = path.resolve().parent / f".{path.resolve().name}.{settings.fingerprint}"
        """The traces of pairs that are not over."""
        self.torn = False
        """Whether the end of the file was half a game and had to be cut off."""
        self._complete: set[int] = set()

    def open(self, tasks: Schedule, entrants: Sequence[Entrant], *, resume: bool) -> list[Result]:
        """Take the file, and say what was played already. A file that holds games is touched only to go on with it."""
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | AS_IT_IS | NEVER_WAITED, 0o666)
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise OSError(errno.EINVAL, "it is a pipe or a device, not a file")
            self._hold()
            data = self.path.read_bytes()
        except OSError as error:
            raise SaveError(f"The games cannot be kept in {self.path}: {error.strerror}.") from None
        if not resume and not data:
            traces.forget(self.folder, traces.found(self.folder))
            traces.tidy(self.folder)
        if not data:
            return []
        if not resume:
            raise SaveError(f"{self.path} exists already. Go on with it by --resume, or choose another name.")
        whole, results = self._read(data, tasks, entrants)
        if whole < len(data):
            os.truncate(self._file, whole)
            self.torn = True
        elif not data.endswith(b"\n"):
            os.write(self._file, b"\n")  # behind a comment that somebody added
        return results

    def _hold(self) -> None:
        with suppress(OSError):  # a folder that cannot hold a lock can still hold games
            if self._file is not None and not claim(self._file):
                raise SaveError(f"Another arena is writing to {self.path} at this moment.")

    def _read(self, data: bytes, tasks: Schedule, entrants: Sequence[Entrant]) -> tuple[int, list[Result]]:
        """How much of the file is whole, and the pairs of games in it."""
        found: dict[int, Result] = {}
        whole = before = 0
        last: Task | None = None
        for begin, end in pieces(data):
            try:
                record = record_in(data[begin:end])
                self._check_tournament(record)
                task = self._task(record, tasks)
                if not was_given_up(record):
                    # A game that is there twice was played again, for its partner was missing.
                    found[task.number] = self._result(record, task, entrants)
            except SaveError:
                raise
            except DuelError as error:
                if end == len(data) and is_torn(data[begin:], self.settings, [entrant.name for entrant in entrants]):
                    if last is not None and last.number ^ 1 not in found:
                        whole = before  # the other half of a pair, and nobody must know its luck yet
                    break
                line = data.count(b"\n", 0, begin) + 1
                raise SaveError(f"{self.path} cannot be continued: the game at line {line} is bad. {error}") from None
            whole, before, last = end, begin, task
        seeds = {number: result.task.seed for number, result in found.items()}
        games = [result for number, result in found.items() if seeds.get(number ^ 1) == result.task.seed]
        self._complete = {each.task.pair for each in games}
        return whole, games

    def _check_tournament(self, record: Record) -> None:
        if record.extra.get(ARENA) != self.settings.fingerprint:
            raise SaveError(
                f"{self.path} belongs to another tournament: other players, duels, limits or another seed. "
                "Say the same as then, or choose another name."
            )

    def _task(self, record: Record, tasks: Schedule) -> Task:
        """The game of the schedule that a record tells of. Where the luck was drawn, the record knows which it was."""
        number = record.extra.get(TASK, "")
        task = tasks.numbered(int(number)) if number.isascii() and number.isdigit() and len(number) < 20 else None
        if task is None:
            raise SaveError(
                f"{self.path} holds game {quote(number)}, which this tournament does not have to play. "
                "Does it have fewer rounds now?"
            )
        if tasks.drawn:
            match = record.match
            usual = match.start == match.game.start(match.rules, 0)
            opening = "" if usual else match.game.write_position(match.rules, match.start)
            seeds = [stretch.seed for stretch in match.luck.past]
            if len(seeds) != 1 or seeds[0] is None:
                raise DuelError("It does not say which luck it had: the seed of a game that is over.")
            task = task._replace(seed=seeds[0], stacked=match.stacked, opening=opening)
        return task

    def _result(self, record: Record, task: Task, entrants: Sequence[Entrant]) -> Result:
        """What came of the game, worked out anew. A record that says anything else was changed by somebody."""
        kinds = tuple(entrants[number].kind for number in task.seats)
        for what, said, true in zip(
            ("players", "kinds of players", "game", "rules", "number of turns", "opening", "seed", "deck"),
            _facts(record.match, record.seats),
            _facts(new_match(task, entrants), kinds),
            strict=True,
        ):
            if said != true:
                raise DuelError(f"Its {what} cannot be this: {quote(str(said))}. Was it changed?")
        steps = tuple(step.play for step in record.match.steps)
        played = Played(task.number, steps, fault_in(record), said=tuple(record.comments.items()))
        return tell(task, played, entrants, self.settings._replace(date=record.date))

    def begun(self) -> dict[int, str]:
        """The traces of pairs that were begun and are not in the file. What was given up gets another chance."""
        found = traces.found(self.folder)
        traces.forget(self.folder, found.keys() & self._complete)
        begun: dict[int, str] = {}
        for pair in found.keys() - self._complete:
            try:
                hopeless = any(game.hopeless for game in read(found[pair]))
                begun[pair] = forgiven(found[pair]) if hopeless else found[pair]
            except DuelError as error:
                raise SaveError(
                    f"{self.folder / str(pair)} should say how far a pair of games was, and does not. {error} "
                    "Without this file the pair is played from its beginning."
                ) from None
        return begun

    def append(self, results: Iterable[Result]) -> None:
        """Write down games that have ended; when this returns they are on the disk."""
        if self._file is None:
            raise SaveError(f"{self.path} is not open.")
        text = "".join(f"{result.record}\n" for result in results).encode()
        size = os.fstat(self._file).st_size
        try:
            while text:
                text = text[os.write(self._file, text) :]
            os.fsync(self._file)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, size)  # half of it would show luck that is still needed
            raise SaveError(f"The games could not be written to {self.path}: {error.strerror}.") from None

    def close(self) -> None:
        if self._file is not None:
            with suppress(OSError):
                os.close(self._file)
            self._file = None


def _facts(match: Match, kinds: tuple[str, ...]) -> tuple[Any, ...]:
    """What a plan says of a game before it is played."""
    written = match.game.write_position(match.rules, match.start)
    rules = settings(match.game, match.rules)
    luck = [(stretch.begins, stretch.seed) for stretch in match.luck.stretches(over=True)]
    return match.names, kinds, match.game.id, rules, match.max_turns, written, luck, match.stacked
