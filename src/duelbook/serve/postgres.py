"""Events in PostgreSQL: any number of processes serve the same games; the place behind the last event is the lock.

The number of an event is the truth. NOTIFY comes after the commit and only wakes: whoever misses it looks every second.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain

import psycopg

from duelbook.core import DuelError
from duelbook.serve.events import Event
from duelbook.serve.store import Away, Deliver, Done, Heard, Kept, Listed, Taken, at_once, readable, waits
from duelbook.serve.writer import Writer, too_late
from duelbook.serve.writing import read_body

STEPS = {
    1: """
        CREATE TABLE event (
            game TEXT NOT NULL, seq INTEGER NOT NULL, at DOUBLE PRECISION NOT NULL, act TEXT NOT NULL,
            body TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (game, seq)
        );
        CREATE TABLE game (id TEXT PRIMARY KEY, last INTEGER NOT NULL, at DOUBLE PRECISION NOT NULL);
        CREATE INDEX game_at ON game (at);
    """,
    # A game in which anybody may sit down is found however many others are being played.
    2: """
        ALTER TABLE game ADD COLUMN waits BOOLEAN NOT NULL DEFAULT FALSE;
        UPDATE game SET waits = TRUE WHERE id IN (
            SELECT game FROM event WHERE seq = 1 AND body::json->>'open' = 'true'
            EXCEPT SELECT game FROM event WHERE body::json->>'kind' IN ('began', 'over')
        );
        CREATE INDEX game_waits ON game (at) WHERE waits;
    """,
    # Who was there when, for processes that did not hear them.
    3: """
        CREATE TABLE presence (
            game TEXT NOT NULL, seat INTEGER NOT NULL, at DOUBLE PRECISION NOT NULL, PRIMARY KEY (game, seat)
        );
    """,
    # What changes with every move stands in no index: nobody asks by it, and each move would write it there, too.
    4: """
        DROP INDEX game_at;
        DROP INDEX game_waits;
        CREATE INDEX game_waits ON game (id) WHERE waits;
    """,
}
"""How the tables of each version are made from those of the version before."""
VERSION = max(STEPS)
AGAIN = 1.0
"""Seconds before a line that broke is opened again."""
_MIGRATING = 7216533
"""The lock under which one process at a time changes the tables."""
CHANNEL = "duelbook"
_EVENT = "game, seq, at, act, body, hash"
_BEGIN = """INSERT INTO game (id, last, at, waits)
    SELECT id, 0, at, waits FROM unnest(%s::text[], %s::float8[], %s::bool[]) AS new (id, at, waits)
    ON CONFLICT DO NOTHING"""
_HOLD = "SELECT id, last FROM game WHERE id = ANY(%s) ORDER BY id FOR UPDATE"
"""In one order everywhere, so that no two processes wait for each other."""
_GROW = """UPDATE game SET last = new.last, at = new.at, waits = game.waits AND new.waits
    FROM unnest(%s::text[], %s::int[], %s::float8[], %s::bool[]) AS new (id, last, at, waits) WHERE game.id = new.id"""
_WRITE = f"""INSERT INTO event ({_EVENT})
    SELECT * FROM unnest(%s::text[], %s::int[], %s::float8[], %s::text[], %s::text[], %s::text[])"""

_LATEST = "SELECT id, last, 0 FROM game ORDER BY at DESC LIMIT %s"
_WAITING = """SELECT id, last, heard FROM (
        SELECT id, last, at, coalesce((SELECT max(at) FROM presence WHERE presence.game = id), 0) AS heard
        FROM game WHERE waits
    ) AS found ORDER BY greatest(at, heard) DESC LIMIT %s"""
_ENDS = f"""SELECT {_EVENT} FROM event JOIN unnest(%s::text[], %s::int[]) AS known (id, last)
    ON game = id AND seq IN (1, last) ORDER BY game, seq"""
_MARK = """INSERT INTO presence SELECT * FROM unnest(%s::text[], %s::int[], %s::float8[])
    ON CONFLICT (game, seat) DO UPDATE SET at = greatest(presence.at, excluded.at)"""


class Postgres:
    def __init__(self, url: str) -> None:
        self.url = url
        self._reading, self._marking = threading.Lock(), threading.Lock()
        self._marker: psycopg.Connection[tuple[object, ...]] | None = None
        try:
            self._writer = self._opened_to_write()
            self._make_ready()
            self._reader = psycopg.connect(url, autocommit=True)
        except psycopg.Error as error:
            raise DuelError(f"The database cannot be used: {str(error).strip()}") from None
        self._queue = Writer(self._commit, self._wake_others)
        self._listening: psycopg.Connection[tuple[str, ...]] | None = None
        self._closing = threading.Event()

    def _opened_to_write(self) -> psycopg.Connection[tuple[object, ...]]:
        writer = psycopg.connect(self.url)
        writer.execute("SET synchronous_commit = on")
        writer.commit()
        return writer

    def _make_ready(self) -> None:
        with self._writer.transaction():
            self._writer.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING,))
            self._writer.execute("CREATE TABLE IF NOT EXISTS duelbook_version (version INTEGER NOT NULL)")
            found = self._writer.execute("SELECT max(version) FROM duelbook_version").fetchone()
            version = int(str((found[0] if found else None) or 0))
            if version > VERSION:
                raise DuelError(f"This database was made by a newer Duelbook (version {version} of its form).")
            for step in range(version + 1, VERSION + 1):
                self._writer.execute(STEPS[step])
                self._writer.execute("INSERT INTO duelbook_version VALUES (%s)", (step,))

    # Writing

    def append(self, events: Sequence[Event], done: Done, deliver: Deliver = at_once) -> None:
        self._queue.append(events, done, deliver)

    def _commit(self, wishes: Sequence[Sequence[Event]]) -> Mapping[int, Taken]:
        """All that are in time, in one transaction: their games are held, looked at, and grow."""
        late: dict[int, Taken] = {}
        in_time: dict[str, list[Event]] = {}
        if self._writer.closed:  # the database was away; what could not be written then was acknowledged to nobody
            self._writer = self._opened_to_write()
        with self._writer.transaction():
            reached = self._held([events[0] for events in wishes])
            for at, events in enumerate(wishes):
                game = events[0].game
                if events[0].seq == reached.get(game, -1) + 1:
                    reached[game] = events[-1].seq
                    in_time.setdefault(game, []).extend(events)
                else:
                    late[at] = too_late(events)
            if in_time:
                self._write(list(in_time.values()))
        return late

    def _held(self, firsts: Sequence[Event]) -> dict[str, int]:
        """The last event of each game, which nobody else changes until this transaction is over."""
        new = sorted({event.game: event for event in firsts if event.seq == 1}.items())
        if new:
            values = ([game for game, _ in new], [event.at for _, event in new], [waits([event]) for _, event in new])
            self._writer.execute(_BEGIN, values)
        found = self._writer.execute(_HOLD, (sorted({event.game for event in firsts}),)).fetchall()
        return {str(game): int(str(last)) for game, last in found}

    def _write(self, games: Sequence[Sequence[Event]]) -> None:
        ends = [(events[-1].game, events[-1].seq, events[-1].at, waits(events)) for events in games]
        self._writer.execute(_GROW, [list(column) for column in zip(*ends, strict=True)])
        rows = [
            (event.game, event.seq, event.at, event.act, event.text, event.hash) for event in chain.from_iterable(games)
        ]
        self._writer.execute(_WRITE, [list(column) for column in zip(*rows, strict=True)])

    def _wake_others(self, games: set[str]) -> None:
        """After the commit, and after whoever waited for it: it never holds up a move, and may get lost."""
        with suppress(psycopg.Error), self._writer.transaction():
            self._writer.execute("SELECT pg_notify(%s, game) FROM unnest(%s::text[]) AS game", (CHANNEL, list(games)))

    # Reading

    def _found(self, query: str, *values: object) -> list[tuple[object, ...]]:
        try:
            with self._reading:
                if self._reader.closed:
                    self._reader = psycopg.connect(self.url, autocommit=True)
                return self._reader.execute(query, values).fetchall()
        except psycopg.OperationalError as error:
            raise Away(f"The database cannot be asked: {str(error).strip()}") from None

    def read(self, game: str, after: int = 0) -> list[Event]:
        return self.read_all({game: after}).get(game, [])

    def read_all(self, after: Mapping[str, int]) -> dict[str, list[Event]]:
        what = f"""SELECT {_EVENT} FROM event JOIN unnest(%s::text[], %s::int[]) AS known (id, reached)
            ON game = id AND seq > reached ORDER BY game, seq"""
        found: dict[str, list[Event]] = {}
        for event in map(_event, self._found(what, list(after), list(after.values()))):
            found.setdefault(event.game, []).append(event)
        return found

    def games(self, *, most: int = 100, waiting: bool = False) -> list[Listed]:
        found = self._found(_WAITING if waiting else _LATEST, most)
        ends: dict[str, list[Event]] = {}
        for event in map(_event, self._found(_ENDS, [row[0] for row in found], [row[1] for row in found])):
            ends.setdefault(event.game, []).append(event)
        return [Listed(str(id), ends[str(id)][0], ends[str(id)][-1], float(str(heard))) for id, _, heard in found]

    def lasts(self, games: Sequence[str]) -> dict[str, int]:
        found = self._found("SELECT id, last FROM game WHERE id = ANY(%s)", list(games))
        return {str(id): int(str(last)) for id, last in found}

    def mark(self, heard: Heard) -> None:
        """On a connection of its own, so that no move waits for it; nor is it worth waiting for the disk. In one order
        everywhere, so that no two processes wait for each other."""
        rows = [(game, seat, at) for (game, seat), at in sorted(heard.items())]
        try:
            with self._marking:
                if self._marker is None or self._marker.closed:
                    self._marker = psycopg.connect(self.url, autocommit=True)
                    self._marker.execute("SET synchronous_commit = off")
                self._marker.execute(_MARK, [list(column) for column in zip(*rows, strict=True)])
        except psycopg.OperationalError as error:
            raise Away(f"Who is there could not be written: {str(error).strip()}") from None

    def heard(self, games: Sequence[str]) -> dict[tuple[str, int], float]:
        found = self._found("SELECT game, seat, at FROM presence WHERE game = ANY(%s)", list(games))
        return {(str(game), int(str(seat))): float(str(at)) for game, seat, at in found}

    def every_game(self) -> Iterator[Kept]:
        """One game after the other, each as it is when it is its turn."""
        what = f"SELECT {_EVENT} FROM event WHERE game = %s AND seq <= %s ORDER BY seq"
        for game, last in self._found("SELECT id, last FROM game ORDER BY at"):
            yield Kept(str(game), [readable(_event, row) for row in self._found(what, game, last)], int(str(last)))

    def listen(self, hear: Callable[[str], object]) -> None:
        """Have `hear` called, in a thread, with the name of every game in which another process has written. A line
        that breaks is opened again; what was missed meanwhile is found by whoever looks."""
        self._listening = self._opened_to_listen()

        def wait() -> None:
            while not self._closing.is_set():
                with suppress(psycopg.Error):
                    if self._listening is None or self._listening.closed:
                        self._listening = self._opened_to_listen()
                    for note in self._listening.notifies():
                        if note.pid != self._writer.info.backend_pid:
                            hear(note.payload)
                self._closing.wait(AGAIN)

        threading.Thread(target=wait, name="duelbook news", daemon=True).start()

    def _opened_to_listen(self) -> psycopg.Connection[tuple[str, ...]]:
        listening = psycopg.connect(self.url, autocommit=True)
        listening.execute(f"LISTEN {CHANNEL}")
        return listening

    def close(self) -> None:
        self._queue.close()
        self._closing.set()
        if self._listening is not None:
            self._listening.close()
        with self._reading:
            self._reader.close()
        with self._marking:
            if self._marker is not None:
                self._marker.close()
        self._writer.close()


def _event(row: tuple[object, ...]) -> Event:
    game, seq, at, act, body, known = row
    return Event(str(game), int(str(seq)), float(str(at)), str(act), read_body(str(body)), str(known), str(body))
