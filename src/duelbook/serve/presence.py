"""Who is there: when each seat was last heard of, by this process or by another one that serves the same games.

It is written down now and then: of games that wait for somebody always, so that the lobby knows after a restart who has
gone; of those that are played where other processes may be asked, since each of them hears only whom it talks to.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

from duelbook.serve.served import Served
from duelbook.serve.store import Shared, Store

EVERY = 10.0
"""Seconds between two times that it is written."""
OFFERED = 24 * 3600.0
"""Seconds that an open game is offered after whoever opened it was last there, where an operator has not said."""


class Presence:
    def __init__(self, store: Store, clock: Callable[[], float], every: float = EVERY) -> None:
        self._store, self._clock, self.every = store, clock, every
        self._shared = isinstance(store, Shared)
        self._written = 0.0
        """Until when what was heard is written."""

    def away(self, served: Served, seat: int) -> float:
        """Seconds since somebody in this seat was last heard of, and never too many: a game is claimed by that.

        Who has just started again knows of nobody that they are gone. What another process has written may be as old
        as the time between two writings, in which they may have been heard of without a word of it.
        """
        now = self._clock()
        away = now - served.heard.get(seat, served.since)
        if away <= self.every or not self._shared:
            return away
        at = self._store.heard([served.game]).get((served.game, seat))
        return away if at is None else min(away, max(0.0, now - at - self.every))

    async def write(self, games: Callable[[], Iterable[Served]]) -> None:
        """Again and again, what has been heard since."""
        while True:
            await asyncio.sleep(self.every)
            now, new = self._clock(), self._news(games())
            with suppress(OSError):  # the store is away for a while; the next time may find it
                if new:
                    await asyncio.to_thread(self._store.mark, new)
                self._written = now

    def _news(self, games: Iterable[Served]) -> dict[tuple[str, int], float]:
        return {
            (served.game, seat): at
            for served in games
            if self._shared or served.waits
            for seat, at in served.heard.items()
            if at >= self._written
        }
