"""Events in one SQLite file: one process, and one connection that writes.

`synchronous=FULL` with a write-ahead log: a commit that is reported has been handed to the disk. A second connection
only reads, so that nobody who looks waits for the disk. Versions of SQLite before 3.51.3 can lose commits where two
connections write, so a second process that would serve the same file is turned away.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, groupby
from pathlib import Path

from duelbook.core import DuelError
from duelbook.locks import Lock
from duelbook.serve.events import Event
from duelbook.serve.store import Away, Deliver, Done, Heard, Kept, Listed, Taken, at_once, readable, waits
from duelbook.serve.writer import Writer, too_late
from duelbook.serve.writing import read_body

STEPS = {
    1: """
        CREATE TABLE event (
            game TEXT NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, act TEXT NOT NULL, body TEXT NOT NULL,
            hash TEXT NOT NULL, PRIMARY KEY (game, seq)
        ) WITHOUT ROWID;
        CREATE TABLE game (id TEXT PRIMARY KEY, last INTEGER NOT NULL, at REAL NOT NULL) WITHOUT ROWID;
        CREATE INDEX game_at ON game (at);
    """,
    # A game in which anybody may sit down is found however many others are being played.
    2: """
        ALTER TABLE game ADD COLUMN waits INTEGER NOT NULL DEFAULT 0;
        UPDATE game SET waits = 1 WHERE id IN (
            SELECT game FROM event WHERE seq = 1 AND json_extract(body, '$.open')
            EXCEPT SELECT game FROM event WHERE json_extract(body, '$.kind') IN ('began', 'over')
        );
        CREATE INDEX game_waits ON game (at) WHERE waits;
    """,
    # Who was there when: what a server knows of that outlives it.
    3: """
        CREATE TABLE presence (
            game TEXT NOT NULL, seat INTEGER NOT NULL, at REAL NOT NULL, PRIMARY KEY (game, seat)
        ) WITHOUT ROWID;
    """,
    # What changes with every move stands in no index: nobody asks by it, and each move would write it there, too.
    4: """
        DROP INDEX game_at;
        DROP INDEX game_waits;
        CREATE INDEX game_waits ON game (id) WHERE waits;
    """,
}
"""How a file of each version is made from one of the version before."""
VERSION = max(STEPS)
_ROWS = (64, 16, 4, 1)
"""Rows in one statement: each statement means that two threads change places, and those of these sizes are kept."""
_EVENT = "game, seq, at, act, body, hash"
_LATEST = "SELECT id, last, 0 FROM game ORDER BY at DESC LIMIT ?"
_WAITING = """SELECT id, last, heard FROM (
        SELECT id, last, at, coalesce((SELECT max(at) FROM presence WHERE presence.game = id), 0) AS heard
        FROM game WHERE waits
    ) ORDER BY max(at, heard) DESC LIMIT ?"""
_MARK = "INSERT INTO presence VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)"
Row = tuple[str | int | float, ...]


class Sqlite:
    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = _locked(file)
        self._reading, self._writing = threading.Lock(), threading.Lock()
        try:
            _make_for_own_eyes(file)
            self._writer = sqlite3.connect(file, isolation_level=None, check_same_thread=False, timeout=5)
            self._writer.execute("PRAGMA journal_mode=WAL")
            self._writer.execute("PRAGMA synchronous=FULL")
            make_ready(self._writer, file)
            self._reader = only_to_read(file)
        except sqlite3.Error as error:
            self._lock.let_go()
            raise DuelError(f"The games in {file} cannot be opened: {error}.") from None
        except DuelError:
            self._lock.let_go()
            raise
        self._queue = Writer(self._commit)

    # Writing

    def append(self, events: Sequence[Event], done: Done, deliver: Deliver = at_once) -> None:
        self._queue.append(events, done, deliver)

    def _commit(self, wishes: Sequence[Sequence[Event]]) -> Mapping[int, Taken]:
        """One transaction for all of them. Which of them comes too late is only looked for where one does."""
        late: dict[int, Taken] = {}
        try:
            self._in_a_transaction(lambda: self._insert(wishes))
        except sqlite3.IntegrityError:
            self._in_a_transaction(lambda: late.update(self._insert_one_by_one(wishes)))
        return late

    def _in_a_transaction(self, write: Callable[[], object]) -> None:
        with self._writing:
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                write()
                self._writer.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._writer.execute("ROLLBACK")
                raise

    def _insert(self, wishes: Sequence[Sequence[Event]]) -> None:
        """All of these. Raises IntegrityError where a place is taken, or the one before it is not."""
        rows = [
            (event.game, event.seq, event.at, event.act, event.text, event.hash)
            for event in chain.from_iterable(wishes)
        ]
        for some in _pieces(rows):
            self._writer.execute(_with_rows("INSERT INTO event VALUES", some, ""), list(chain.from_iterable(some)))
        ends = [(events[-1].game, events[-1].seq, events[-1].at, waits(events), events[0].seq - 1) for events in wishes]
        new = [end[:4] for end in ends if end[4] == 0]
        for some in _pieces(new):
            self._writer.execute(
                _with_rows("INSERT INTO game (id, last, at, waits) VALUES", some, ""), list(chain.from_iterable(some))
            )
        for some in _pieces([end for end in ends if end[4]]):
            changed = self._writer.execute(
                _with_rows(
                    "UPDATE game SET last = new.column2, at = new.column3, waits = waits AND new.column4 FROM (VALUES",
                    some,
                    ") AS new WHERE id = new.column1 AND last = new.column5",
                ),
                list(chain.from_iterable(some)),
            )
            if changed.rowcount != len(some):
                raise sqlite3.IntegrityError("somebody was faster, or there is a gap")

    def _insert_one_by_one(self, wishes: Sequence[Sequence[Event]]) -> dict[int, Taken]:
        late: dict[int, Taken] = {}
        for at, events in enumerate(wishes):
            self._writer.execute("SAVEPOINT wish")
            try:
                self._insert([events])
            except sqlite3.IntegrityError:
                self._writer.execute("ROLLBACK TO wish")
                late[at] = too_late(events)
            self._writer.execute("RELEASE wish")
        return late

    # Reading

    def _found(self, query: str, values: Sequence[str | int]) -> list[tuple[str, ...]]:
        with self._reading:
            return self._reader.execute(query, values).fetchall()

    def read(self, game: str, after: int = 0) -> list[Event]:
        return self.read_all({game: after}).get(game, [])

    def read_all(self, after: Mapping[str, int]) -> dict[str, list[Event]]:
        found: dict[str, list[Event]] = {}
        for game, seq in after.items():
            what = f"SELECT {_EVENT} FROM event WHERE game = ? AND seq > ? ORDER BY seq"
            if rows := self._found(what, (game, seq)):
                found[game] = [_event(row) for row in rows]
        return found

    def games(self, *, most: int = 100, waiting: bool = False) -> list[Listed]:
        what = f"SELECT {_EVENT} FROM event WHERE game = ? AND seq IN (1, ?) ORDER BY seq"
        listed = []
        for id, last, heard in self._found(_WAITING if waiting else _LATEST, (most,)):
            events = [_event(row) for row in self._found(what, (id, last))]
            listed += [Listed(id, events[0], events[-1], float(heard))] if events else []
        return listed

    def lasts(self, games: Sequence[str]) -> dict[str, int]:
        marks = ",".join("?" * len(games))
        return {id: int(last) for id, last in self._found(f"SELECT id, last FROM game WHERE id IN ({marks})", games)}

    def mark(self, heard: Heard) -> None:
        rows = [(game, seat, at) for (game, seat), at in heard.items()]
        try:
            self._in_a_transaction(lambda: self._writer.executemany(_MARK, rows))
        except sqlite3.Error as error:
            raise Away(f"Who is there could not be written: {error}.") from None

    def heard(self, games: Sequence[str]) -> dict[tuple[str, int], float]:
        marks = ",".join("?" * len(games))
        rows = self._found(f"SELECT game, seat, at FROM presence WHERE game IN ({marks})", games)
        return {(game, int(seat)): float(at) for game, seat, at in rows}

    def close(self) -> None:
        self._queue.close()
        with self._reading:
            self._reader.close()
        self._writer.close()
        self._lock.let_go()


def _make_for_own_eyes(file: Path) -> None:
    """Make the file, if there is none, so that no other user of this machine reads it: the secrets of games that go on
    are in it, and who plays there could foresee cards by them. What lies beside it is made alike by SQLite."""
    with suppress(OSError):  # SQLite says better what is wrong
        os.close(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600))


def make_ready(connection: sqlite3.Connection, file: Path) -> None:
    """Bring a file to the form of today. Raises DuelError where it is from tomorrow."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise DuelError(f"{file} was written by a newer Duelbook (version {version} of its form).")
    for step in range(version + 1, VERSION + 1):
        connection.executescript(f"BEGIN; {STEPS[step]} PRAGMA user_version={step}; COMMIT;")


def only_to_read(file: Path) -> sqlite3.Connection:
    """A connection that can neither write nor tidy up, whatever it is asked."""
    where = f"{file.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(where, uri=True, isolation_level=None, check_same_thread=False, timeout=5)


def backup(file: Path, target: Path) -> None:
    """A copy of everything that is committed, while a server goes on with it."""
    if not file.exists():
        raise DuelError(f"There are no games in {file} that could be copied.")
    if target.exists():
        raise DuelError(f"{target} is there already; a copy needs a name of its own.")
    try:
        _make_for_own_eyes(target)
        source, copy = only_to_read(file), sqlite3.connect(target)
        try:
            source.backup(copy)
        finally:
            source.close()
            copy.close()
    except sqlite3.Error as error:
        raise DuelError(f"The games in {file} cannot be copied to {target}: {error}.") from None


def every_game(file: Path) -> Iterator[Kept]:
    """One game after the other, as they were when this was asked, while a server goes on with them."""
    if not file.exists():
        raise DuelError(f"There are no games in {file}.")
    try:
        reader = only_to_read(file)
        try:
            reader.execute("BEGIN")  # both questions are answered as of one moment
            lasts = dict(reader.execute("SELECT id, last FROM game"))
            rows = reader.execute(f"SELECT {_EVENT} FROM event ORDER BY game, seq")
            for game, some in groupby(rows, key=lambda row: row[0]):
                yield Kept(game, [readable(_event, row) for row in some], lasts.pop(game, 0))
            for game, last in lasts.items():
                yield Kept(game, [], last)
        finally:
            reader.close()
    except sqlite3.Error as error:
        raise DuelError(f"The games in {file} cannot be read: {error}.") from None


def _locked(file: Path) -> Lock:
    """The one lock of this file; the system lets go of it when the process ends, however it ends."""
    lock = Lock(file.with_name(f".{file.name}.lock"))
    try:
        if lock.take():
            return lock
    except OSError as error:
        raise DuelError(f"The games in {file} cannot be opened: {error.strerror or error}.") from None
    raise DuelError(
        f"Another server has the games in {file} open. Stop it, or give this one a file of its own with --data."
    )


def _pieces(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    at = 0
    while at < len(rows):
        size = next(size for size in _ROWS if size <= len(rows) - at)
        yield rows[at : at + size]
        at += size


def _with_rows(before: str, rows: Sequence[Row], after: str) -> str:
    row = f"({','.join('?' * len(rows[0]))})"
    return f"{before} {','.join([row] * len(rows))} {after}"


def _event(row: tuple[str, ...]) -> Event:
    game, seq, at, act, body, known = row
    return Event(game, int(seq), float(at), act, read_body(body), known, body)
