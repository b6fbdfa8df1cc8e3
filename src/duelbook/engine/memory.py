"""An eye on the memory of programs: all of it, with what their processes share.

The system's own limit, which every process carries, counts only what belongs to that process alone: gigabytes in shared
mappings, or in a hundred processes, go by unnoticed. So a thread looks at each program several times a second and ends
one that uses more than it may. Whoever waits for its answer learns why it ended. A move costs nothing by it.
"""

from __future__ import annotations

import signal
import threading

from duelbook.engine.family import family, memory_used
from duelbook.engine.launch import Launched

EVERY = 0.25
"""Seconds between two looks."""


class Ration:
    """The memory that a program may use, and whether it took more."""

    def __init__(self, launched: Launched, megabytes: int) -> None:
        self.launched, self.megabytes = launched, megabytes
        self.exceeded = False

    def look(self) -> None:
        if not self.exceeded:
            limit = self.megabytes << 20
            processes = family(self.launched.child.pid)[self.launched.means.own :]
            self.exceeded = memory_used(processes, limit) > limit
        if self.exceeded:
            self.launched.signal_all(signal.SIGKILL)


_watched: set[Ration] = set()
_watching: threading.Thread | None = None
_lock = threading.Lock()


def watch(launched: Launched, megabytes: int) -> Ration:
    """Keep an eye on a program until it is forgotten."""
    global _watching
    ration = Ration(launched, megabytes)
    with _lock:
        _watched.add(ration)
        if _watching is None or not _watching.is_alive():  # the first time; and after a fork, which copies no threads
            _watching = threading.Thread(target=_look_around, name="memory of programs", daemon=True)
            _watching.start()
    return ration


def forget(ration: Ration) -> None:
    with _lock:
        _watched.discard(ration)


def _look_around() -> None:
    """Look at all of them again and again, as long as there are any."""
    global _watching
    never = threading.Event()
    while True:
        with _lock:
            if not _watched:
                _watching = None
                return
            rations = tuple(_watched)
        for ration in rations:
            ration.look()
        never.wait(EVERY)
