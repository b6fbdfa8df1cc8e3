"""Events in PostgreSQL: any number of processes serve the same games; the place behind the last event is the lock."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress

import psycopg

from duelbook.core import DuelError
from duelbook.serve.events import Event, dumped
from duelbook.serve.store import Listed, Taken
from duelbook.serve.writer import Writer, too_late

VERSION = 1
_STEPS = {
    1: """
        CREATE TABLE event (
            game TEXT NOT NULL, seq INTEGER NOT NULL, at DOUBLE PRECISION NOT NULL, act TEXT NOT NULL,
            body TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (game, seq)
        );
        CREATE TABLE game (id TEXT PRIMARY KEY, last INTEGER NOT NULL, at DOUBLE PRECISION NOT NULL);
        CREATE INDEX game_at ON game (at);
    """
}
"""How the tables of each version are made from those of the version before."""
_MIGRATING = 7216533
"""The lock under which one process at a time changes the tables."""
CHANNEL = "duelbook"


class Postgres:
    def __init__(self, url: str) -> None:
        self.url = url
        self._reading = threading.Lock()
        try:
            self._writer = psycopg.connect(url)
            self._writer.execute("SET synchronous_commit = on")
            self._writer.commit()
            self._make_ready()
            self._reader = psycopg.connect(url, autocommit=True)
        except psycopg.Error as error:
            raise DuelError(f"The database cannot be used: {str(error).strip()}") from None
        self._queue = Writer(self._commit)
        self._listening: psycopg.Connection[tuple[str, ...]] | None = None

    def _make_ready(self) -> None:
        with self._writer.transaction():
            self._writer.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING,))
            self._writer.execute("CREATE TABLE IF NOT EXISTS duelbook_version (version INTEGER NOT NULL)")
            found = self._writer.execute("SELECT max(version) FROM duelbook_version").fetchone()
            version = (found[0] if found else None) or 0
            if version > VERSION:
                raise DuelError(f"This database was made by a newer Duelbook (version {version} of its form).")
            for step in range(version + 1, VERSION + 1):
                self._writer.execute(_STEPS[step])
                self._writer.execute("INSERT INTO duelbook_version VALUES (%s)", (step,))

    # Writing

    def append(self, events: Sequence[Event]) -> Future[None]:
        return self._queue.append(events)

    def _commit(self, wishes: Sequence[Sequence[Event]]) -> dict[int, Taken]:
        late: dict[int, Taken] = {}
        with self._writer.transaction():
            for at, events in enumerate(wishes):
                try:
                    with self._writer.transaction():
                        self._insert(events)
                except psycopg.errors.UniqueViolation:
                    late[at] = too_late(events)
        changed = {events[0].game for at, events in enumerate(wishes) if at not in late}
        with suppress(psycopg.Error), self._writer.transaction():  # NOTIFY only wakes, and never holds up a move
            for game in changed:
                self._writer.execute("SELECT pg_notify(%s, %s)", (CHANNEL, game))
        return late

    def _insert(self, events: Sequence[Event]) -> None:
        first, last = events[0], events[-1]
        if first.seq == 1:
            self._writer.execute("INSERT INTO game VALUES (%s, %s, %s)", (last.game, last.seq, last.at))
        else:
            changed = self._writer.execute(
                "UPDATE game SET last = %s, at = %s WHERE id = %s AND last = %s",
                (last.seq, last.at, last.game, first.seq - 1),
            )
            if changed.rowcount != 1:
                raise psycopg.errors.UniqueViolation("a gap, or somebody was faster")
        rows = [(event.game, event.seq, event.at, event.act, dumped(event.body), event.hash) for event in events]
        with self._writer.cursor() as cursor:
            cursor.executemany("INSERT INTO event VALUES (%s, %s, %s, %s, %s, %s)", rows)

    # Reading

    def _found(self, query: str, *values: object) -> list[tuple[object, ...]]:
        with self._reading:
            return self._reader.execute(query, values).fetchall()

    def read(self, game: str, after: int = 0) -> list[Event]:
        what = "SELECT game, seq, at, act, body, hash FROM event WHERE game = %s AND seq > %s ORDER BY seq"
        return [_event(row) for row in self._found(what, game, after)]

    def games(self, *, most: int = 100) -> list[Listed]:
        found = self._found("SELECT id, last FROM game ORDER BY at DESC LIMIT %s", most)
        what = "SELECT game, seq, at, act, body, hash FROM event WHERE game = %s AND seq IN (1, %s) ORDER BY seq"
        rows = [[_event(row) for row in self._found(what, id, last)] for id, last in found]
        return [Listed(each[0].game, each[0], each[-1]) for each in rows if each]

    def lasts(self, games: Sequence[str]) -> dict[str, int]:
        found = self._found("SELECT id, last FROM game WHERE id = ANY(%s)", list(games))
        return {str(id): int(str(last)) for id, last in found}

    def listen(self, hear: Callable[[str], None]) -> None:
        """Have `hear` called, in a thread, with the name of every game in which something was written anywhere."""
        listening = psycopg.connect(self.url, autocommit=True)
        listening.execute(f"LISTEN {CHANNEL}")
        self._listening = listening

        def wait() -> None:
            with suppress(psycopg.Error):
                for note in listening.notifies():
                    hear(note.payload)

        threading.Thread(target=wait, name="duelbook news", daemon=True).start()

    def close(self) -> None:
        self._queue.close()
        if self._listening is not None:
            self._listening.close()
        with self._reading:
            self._reader.close()
        self._writer.close()


def _event(row: tuple[object, ...]) -> Event:
    game, seq, at, act, body, known = row
    return Event(str(game), int(str(seq)), float(str(at)), str(act), json.loads(str(body)), str(known))
