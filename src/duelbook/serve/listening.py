"""An address to be asked at, and the names under which it may be asked for."""

from __future__ import annotations

import socket

from duelbook.core import DuelError

EVERYWHERE = ("0.0.0.0", "::")


def listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise DuelError(f"Nobody can be served at {host}, port {port}: {error.strerror or error}.") from None


def names_of(host: str, listening: socket.socket) -> tuple[str, set[str]]:
    """The address to tell people, and every host with its port under which they may ask here."""
    port = listening.getsockname()[1]
    shown = "127.0.0.1" if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}", {f"{shown}:{port}", f"{host}:{port}", f"localhost:{port}", f"127.0.0.1:{port}"}
