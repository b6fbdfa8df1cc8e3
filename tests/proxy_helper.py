"""A network that fails: a small TCP proxy before a server, which cuts or freezes connections when it is told to."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import NamedTuple
from urllib.parse import urlsplit

Side = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Proxy(NamedTuple):
    address: str
    lines: Lines

    def cut(self) -> None:
        """Every connection is gone, and the other side is told."""
        self.lines.soon(self.lines.cut)

    def freeze(self, frozen: bool = True) -> None:
        """Nothing comes through any more, and nobody is told: a socket stays open."""
        self.lines.soon(lambda: self.lines.freeze(frozen))

    def cut_at(self, words: bytes, *, answered: bool) -> None:
        """Cut at the next request that holds these words: before it arrives, or when it is done and not answered."""
        self.lines.soon(lambda: self.lines.cut_at(words, answered))


class Lines:
    """What the proxy does, in a loop of its own."""

    def __init__(self, target: str) -> None:
        parts = urlsplit(target)
        self.host, self.port = str(parts.hostname), int(parts.port or 80)
        self.loop = asyncio.new_event_loop()
        self.open: set[asyncio.StreamWriter] = set()
        self.going = asyncio.Event()
        self.going.set()
        self.stopped = asyncio.Event()
        self.trap: tuple[bytes, bool] | None = None
        self.sprung = False

    def soon(self, what: Callable[[], None]) -> None:
        done = asyncio.run_coroutine_threadsafe(self._do(what), self.loop)
        done.result(10)

    async def _do(self, what: Callable[[], None]) -> None:
        what()

    def cut(self) -> None:
        for writer in self.open:
            writer.transport.abort()
        self.open.clear()

    def freeze(self, frozen: bool) -> None:
        if frozen:
            self.going.clear()
        else:
            self.cut()  # what was frozen for so long does not come back to life
            self.going.set()

    def cut_at(self, words: bytes, answered: bool) -> None:
        self.trap, self.sprung = (words, answered), False

    async def serve(self, listening: socket.socket) -> None:
        server = await asyncio.start_server(self._connected, sock=listening)
        async with server:
            await self.stopped.wait()
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            self.cut()
            await asyncio.wait(others)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection(self.host, self.port)
        self.open |= {writer, there[1]}
        with suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(
                self._carry(reader, there[1], asking=True), self._carry(there[0], writer, asking=False)
            )
        for each in (writer, there[1]):
            self.open.discard(each)
            each.transport.abort()

    async def _carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, asking: bool) -> None:
        while data := await source.read(65536):
            await self.going.wait()
            if self._trapped(data, asking):
                return
            target.write(data)
            await target.drain()
        target.write_eof()

    def _trapped(self, data: bytes, asking: bool) -> bool:
        if self.trap is None:
            return False
        words, answered = self.trap
        if asking and words in data:
            if answered:
                self.sprung = True  # it goes on to the server, and its answer is not let back
                return False
            self.trap = None
            self.cut()
            return True
        if not asking and self.sprung:
            self.trap, self.sprung = None, False
            self.cut()
            return True
        return False


@contextmanager
def proxied(target: str, listening: socket.socket) -> Iterator[Proxy]:
    """A proxy that listens at this socket, which the server must know as one of its names."""
    lines = Lines(target)
    host, port = listening.getsockname()

    def run() -> None:
        asyncio.set_event_loop(lines.loop)
        lines.loop.run_until_complete(lines.serve(listening))

    thread = Thread(target=run)
    thread.start()
    try:
        yield Proxy(f"http://{host}:{port}", lines)
    finally:

        def stop() -> None:
            lines.going.set()
            lines.cut()
            lines.stopped.set()

        lines.loop.call_soon_threadsafe(stop)
        thread.join()
        lines.loop.close()
