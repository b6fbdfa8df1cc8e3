"""Just enough of WebSockets for a client that must cost next to nothing: frames out, frames in, and the handshake."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import cast

TEXT, CLOSE, PING = 1, 8, 9
KEY = "AAAAAAAAAAAAAAAAAAAAAA=="


def framed(payload: bytes, kind: int = TEXT) -> bytes:
    """A message as a client sends it; a mask of zeros is one that need not be computed."""
    size = len(payload)
    head = bytes([0x80 | kind, 0x80 | size]) if size < 126 else bytes([0x80 | kind, 0xFE]) + size.to_bytes(2, "big")
    return head + b"\0\0\0\0" + payload


class Socket(asyncio.Protocol):
    """One connection. `hear` is called with every message, at once."""

    def __init__(self, request: bytes, hear: Callable[[Socket, bytes], None]) -> None:
        self._request, self._hear = request, hear
        self._left, self._opened = b"", False
        self._transport: asyncio.Transport | None = None
        self.lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport = self._transport = cast(asyncio.Transport, transport)  # which uvloop's are, but do not say
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True

    def data_received(self, data: bytes) -> None:
        self._left += data
        if not self._opened:
            head, found, rest = self._left.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head[:20]:
                raise ConnectionError(head.decode("latin-1"))
            self._opened, self._left = True, rest
        for message in self._messages():
            self._hear(self, message)

    def _messages(self) -> Iterator[bytes]:
        data, at = self._left, 0
        while len(data) - at >= 2:
            kind, size, start = data[at] & 15, data[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if len(data) < start + size:
                break
            at = start + size
            if kind == TEXT:
                yield data[start:at]
            elif kind == PING:
                self.send(data[start:at], 10)
        self._left = data[at:]

    def send(self, payload: bytes, kind: int = TEXT) -> None:
        if self._transport is not None:
            self._transport.write(framed(payload, kind))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()


async def opened(host: str, port: int, path: str, hear: Callable[[Socket, bytes], None], *headers: str) -> Socket:
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {KEY}",
        "Sec-WebSocket-Version: 13",
        *headers,
    ]
    request = ("\r\n".join(lines) + "\r\n\r\n").encode()
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: Socket(request, hear), host, port)
    return socket
