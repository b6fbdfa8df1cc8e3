"""The figures of a process, at a port of their own on this machine: what nobody outside can ask, nobody can misuse."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from duelbook.core import DuelError
from duelbook.serve.desk import Desk
from duelbook.serve.sockets import Sockets

LONGEST_QUESTION = 4096
PATIENCE = 5.0
"""Seconds for a question."""


class Figures:
    def __init__(self, desk: Desk, sockets: Sockets) -> None:
        self._desk, self._sockets = desk, sockets

    def text(self) -> str:
        followed, in_memory = self._desk.counted()
        now = {
            "games_live": followed,
            "games_in_memory": in_memory,
            "seats_connected": self._sockets.seats,
            "watchers_connected": self._sockets.watchers,
        }
        return self._desk.metrics.text(now)

    async def listen(self, port: int) -> asyncio.Server:
        """Raises DuelError where the port is taken."""
        try:
            return await asyncio.start_server(self._answer, "127.0.0.1", port, limit=LONGEST_QUESTION)
        except OSError as error:
            raise DuelError(f"The figures cannot be shown at port {port}: {error.strerror or error}.") from None

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(PATIENCE):
                head = await reader.readuntil(b"\r\n\r\n")
                there = head.split(b" ", 2)[:2] == [b"GET", b"/metrics"]
                body = (self.text() if there else "Figures are at /metrics.\n").encode()
                status = "200 OK" if there else "404 Not Found"
                kind = "text/plain; version=0.0.4; charset=utf-8"
                lines = (f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}")
                writer.write("\r\n".join((*lines, "Connection: close", "", "")).encode() + body)
                await writer.drain()
        writer.close()
