"""Events in one SQLite file: one process, and one connection that writes.

`synchronous=FULL` with a write-ahead log: a commit that is reported has been handed to the disk.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path

from duelbook.core import DuelError
from duelbook.serve.events import Event, dumped
from duelbook.serve.store import Listed, Taken
from duelbook.serve.writer import Writer, too_late

VERSION = 1
_STEPS = {
    1: """
        CREATE TABLE event (
            game TEXT NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, act TEXT NOT NULL, body TEXT NOT NULL,
            hash TEXT NOT NULL, PRIMARY KEY (game, seq)
        ) WITHOUT ROWID;
        CREATE TABLE game (id TEXT PRIMARY KEY, last INTEGER NOT NULL, at REAL NOT NULL) WITHOUT ROWID;
        CREATE INDEX game_at ON game (at);
    """
}
"""How a file of each version is made from one of the version before."""


class Sqlite:
    def __init__(self, file: Path) -> None:
        self.file = file
        self._reading = threading.Lock()
        try:
            self._writer = self._opened()
            self._make_ready(self._writer)
            self._reader = self._opened()
        except sqlite3.Error as error:
            raise DuelError(f"The games in {file} cannot be opened: {error}.") from None
        self._queue = Writer(self._commit)

    def _opened(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.file, isolation_level=None, check_same_thread=False, timeout=5)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        return connection

    def _make_ready(self, connection: sqlite3.Connection) -> None:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise DuelError(f"{self.file} was written by a newer Duelbook (version {version} of its form).")
        for step in range(version + 1, VERSION + 1):
            connection.executescript(f"BEGIN; {_STEPS[step]} PRAGMA user_version={step}; COMMIT;")

    # Writing

    def append(self, events: Sequence[Event]) -> Future[None]:
        return self._queue.append(events)

    def _commit(self, wishes: Sequence[Sequence[Event]]) -> dict[int, Taken]:
        """One transaction for all of them; one that comes too late is left out."""
        late: dict[int, Taken] = {}
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            for at, events in enumerate(wishes):
                try:
                    self._insert(events)
                except sqlite3.IntegrityError:
                    late[at] = too_late(events)
            self._writer.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            raise
        return late

    def _insert(self, events: Sequence[Event]) -> None:
        self._writer.execute("SAVEPOINT wish")
        try:
            rows = [(event.game, event.seq, event.at, event.act, dumped(event.body), event.hash) for event in events]
            self._writer.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)", rows)
            last = events[-1]
            if events[0].seq == 1:
                self._writer.execute("INSERT INTO game VALUES (?, ?, ?)", (last.game, last.seq, last.at))
            else:
                changed = self._writer.execute(
                    "UPDATE game SET last = ?, at = ? WHERE id = ? AND last = ?",
                    (last.seq, last.at, last.game, events[0].seq - 1),
                )
                if changed.rowcount != 1:
                    raise sqlite3.IntegrityError("a gap")
        except sqlite3.IntegrityError:
            self._writer.execute("ROLLBACK TO wish")
            raise
        finally:
            self._writer.execute("RELEASE wish")

    # Reading

    def read(self, game: str, after: int = 0) -> list[Event]:
        with self._reading:
            rows = self._reader.execute(
                "SELECT game, seq, at, act, body, hash FROM event WHERE game = ? AND seq > ? ORDER BY seq",
                (game, after),
            ).fetchall()
        return [_event(row) for row in rows]

    def games(self, *, most: int = 100) -> list[Listed]:
        with self._reading:
            found = self._reader.execute("SELECT id, last FROM game ORDER BY at DESC LIMIT ?", (most,)).fetchall()
            rows = [
                self._reader.execute(
                    "SELECT game, seq, at, act, body, hash FROM event WHERE game = ? AND seq IN (1, ?) ORDER BY seq",
                    (id, last),
                ).fetchall()
                for id, last in found
            ]
        return [Listed(each[0][0], _event(each[0]), _event(each[-1])) for each in rows if each]

    def lasts(self, games: Sequence[str]) -> dict[str, int]:
        with self._reading:
            marks = ",".join("?" * len(games))
            return dict(self._reader.execute(f"SELECT id, last FROM game WHERE id IN ({marks})", games).fetchall())

    def backup(self, target: Path) -> None:
        """A copy of everything that is committed, while the server goes on."""
        with self._reading, sqlite3.connect(target) as copy:
            self._reader.backup(copy)

    def close(self) -> None:
        self._queue.close()
        with self._reading:
            self._reader.close()
        self._writer.close()


def _event(row: tuple[str, int, float, str, str, str]) -> Event:
    game, seq, at, act, body, known = row
    return Event(game, seq, at, act, json.loads(body), known)
