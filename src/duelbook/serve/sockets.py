"""All sockets of this process: who may come, how many, and who is still there."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, NamedTuple

from duelbook.serve.desk import Desk
from duelbook.serve.guard import Guard
from duelbook.serve.limits import Limits, less
from duelbook.serve.live import Live

if TYPE_CHECKING:
    from uvicorn.config import Config
    from uvicorn.server import ServerState

log = logging.getLogger("duelbook")


class Patience(NamedTuple):
    """Seconds."""

    tick: float = 1.0
    """How often everybody is looked at."""
    quiet: float = 5.0
    """After so long without a word somebody is asked whether they are there, and told that the server is."""
    gone: float = 8.5
    """After so long without an answer they are let go: seen at the next tick, and within ten in all."""
    slow: float = 8.5
    """So long somebody may leave unread what they are sent."""


class Sockets:
    def __init__(self, desk: Desk, guard: Guard, limits: Limits, patience: Patience | None = None) -> None:
        self.desk, self.guard, self.limits, self.patience = desk, guard, limits, patience or Patience()
        self.now = 0.0
        """As of the last tick: near enough for seconds, and nobody has to look at a clock."""
        self.here: set[Live] = set()
        self._of_address: Counter[str] = Counter()
        self._watching: Counter[str] = Counter()
        self._later: set[asyncio.Task[None]] = set()

    def protocol(self, config: Config, server_state: ServerState, app_state: object, _loop: object = None) -> Live:
        """What a web server makes of a connection that wants to be a WebSocket."""
        return Live(self, server_state)

    def come(self, live: Live) -> None:
        self.here.add(live)

    def full(self, live: Live, game: str) -> str | None:
        """Why one more cannot sit down or watch, if so."""
        if self._of_address[live.address] >= self.limits.sockets:
            return "There are too many connections from there."
        if live.viewer is None and self._watching[game] >= self.limits.watchers:
            return "So many watch this game that nobody else can."
        return None

    def enter(self, live: Live, game: str) -> None:
        self._of_address[live.address] += 1
        self._watching[game] += live.viewer is None

    def go(self, live: Live) -> None:
        """Whoever had not entered has no game."""
        self.here.discard(live)
        if live.game:
            less(self._of_address, live.address)
            if live.viewer is None:
                less(self._watching, live.game)

    @property
    def watchers(self) -> int:
        return self._watching.total()

    @property
    def seats(self) -> int:
        return self._of_address.total() - self.watchers

    def later(self, what: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(what)
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    async def beat(self, *beside: Callable[[float], None]) -> None:
        """Look at everybody, again and again; `beside` do so with whomever they know."""
        loop = asyncio.get_running_loop()
        while True:
            for tick in (self.tick, *beside):
                try:
                    tick(loop.time())
                except Exception as error:  # noqa: BLE001 - one that cannot be looked at keeps nobody from being looked at
                    self.failed(error)
            await asyncio.sleep(self.patience.tick)

    def tick(self, now: float) -> None:
        self.now = now
        for live in list(self.here):
            live.beat(now)

    def failed(self, error: BaseException) -> None:
        """Something that is nobody's mistake but ours."""
        log.error("An act failed.", exc_info=error)
