"""A real PostgreSQL: the same promises as of the file, and processes that serve the same games while one is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import wait
from contextlib import suppress
from pathlib import Path

import pytest

from duelbook.core import DuelError
from duelbook.serve.chain import unbroken
from duelbook.serve.connection import read_link
from duelbook.serve.postgres import Postgres
from duelbook.serve.store import Away, Taken, appended
from online_helper import Guest, Server, Talk
from postgres_helper import a_database, needs_postgres
from serve.test_store import some

pytestmark = [pytest.mark.slow, needs_postgres]


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with a_database() as address:
        yield address


def test_what_is_written_is_there_and_a_place_is_taken_once(database: str) -> None:
    store, other = Postgres(database), Postgres(database)
    events = some("one", 3)
    appended(store, events[:2]).result()
    appended(other, events[2:]).result()
    assert store.read("one") == events
    assert other.read("one", 2) == events[2:]
    for late in (events[1:], events[:1], some("one", 5)[4:]):
        with pytest.raises(Taken):
            appended(store, late).result()
    assert store.lasts(["one", "none"]) == {"one": 3}
    assert [listed.game for listed in store.games()] == ["one"]
    store.close()
    other.close()


def test_two_that_write_at_once_leave_no_gap(database: str) -> None:
    stores = [Postgres(database), Postgres(database)]
    appends = [appended(store, some(f"game {number}", 2)) for number in range(60) for store in stores]
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
    appended(other, some("news", 1)).result()
    while heard.get(timeout=60) != "news":
        pass
    store.close()
    other.close()


def test_lines_to_the_database_that_break_are_opened_again(database: str) -> None:
    """It was so: after the first break nobody was woken any more, and the look every second had ended, too."""
    import queue

    import psycopg

    store, other = Postgres(database), Postgres(database)
    heard: queue.SimpleQueue[str] = queue.SimpleQueue()
    store.listen(heard.put)
    store.mark({("breaks", 0): 1.0})
    with psycopg.connect(database, autocommit=True) as operator:
        operator.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    for ask in (lambda: store.lasts(["any"]), lambda: store.mark({("breaks", 0): 2.0})):
        with pytest.raises(Away):
            ask()
    store.mark({("breaks", 0): 2.0})
    assert store.heard(["breaks"]) == {("breaks", 0): 2.0}
    with suppress(DuelError):  # told that it could not be written, so nobody was told that it was
        appended(other, some("woken", 1)).result()
    number = 0
    while True:
        appended(other, some(f"woken {number}", 1)).result()
        with suppress(queue.Empty):
            assert heard.get(timeout=1).startswith("woken")
            break
        number += 1
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
            talk, guest = Talk(read_link(Server(address).new_game("secret", "random"))), Guest(0)
            talk.join("Ann", guest)
            for turn in range(40):
                if turn in (5, 20):
                    children = Path(f"/proc/{serving.pid}/task/{serving.pid}/children").read_text().split()
                    os.kill(int(children[-1]), signal.SIGKILL)
                talk.catch_up(wait=guest.seat not in talk.online.due())
                if guest.seat in talk.online.due():
                    talk.act(guest.wants(talk.online))
        finally:
            serving.send_signal(signal.SIGINT)
            serving.wait()
    store = Postgres(database)
    kept = store.read(talk.online.id)
    assert [event.seq for event in kept] == list(range(1, len(kept) + 1))
    assert unbroken(kept)
    assert talk.online.match is not None
    assert talk.online.match.turns > 5
    store.close()
