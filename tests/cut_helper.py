"""A network that fails, for tests: a small TCP proxy that can be cut before, during and after a request, or freeze."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread

BEFORE, DURING, AFTER, FROZEN = "before", "during", "after", "frozen"
"""The request does not arrive; half of it does; it arrives and its answer is lost; nothing comes and nothing ends."""


class Proxy:
    """Passes on what comes, one connection for each request, and fails as often as it is told."""

    def __init__(self, target: int) -> None:
        self.target = target
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._failures: list[tuple[bytes, str]] = []
        self._changing = Lock()
        self.failed: list[str] = []
        """What has been done to requests, in their order."""
        self.refusing = Event()
        """While it is set nobody gets through at all."""
        self._over = Event()
        Thread(target=self._accept, daemon=True).start()

    def fail(self, request: bytes, *how: str) -> None:
        """Let the next requests that hold these bytes fail in these ways, one after the other."""
        with self._changing:
            self._failures += [(request, each) for each in how]

    def close(self) -> None:
        self._over.set()
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        while not self._over.is_set():
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            Thread(target=self._serve, args=(client,), daemon=True).start()

    def _fate(self, request: bytes) -> str:
        with self._changing:
            for at, (what, how) in enumerate(self._failures):
                if what in request:
                    del self._failures[at]
                    self.failed.append(how)
                    return how
        return ""

    def _serve(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            if self.refusing.is_set():
                return
            asked, meant = (f"Host: 127.0.0.1:{port}".encode() for port in (self.port, self.target))
            request = _whole_request(client).replace(asked, meant)  # a server answers to its own name only
            how = self._fate(request)
            if how == BEFORE:
                return
            if how == FROZEN:
                self._over.wait()
                return
            with socket.create_connection(("127.0.0.1", self.target)) as server:
                if how == DURING:
                    server.sendall(request[: len(request) // 2])
                    return
                server.sendall(request)
                answer = _all_of(server)
                if how != AFTER:
                    client.sendall(answer)


def _whole_request(client: socket.socket) -> bytes:
    """A request with its body, as long as it says that it is."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = client.recv(65536)
        if not piece:
            return data
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        (int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")), 0
    )
    while len(body) < length:
        piece = client.recv(65536)
        if not piece:
            break
        body += piece
        data += piece
    return data


def _all_of(server: socket.socket) -> bytes:
    """Everything until the server closes; clients here ask once on each connection."""
    pieces = []
    while piece := server.recv(65536):
        pieces.append(piece)
    return b"".join(pieces)


@contextmanager
def proxied(target: int) -> Iterator[Proxy]:
    proxy = Proxy(target)
    try:
        yield proxy
    finally:
        proxy.close()
