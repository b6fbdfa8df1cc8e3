"""Files that one process at a time can hold. The system lets go when the process ends, however it ends.

A lock is a file of its own beside what it guards, and it is removed when it is let go, so that nothing is left in the
user's folders. Between opening such a file and locking it, whoever held it may have removed it: then the lock would be
on a file without a name, and the next process would make another. So a lock counts only when its name still leads to
the file that was locked.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

if sys.platform != "win32":
    import fcntl

NEVER_FOLLOWED: int = getattr(os, "O_NOFOLLOW", 0)
"""A link that somebody planted in a shared folder leads nowhere."""


SECONDS_TO_WAIT = 10.0
"""Seconds that another program may hold a small file; it takes one thousandth of that to write it."""


class Lock:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: int | None = None

    @property
    def held(self) -> bool:
        return self._handle is not None

    def take(self) -> bool:
        """True when it is ours now, False while somebody else has it. OSError where a folder can hold no lock."""
        if sys.platform == "win32":
            return True
        while True:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | NEVER_FOLLOWED, 0o600)
            try:
                if not claim(handle):
                    os.close(handle)
                    return False
                if is_at(handle, self.path):
                    self._handle = handle
                    return True
            except OSError:
                os.close(handle)
                raise
            os.close(handle)  # it was let go and removed in between: the name leads to another file now, or to none

    def let_go(self) -> None:
        """Let others have it. It does no harm to let go twice."""
        if self._handle is None:
            return
        handle, self._handle = self._handle, None
        with suppress(OSError):
            if is_at(handle, self.path):
                self.path.unlink()
        if sys.platform != "win32":
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_UN)  # at once, also where a forked child still has it open
        os.close(handle)


@contextmanager
def held(path: Path) -> Iterator[bool]:
    """Hold a small file while it is read and changed. False where somebody else holds it and does not let go."""
    lock = Lock(path.with_name(f".{path.name}.lock"))
    until = monotonic() + SECONDS_TO_WAIT
    free = True
    with suppress(OSError):  # a folder that cannot hold a lock
        while not (free := lock.take()) and monotonic() < until:
            sleep(0.005)
    try:
        yield free
    finally:
        lock.let_go()


def claim(handle: int) -> bool:
    """Lock an open file if nobody else has it locked."""
    if sys.platform != "win32":
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def is_at(handle: int, path: Path) -> bool:
    """Whether the path names this very file, and no link to it."""
    try:
        return os.path.samestat(os.fstat(handle), os.lstat(path))
    except FileNotFoundError:
        return False
