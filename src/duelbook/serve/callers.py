"""Whoever calls by HTTP: how many of one address at once, and how long they may take to ask and to take the answer.

A web server that waits for whoever says nothing has no room left for the others in the end.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import NamedTuple

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from duelbook.serve.guard import network_of
from duelbook.serve.limits import less


class Deadlines(NamedTuple):
    """Seconds."""

    ask: float = 10.0
    """For a whole question, its head and its body; and for the next one to begin."""
    take: float = 60.0
    """Until its answer has been made and read; news are waited for that long, too."""


class Callers:
    def __init__(self, most: int, deadlines: Deadlines | None = None) -> None:
        """`most` of one address; behind a proxy all of them have one, and the guard counts instead."""
        self.most, self.deadlines = most, deadlines or Deadlines()
        self.now = 0.0
        self._here: set[Caller] = set()
        self._of_address: Counter[str] = Counter()

    def protocol(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> Caller:
        """What a web server makes of a connection."""
        caller = Caller(config, server_state, app_state, _loop)
        caller.callers = self
        return caller

    def come(self, caller: Caller) -> bool:
        """Whether there is room for one more from there."""
        self._here.add(caller)
        self._of_address[caller.address] += 1
        return self._of_address[caller.address] <= self.most

    def go(self, caller: Caller) -> None:
        if caller in self._here:
            self._here.discard(caller)
            less(self._of_address, caller.address)

    def tick(self, now: float) -> None:
        """Now and then: who takes too long is let go."""
        self.now = now
        for caller in list(self._here):
            caller.look_at(now, self.deadlines)


class Caller(H11Protocol):
    callers: Callers
    address = ""
    _doing: tuple[object, bool] = (None, False)
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the one above has it
        super().connection_made(transport)
        self.address, self._since = network_of(self.client[0]) if self.client else "", self.callers.now
        if not self.callers.come(self):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.callers.go(self)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.callers.go(self)  # a socket is counted and watched by others from now on
        path = self.scope["path"]
        self.headers = [(name, _only_of(path, value) if name == b"cookie" else value) for name, value in self.headers]
        super().handle_websocket_upgrade(event)

    def look_at(self, now: float, deadlines: Deadlines) -> None:
        answering = self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body
        doing = (self.cycle, answering)
        if doing != self._doing:
            self._doing, self._since = doing, now
        elif now - self._since > (deadlines.take if answering else deadlines.ask):
            self.transport.abort()


def _only_of(path: str, cookies: bytes) -> bytes:
    """The cookies of the game that a socket is for: all those of somebody who plays much would not fit in its head."""
    games = path.encode("latin-1", "replace").split(b"/")
    crumbs = (crumb.strip() for crumb in cookies.split(b";"))
    return b"; ".join(crumb for crumb in crumbs if crumb.partition(b"=")[0].rpartition(b"-")[2] in games)
