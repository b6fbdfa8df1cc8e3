"""Work beside the main thread, so that an interruption never reaches into it.

Ctrl-C, and whatever else asks a program to end, is heard by the main thread wherever it is: its handler raises
KeyboardInterrupt between any two steps of Python. A compiler and compiled code do not bear that: they crash, or swallow
it. So they run in a thread of their own, where no handler ever does, and the main thread waits for them in plain
Python, from where it can leave at once. What was given up goes on unheard until it is done. The command does not wait
for that (`_leave_at_once` in `cli/__init__.py`); another program waits for it only when it ends, as for any thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Made = TypeVar("Made")

OFTEN = 0.1
"""Seconds between two looks at whether somebody has interrupted: not every system wakes a thread that waits."""
ROOM_TO_COMPILE = 1 << 26
"""Bytes of such a thread's stack: as many as a main thread has, and some systems give others next to none."""
uncut = threading.Lock()
"""Held by whoever writes what must not be cut off when the program is left."""


class Work(threading.Thread, Generic[Made]):
    """Something that is done in a thread of its own, and what came of it."""

    def __init__(self, do: Callable[[], Made], *, daemon: bool) -> None:
        """Python does not end around what is no `daemon`: compiled code would not survive that."""
        super().__init__(daemon=daemon)
        self.do = do
        self.made: list[Made] = []
        self.error: BaseException | None = None
        self._over = threading.Event()  # whoever is interrupted in `join` leaves the thread marked as if it were over

    def start(self) -> None:
        before = threading.stack_size(ROOM_TO_COMPILE)
        try:
            super().start()
        finally:
            threading.stack_size(before)

    def run(self) -> None:
        try:
            self.made.append(self.do())
        except BaseException as error:  # noqa: BLE001 - it is raised again where somebody waits
            self.error = error
        finally:
            self._over.set()

    def over_within(self, seconds: float) -> bool:
        return self._over.wait(seconds)

    def result(self) -> Made:
        """What was made, once it is over."""
        if self.error is not None:
            raise self.error
        return self.made[0]


def beside(do: Callable[..., Made], *arguments: Any, **named: Any) -> Made:
    """What comes of it, done where it cannot be interrupted, though whoever waits for it can be."""
    if threading.current_thread() is not threading.main_thread():  # handlers run in no other
        return do(*arguments, **named)
    work = Work(lambda: do(*arguments, **named), daemon=False)
    work.start()
    while not work.over_within(OFTEN):
        pass
    return work.result()


_given_up: list[ThreadPoolExecutor] = []


@contextmanager
def side_by_side(threads: int | None) -> Iterator[ThreadPoolExecutor]:
    """So many threads that share some work. Whoever is interrupted does not wait for what they are at."""
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads)
    try:
        try:
            yield pool
        except Exception:  # a mistake, and nobody who wants to leave: it is told once everything is over
            pool.shutdown(cancel_futures=True)
            raise
        pool.shutdown()
    except Exception:
        raise
    except BaseException:
        _given_up.append(pool)
        pool.shutdown(wait=False, cancel_futures=True)
        raise


def goes_on() -> bool:
    """Whether something is still being done, or may be, for which nobody waits any more."""
    works = [each for each in threading.enumerate() if isinstance(each, Work)]
    return bool(_given_up) or not all(each.over_within(0) for each in works)
