"""One thread that writes, for everybody who waits: what comes while it is busy goes into the next commit together.

That is group commit: a busy server writes hundreds of moves with each fsync, and a quiet one answers at once.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import NamedTuple

from duelbook.core import DuelError
from duelbook.serve.events import Event
from duelbook.serve.store import Taken

MOST_AT_ONCE = 512
"""Appends in one commit."""
Commit = Callable[[Sequence[Sequence[Event]]], Mapping[int, Taken]]
"""Writes all of these durably, but those that come too late: they come back by their places. Or raises, and then
nothing is written."""


class _Wish(NamedTuple):
    events: Sequence[Event]
    done: Future[None]


class Writer:
    def __init__(self, commit: Commit) -> None:
        self._commit = commit
        self._wishes: queue.SimpleQueue[_Wish | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_all, name="duelbook store", daemon=True)
        self._thread.start()

    def append(self, events: Sequence[Event]) -> Future[None]:
        done: Future[None] = Future()
        done.set_running_or_notify_cancel()  # what was handed over is written, whoever has stopped waiting for it
        self._wishes.put(_Wish(events, done))
        return done

    def _write_all(self) -> None:
        while (wish := self._wishes.get()) is not None:
            wishes: list[_Wish | None] = [wish]
            with suppress(queue.Empty):
                while len(wishes) < MOST_AT_ONCE and wishes[-1] is not None:
                    wishes.append(self._wishes.get_nowait())
            self._write([each for each in wishes if each is not None])
            if wishes[-1] is None:
                return

    def _write(self, wishes: Sequence[_Wish]) -> None:
        try:
            late = self._commit([wish.events for wish in wishes])
        except Exception as error:  # noqa: BLE001 - whatever it was, nobody may be told that it is on disk
            sentence = DuelError(f"The games could not be written: {error}.")
            for wish in wishes:
                wish.done.set_exception(sentence)
            return
        for at, wish in enumerate(wishes):
            if at in late:
                wish.done.set_exception(late[at])
            else:
                wish.done.set_result(None)

    def close(self) -> None:
        """Write what waits, and stop."""
        self._wishes.put(None)
        self._thread.join()


def too_late(events: Sequence[Event]) -> Taken:
    return Taken(f"Event {events[0].seq} of game {events[0].game} is there already, or the one before it is not.")
