"""Everything that one process serves, put together: the desk, the pages, the sockets, and the web server."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

import uvicorn

from duelbook.serve.app import application
from duelbook.serve.callers import Callers, Deadlines
from duelbook.serve.desk import Desk
from duelbook.serve.figures import Figures
from duelbook.serve.limits import Limits
from duelbook.serve.logs import tell
from duelbook.serve.others import Others
from duelbook.serve.presence import EVERY, OFFERED
from duelbook.serve.sockets import Patience, Sockets
from duelbook.serve.store import Shared, Store

MOST_CONNECTIONS = 5000


class _Server(uvicorn.Server):
    def __init__(self, desk: Desk, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.desk = desk

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Who only waits for news does not keep it from stopping."""
        self.desk.let_go()
        await super().shutdown(sockets)


class House:
    def __init__(
        self,
        store: Store,
        hosts: Iterable[str],
        *,
        trust_proxy: bool = False,
        limits: Limits | None = None,
        patience: Patience | None = None,
        deadlines: Deadlines | None = None,
        engines: Mapping[str, str] | None = None,
        figures: int = 0,
        offered: float = OFFERED,
        clock: Callable[[], float] = time.time,
        every: float = EVERY,
    ) -> None:
        """`hosts` are the names under which it is asked for, exactly; `figures` a port of this machine for metrics;
        `offered` the seconds for which an open game outlasts its opener; `every` those after which presence is
        written."""
        self.figures = figures
        limits = limits or Limits()
        self.store = store
        self.desk = Desk(store, engines=engines, clock=clock, limits=limits, offered=offered, every=every)
        guard = application(self.desk, hosts, trust_proxy=trust_proxy, limits=limits)
        self.callers = Callers(MOST_CONNECTIONS if trust_proxy else limits.sockets, deadlines)
        self.sockets = Sockets(self.desk, guard, limits, patience)
        self.server = _Server(
            self.desk,
            uvicorn.Config(
                guard,
                interface="asgi3",
                http=self.callers.protocol,  # type: ignore[arg-type]  # what makes a protocol is as good as its class
                ws=self.sockets.protocol,  # type: ignore[arg-type]  # what makes a protocol is as good as its class
                log_config=None,  # `logs.py` says who hears what
                log_level=None,
                access_log=False,  # what is asked for names games, which is nobody's business
                proxy_headers=False,  # the guard believes a proxy, and only when it is told to
                timeout_graceful_shutdown=5,
                limit_concurrency=MOST_CONNECTIONS,
                server_header=False,
                lifespan="off",
            ),
        )

    async def serve(self, listening: socket.socket) -> None:
        """Until somebody stops it. What was being written then is written, and answered."""
        beside = [asyncio.ensure_future(each) for each in (self.sockets.beat(self.callers.tick), self.desk.mark())]
        if isinstance(self.store, Shared):
            others, loop = Others(self.desk), asyncio.get_running_loop()

            def hear(game: str) -> None:
                with suppress(RuntimeError):  # the loop has ended, and nobody has to know any more
                    loop.call_soon_threadsafe(others.hear_of, game)

            self.store.listen(hear)
            beside.append(asyncio.ensure_future(others.look()))
        for task in beside:
            task.add_done_callback(self._ended)
        shown = await Figures(self.desk, self.sockets).listen(self.figures) if self.figures else None
        tell("serving", pid=os.getpid())
        try:
            await self.server.serve(sockets=[listening])
        finally:
            for task in beside:
                task.cancel()
            if shown is not None:
                shown.close()
            self.desk.close()
            tell("stopped", pid=os.getpid())

    def _ended(self, task: asyncio.Future[None]) -> None:
        """What goes on beside the server does so until it is stopped; whoever runs it must know if it does not."""
        if not task.cancelled() and (error := task.exception()) is not None:
            self.sockets.failed(error)

    def run(self, listening: socket.socket) -> None:
        """The same in a loop of its own: uvloop's where it is installed, for it is faster.

        Who is asked to end by SIGTERM stops in order, and that is no failure: whoever called goes on from here.
        """
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, self._stop)
        with asyncio.Runner(loop_factory=self.server.config.get_loop_factory()) as runner:
            runner.run(self.serve(listening))

    def _stop(self, *_: object) -> None:
        """Uvicorn listens for signals only once it serves: who is asked to end before that must not begin."""
        self.server.should_exit = True
