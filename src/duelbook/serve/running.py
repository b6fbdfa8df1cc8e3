"""Starting the server, in one process or in several, and stopping it so that nothing is lost."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import uvicorn

from duelbook.core import DuelError
from duelbook.serve.app import application
from duelbook.serve.desk import Desk
from duelbook.serve.limits import LARGEST_MESSAGE
from duelbook.serve.sqlite import Sqlite
from duelbook.serve.store import Store

MOST_CONNECTIONS = 5000
DATABASES = ("postgresql://", "postgres://")


class Serving(NamedTuple):
    """What was asked for."""

    data: str
    """A file, or the address of a PostgreSQL database."""
    host: str
    port: int
    names: tuple[str, ...]
    """Under which people ask for it, besides its own address."""
    trust_proxy: bool = False
    processes: int = 1


def serve(
    asked: Serving, *, browse: bool, check: bool, say: Callable[[str], None], warn: Callable[[str], None]
) -> None:
    """Serve until somebody stops it. `check` only sees whether the address and the store can be had."""
    in_a_file = not asked.data.startswith(DATABASES)
    if in_a_file and asked.processes > 1:
        raise DuelError("Several processes cannot write one file safely; give --data the postgresql:// of a database.")
    store = opened(asked.data)
    listening = _listening(asked.host, asked.port)
    port = listening.getsockname()[1]
    address = f"http://{'127.0.0.1' if asked.host in ('0.0.0.0', '::') else asked.host}:{port}"
    say(f"Duelbook is at {address}")
    warn(f"Games are kept in {Path(asked.data) if in_a_file else 'PostgreSQL'}. Ctrl-C stops it; nothing is lost.")
    hosts = {f"{asked.host}:{port}", f"localhost:{port}", f"127.0.0.1:{port}", *asked.names}
    if check:
        store.close()
        listening.close()
        return
    if browse:
        webbrowser.open(address)
    if asked.processes == 1:
        _run(store, hosts, listening, asked.trust_proxy)
        return
    store.close()
    _run_several(asked, hosts, listening)


def opened(data: str) -> Store:
    if not data.startswith(DATABASES):
        return Sqlite(Path(data))
    try:
        from duelbook.serve.postgres import Postgres
    except ModuleNotFoundError:
        raise DuelError("PostgreSQL needs psycopg. Install it with: pip install 'duelbook[serve,postgres]'") from None
    return Postgres(data)


def _run(store: Store, hosts: set[str], listening: socket.socket, trust_proxy: bool) -> None:
    try:
        asyncio.run(_serve(store, hosts, listening, trust_proxy))
    finally:
        store.close()


def _run_several(asked: Serving, hosts: set[str], listening: socket.socket) -> None:
    """Processes that share the address. One that dies is started again: the games are in the database."""
    spawn = multiprocessing.get_context("spawn")

    def started() -> multiprocessing.process.BaseProcess:
        process = spawn.Process(target=_one_of_several, args=(asked, hosts, listening), daemon=True)
        process.start()
        return process

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    processes = [started() for _ in range(asked.processes)]
    try:
        while True:
            multiprocessing.connection.wait([process.sentinel for process in processes])
            processes = [process if process.is_alive() else started() for process in processes]
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()


def _one_of_several(asked: Serving, hosts: set[str], listening: socket.socket) -> None:
    with suppress(KeyboardInterrupt):
        _run(opened(asked.data), hosts, listening, asked.trust_proxy)


async def _serve(store: Store, hosts: set[str], listening: socket.socket, trust_proxy: bool) -> None:
    desk = Desk(store)
    app = application(desk, hosts, trust_proxy=trust_proxy)
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
    others = asyncio.ensure_future(desk.follow_others())
    listen = getattr(store, "listen", None)
    if listen is not None:
        loop = asyncio.get_running_loop()
        listen(lambda game: loop.call_soon_threadsafe(desk.hear_of, game))
    try:
        await uvicorn.Server(config).serve(sockets=[listening])
    finally:
        others.cancel()


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise DuelError(f"Nobody can be served at {host}, port {port}: {error.strerror or error}.") from None
