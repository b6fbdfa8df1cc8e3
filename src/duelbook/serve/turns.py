"""One at a time, each address in its turn: who asks for much waits for themselves, and others for one thing of theirs.

The field calls it a round robin, or fair queueing.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    def __init__(self) -> None:
        self._now: str | None = None
        """Whose turn it is."""
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """By their addresses, in the order in which those come; one that has had its turn goes to the end."""

    @asynccontextmanager
    async def of(self, address: str, patience: float | None = None) -> AsyncIterator[None]:
        """Wait until it is this address's turn, and have it. Raises TimeoutError after so many seconds without."""
        if self._now is None:
            self._now = address
        else:
            mine = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(address, deque()).append(mine)
            async with asyncio.timeout(patience):
                try:
                    await mine
                except asyncio.CancelledError:
                    if mine.done() and not mine.cancelled():  # it was given, and nobody is there to take it
                        self._pass_on()
                    raise
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        """To the next address that waits; to the one that has just had it only where no other does."""
        if line := self._waiting.pop(str(self._now), None):
            self._waiting[str(self._now)] = line
        while self._waiting:
            self._now, line = next(iter(self._waiting.items()))
            first = line.popleft()
            if not line:
                del self._waiting[self._now]
            if not first.cancelled():
                first.set_result(None)
                return
        self._now = None
