"""A real PostgreSQL: the same promises as of the file, and processes that serve the same games while one is killed."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import wait
from pathlib import Path

import pytest

from duelbook.core import DuelError
from duelbook.serve.connection import Connection, read_link
from duelbook.serve.events import unbroken
from duelbook.serve.postgres import Postgres
from duelbook.serve.store import Taken
from online_helper import Guest, Server
from serve.test_store import some

FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
INITDB = shutil.which("initdb") or next(
    (str(folder / "initdb") for folder in FOLDERS if (folder / "initdb").exists()), None
)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(INITDB is None, reason="PostgreSQL is not installed; on Debian: apt install postgresql"),
]


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """A server of its own at a free port, which keeps no root: as who is root runs it as somebody else."""
    assert INITDB is not None
    programs = Path(INITDB).parent
    somebody = {"user": pwd.getpwnam("nobody").pw_uid} if os.getuid() == 0 else {}
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        if somebody:
            os.chown(folder, somebody["user"], -1)
        data = Path(folder) / "data"
        quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **somebody}
        subprocess.run([INITDB, "-D", data, "-U", "duelbook", "-A", "trust", "--no-sync"], **quiet)  # type: ignore[call-overload]
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
        subprocess.run([programs / "pg_ctl", "-D", data, "-w", "-o", options, "-l", data / "log", "start"], **quiet)  # type: ignore[call-overload]
        yield f"postgresql://duelbook@127.0.0.1:{port}/postgres"
        subprocess.run([programs / "pg_ctl", "-D", data, "-m", "immediate", "stop"], **quiet)  # type: ignore[call-overload]


def test_what_is_written_is_there_and_a_place_is_taken_once(database: str) -> None:
    store, other = Postgres(database), Postgres(database)
    events = some("one", 3)
    store.append(events[:2]).result()
    other.append(events[2:]).result()
    assert store.read("one") == events
    assert other.read("one", 2) == events[2:]
    for late in (events[1:], events[:1], some("one", 5)[4:]):
        with pytest.raises(Taken):
            store.append(late).result()
    assert store.lasts(["one", "none"]) == {"one": 3}
    assert [listed.game for listed in store.games()] == ["one"]
    store.close()
    other.close()


def test_two_that_write_at_once_leave_no_gap(database: str) -> None:
    stores = [Postgres(database), Postgres(database)]
    appends = [store.append(some(f"game {number}", 2)) for number in range(60) for store in stores]
    wait(appends)
    assert sum(each.exception() is None for each in appends) == 60
    assert all(unbroken(stores[0].read(f"game {number}")) for number in range(60))
    for store in stores:
        store.close()


def test_news_of_another_process_come_at_once(database: str) -> None:
    import queue

    store, other = Postgres(database), Postgres(database)
    heard: queue.SimpleQueue[str] = queue.SimpleQueue()
    store.listen(heard.put)
    other.append(some("news", 1)).result()
    while heard.get(timeout=60) != "news":
        pass
    store.close()
    other.close()


def test_a_database_that_is_not_there_is_said() -> None:
    with pytest.raises(DuelError, match="The database cannot be used"):
        Postgres("postgresql://nobody@127.0.0.1:1/none")


def test_a_game_goes_on_while_one_process_of_two_is_killed(database: str) -> None:
    command = [sys.executable, "-m", "duelbook", "serve", "--port", "0", "--data", database, "--processes", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        address = serving.stdout.readline().split()[-1]
        try:
            connection = Connection(read_link(Server(address).new_game("secret", "random")))
            connection.catch_up()
            guest = Guest(0)
            guest.seat = connection.join("Ann", guest.chain(connection.online).anchor)
            for turn in range(40):
                if turn in (5, 20):
                    children = Path(f"/proc/{serving.pid}/task/{serving.pid}/children").read_text().split()
                    os.kill(int(children[-1]), signal.SIGKILL)
                connection.catch_up(wait=guest.seat not in connection.online.due())
                if guest.seat in connection.online.due():
                    connection.act(guest.wants(connection.online))
        finally:
            serving.send_signal(signal.SIGINT)
            serving.wait()
    store = Postgres(database)
    kept = store.read(connection.place.game)
    assert [event.seq for event in kept] == list(range(1, len(kept) + 1))
    assert unbroken(kept)
    assert connection.online.match is not None
    assert connection.online.match.turns > 5
    store.close()
