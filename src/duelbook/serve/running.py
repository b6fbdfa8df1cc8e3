"""Starting the server, and stopping it so that nothing is lost."""

from __future__ import annotations

import asyncio
import socket
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn

from duelbook.core import DuelError
from duelbook.serve.app import application
from duelbook.serve.desk import Desk
from duelbook.serve.limits import LARGEST_MESSAGE
from duelbook.serve.sqlite import Sqlite

MOST_CONNECTIONS = 5000


def serve(
    file: Path,
    host: str,
    port: int,
    names: Sequence[str],
    *,
    trust_proxy: bool,
    browse: bool,
    check: bool,
    say: Callable[[str], None],
    warn: Callable[[str], None],
) -> None:
    """Serve until somebody stops it. `names` are those under which it is asked for, besides its own address.

    `check` sees whether the address and the file can be had, and stops.
    """
    listening = _listening(host, port)
    port = listening.getsockname()[1]
    address = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else host}:{port}"
    hosts = {f"{host}:{port}", f"localhost:{port}", f"127.0.0.1:{port}", *names}
    store = Sqlite(file)
    say(f"Duelbook is at {address}")
    warn(f"Games are kept in {file}. Ctrl-C stops it; nothing is lost.")
    if check:
        store.close()
        listening.close()
        return
    if browse:
        webbrowser.open(address)
    try:
        asyncio.run(_serve(store, hosts, listening, trust_proxy=trust_proxy))
    finally:
        store.close()


async def _serve(store: Sqlite, hosts: set[str], listening: socket.socket, *, trust_proxy: bool) -> None:
    app = application(Desk(store), hosts, trust_proxy=trust_proxy)
    config = uvicorn.Config(
        app,
        log_level="warning",
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        ws_ping_interval=4.0,
        ws_ping_timeout=6.0,
        timeout_graceful_shutdown=5,
        limit_concurrency=MOST_CONNECTIONS,
        server_header=False,
        lifespan="off",
    )
    await uvicorn.Server(config).serve(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise DuelError(f"Nobody can be served at {host}, port {port}: {error.strerror or error}.") from None
