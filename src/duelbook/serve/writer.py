"""One thread that writes, for everybody who waits: what comes while it is busy goes into the next commit together.

That is group commit: a busy server writes hundreds of moves with each fsync, and a quiet one answers at once. Between
the two, commits keep a distance of some milliseconds, which nobody notices and half the work of the disk is saved by.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from time import monotonic, sleep
from typing import NamedTuple

from duelbook.core import DuelError
from duelbook.serve.events import Event
from duelbook.serve.store import Deliver, Done, Taken

log = logging.getLogger("duelbook")
MOST_AT_ONCE = 512
"""Appends in one commit."""
DISTANCE = 0.005
"""Seconds between the beginnings of two commits, at least."""
Commit = Callable[[Sequence[Sequence[Event]]], Mapping[int, Taken]]
"""Writes all of these durably, but those that come too late: they come back by their places. Or raises, and then
nothing is written."""


class _Wish(NamedTuple):
    events: Sequence[Event]
    done: Done
    deliver: Deliver


class Writer:
    def __init__(self, commit: Commit, after: Callable[[set[str]], None] = lambda _: None) -> None:
        """`after` hears which games have grown, once whoever waited has been told."""
        self._commit, self._after = commit, after
        self._wishes: queue.SimpleQueue[_Wish | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_all, name="duelbook store", daemon=True)
        self._thread.start()

    def append(self, events: Sequence[Event], done: Done, deliver: Deliver) -> None:
        self._wishes.put(_Wish(events, done, deliver))

    def _write_all(self) -> None:
        begun = -inf  # a clock may itself begin anywhere
        while (wish := self._wishes.get()) is not None:
            early = begun + DISTANCE - monotonic()
            if early > 0:
                sleep(early)
            begun = monotonic()
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
            log.error("%s", sentence)
            _settle(wishes, dict.fromkeys(range(len(wishes)), sentence))
            return
        _settle(wishes, late)
        self._after({wish.events[0].game for at, wish in enumerate(wishes) if at not in late})

    def close(self) -> None:
        """Write what waits, and stop."""
        self._wishes.put(None)
        self._thread.join()


def _settle(wishes: Sequence[_Wish], wrong: Mapping[int, DuelError]) -> None:
    """Tell everybody what came of it; those who are told in the same way are told in one go."""
    together: dict[Deliver, list[tuple[Done, DuelError | None]]] = {}
    for at, wish in enumerate(wishes):
        together.setdefault(wish.deliver, []).append((wish.done, wrong.get(at)))
    for deliver, settled in together.items():
        with suppress(RuntimeError):  # a loop that is closed has nobody in it who waits
            deliver(partial(_tell, settled))


def _tell(settled: Sequence[tuple[Done, DuelError | None]]) -> None:
    for done, error in settled:
        try:
            done(error)
        except Exception:
            log.exception("Whoever waited for the disk failed.")  # which is no reason to leave out the others


def too_late(events: Sequence[Event]) -> Taken:
    return Taken(f"Event {events[0].seq} of game {events[0].game} is there already, or the one before it is not.")
