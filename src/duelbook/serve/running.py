"""Starting the server, in one process or in several, and stopping it so that nothing is lost."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from duelbook.core import DuelError
from duelbook.serve import logs
from duelbook.serve.house import House
from duelbook.serve.limits import Limits
from duelbook.serve.listening import listen, names_of
from duelbook.serve.presence import OFFERED
from duelbook.serve.sqlite import Sqlite, backup, every_game
from duelbook.serve.store import Kept, Store

if TYPE_CHECKING:
    from duelbook.serve.postgres import Postgres

MOST_FILES = 65536
DATABASES = ("postgresql://", "postgres://")
QUICKLY = 1.0
"""Seconds: a process that has ended within them is started again after as many, for it may end so every time."""


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
    limits: Limits = Limits()
    engines: tuple[tuple[str, str], ...] = ()
    """The programs that the operator has named: what is asked for, and what is started."""
    figures: int = 0
    """The port for metrics on this machine; the next ones for further processes. 0 for none."""
    log_in_json: bool = False
    offered: float = OFFERED
    """Seconds for which an open game is offered after its opener has gone; 0 for ever."""

    @property
    def in_a_file(self) -> bool:
        return not self.data.startswith(DATABASES)


def serve(
    asked: Serving, *, browse: bool, check: bool, say: Callable[[str], None], warn: Callable[[str], None]
) -> None:
    """Serve until somebody stops it. `check` only sees whether the address and the store can be had."""
    if asked.in_a_file and asked.processes > 1:
        raise DuelError("Several processes cannot write one file safely; give --data the postgresql:// of a database.")
    logs.speak(in_json=asked.log_in_json)
    store = opened(asked.data)
    listening = listen(asked.host, asked.port)
    address, own = names_of(asked.host, listening)
    say(f"Duelbook is at {address}")
    if not asked.log_in_json:
        where = Path(asked.data) if asked.in_a_file else "PostgreSQL"
        warn(f"Games are kept in {where}. Ctrl-C stops it; nothing is lost.")
    hosts = {*own, *asked.names}
    if check:
        store.close()
        listening.close()
        return
    _have_room_for_many()
    if browse:
        _show(address)
    if asked.processes == 1:
        _run(store, hosts, listening, asked, asked.figures)
        return
    store.close()
    _run_several(asked, hosts, listening)


def _show(address: str) -> None:
    """In a browser, while the server starts: one that lives in this terminal would have it to itself, so none of those
    is opened unless somebody has asked for it by name."""
    with suppress(webbrowser.Error):
        if type(webbrowser.get()) is not webbrowser.GenericBrowser or "BROWSER" in os.environ:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _have_room_for_many() -> None:
    """Every connection is an open file, of which a process has a thousand until it asks for more."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        many = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
        if soft != resource.RLIM_INFINITY and soft < many:
            resource.setrlimit(resource.RLIMIT_NOFILE, (many, hard))


def copy(data: str, target: Path) -> None:
    """A copy of all games, while a server goes on with them."""
    if data.startswith(DATABASES):
        raise DuelError("PostgreSQL makes its own copies: pg_dump writes one while the server goes on.")
    backup(Path(data), target)


def games_of(data: str) -> Iterator[Kept]:
    """Every game, one after the other."""
    if not data.startswith(DATABASES):
        yield from every_game(Path(data))
        return
    store = opened(data)
    assert not isinstance(store, Sqlite)
    try:
        yield from store.every_game()
    finally:
        store.close()


def opened(data: str) -> Sqlite | Postgres:
    if not data.startswith(DATABASES):
        return Sqlite(Path(data))
    try:
        from duelbook.serve.postgres import Postgres
    except ModuleNotFoundError:
        raise DuelError("PostgreSQL needs psycopg. Install it with: pip install 'duelbook[serve,postgres]'") from None
    return Postgres(data)


def _run(store: Store, hosts: set[str], listening: socket.socket, asked: Serving, figures: int) -> None:
    try:
        House(
            store,
            hosts,
            trust_proxy=asked.trust_proxy,
            limits=asked.limits,
            engines=dict(asked.engines),
            figures=figures,
            offered=asked.offered,
        ).run(listening)
    finally:
        store.close()


def _run_several(asked: Serving, hosts: set[str], listening: socket.socket) -> None:
    """Processes that share the address. One that dies is started again: the games are in the database."""
    spawn = multiprocessing.get_context("spawn")

    def started(at: int) -> multiprocessing.process.BaseProcess:
        figures = asked.figures and asked.figures + at
        process = spawn.Process(target=_one_of_several, args=(asked, hosts, listening, figures))
        process.start()
        return process

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        processes, begun = [started(at) for at in range(asked.processes)], [time.monotonic()] * asked.processes
        while True:
            multiprocessing.connection.wait([process.sentinel for process in processes])
            for at, process in enumerate(processes):
                if not process.is_alive():
                    logs.log.warning("A process has ended with %s; another one takes its place.", process.exitcode)
                    if time.monotonic() - begun[at] < QUICKLY:
                        time.sleep(QUICKLY)
                    processes[at], begun[at] = started(at), time.monotonic()
    finally:  # of all that have been started, though somebody may stop this before all have
        for process in (left := multiprocessing.active_children()):
            process.terminate()
        for process in left:
            process.join()


def _one_of_several(asked: Serving, hosts: set[str], listening: socket.socket, figures: int) -> None:
    logs.speak(in_json=asked.log_in_json)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(KeyboardInterrupt):
        _run(opened(asked.data), hosts, listening, asked, figures)


def _end_with_parent() -> None:
    """Who started this may be killed, and then nobody else would ever end it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
