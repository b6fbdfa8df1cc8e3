"""Other processes that serve the same games: what they have written is taken in for whoever follows it here."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from duelbook.core import DuelError
from duelbook.serve.desk import Desk

AT_ONCE = 500
"""Games in one question to the store."""


class Others:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._grown: set[str] = set()
        self._taking_in: asyncio.Task[None] | None = None

    def hear_of(self, game: str) -> None:
        """Something was written of this game elsewhere. What comes while others are read is read together."""
        if not self._desk.is_followed(game):
            return
        self._grown.add(game)
        if self._taking_in is None:
            self._taking_in = asyncio.ensure_future(self._take_in())

    async def _take_in(self) -> None:
        try:
            while self._grown:
                games, self._grown = self._grown, set()
                await self._desk.catch_up(games)
        finally:
            self._taking_in = None

    async def look(self, every: float = 1.0) -> None:
        """Look again and again, for whoever was not woken: the numbers in the store are the truth."""
        while True:
            await asyncio.sleep(every)
            known = self._desk.listened()
            games = list(known)
            for at in range(0, len(games), AT_ONCE):
                some = games[at : at + AT_ONCE]
                with suppress(DuelError, OSError):  # the store is away for a while; the next look may find it
                    lasts = await asyncio.to_thread(self._desk.store.lasts, some)
                    await self._desk.catch_up([game for game in some if lasts.get(game, 0) > known[game]])
