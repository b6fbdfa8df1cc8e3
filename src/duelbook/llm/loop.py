"""Where questions are on their way: one thread of this process, in which everything can be cut off in time.

Whoever asks waits in a thread of their own, so any number of players may ask at once.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from concurrent.futures import Future
from threading import Lock, Thread
from typing import TypeVar

Answer = TypeVar("Answer")

_lock = Lock()
_loops: dict[int, asyncio.AbstractEventLoop] = {}
"""By process: one that was forked has its parent's loop, but not the thread that runs it."""


def _loop() -> asyncio.AbstractEventLoop:
    with _lock:
        loop = _loops.get(os.getpid())
        if loop is None:
            loop = _loops[os.getpid()] = asyncio.new_event_loop()
            Thread(target=loop.run_forever, name="duelbook-llm", daemon=True).start()
        return loop


def begin(work: Coroutine[object, object, Answer]) -> Future[Answer]:
    """Have this done there. To cancel it cuts it off."""
    return asyncio.run_coroutine_threadsafe(work, _loop())


def wait_for(future: Future[Answer]) -> Answer:
    """What it comes to. Who is interrupted while waiting has it cut off."""
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise
