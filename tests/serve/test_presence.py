"""Who is there, where several processes serve a game: each hears only whom it talks to, and none takes a game away."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.sync.client import connect

from duelbook.serve.connection import Connection, Place
from duelbook.serve.desk import Desk
from duelbook.serve.events import Refused
from duelbook.serve.house import House
from duelbook.serve.online import GONE
from duelbook.serve.opening import LINKS, Wish
from duelbook.serve.presence import EVERY
from duelbook.serve.sqlite import Sqlite
from duelbook.serve.store import Shared
from helpers import HANGING
from online_helper import Guest, Server
from pages_helper import Clock, run
from postgres_helper import a_database, needs_postgres


class Common(Sqlite):
    """A file that says of itself that others write it, too: two desks on it are as two processes on a database."""

    def listen(self, hear: Callable[[str], object]) -> None:
        raise AssertionError("nobody listens here")


@pytest.fixture
def common(tmp_path: Path) -> Iterator[Common]:
    store = Common(tmp_path / "games.db")
    assert isinstance(store, Shared)
    yield store
    store.close()


async def playing(desk: Desk) -> tuple[str, list[str]]:
    """A game that waits for the first move of Ann, and the tokens of both."""
    made = await desk.create(Wish("tower"))
    seats = [
        await desk.join(made.game, made.invitations[seat], name, Guest(seat).chain_of(LINKS).anchor)
        for seat, name in enumerate(("Ann", "Bo"))
    ]
    return made.game, [seat.token for seat in seats]


def test_who_is_there_at_another_process_is_not_claimed_against(common: Common, clock: Clock) -> None:
    async def tale() -> None:
        here, there = Desk(common, clock=clock), Desk(common, clock=clock)
        game, (ann, bo) = await playing(here)
        await there.seat_of(game, bo)
        for number in range(20):
            clock.now += EVERY
            await there.seat_of(game, ann)
            common.mark(there.presence._news(there._served.values()))
            if clock.now - 1_000_000.0 > GONE:
                assert here._get(game).heard.get(0) is None  # nobody has told it
                with pytest.raises(Refused, match="not waited long enough"):
                    await here.act(game, 1, f"claim {number}", {"do": "claim"})
        clock.now += GONE + EVERY + 1
        await here.act(game, 1, "claim", {"do": "claim"})
        assert (await here.online(game)).over

    run(tale)


def test_what_was_not_written_in_time_is_no_reason_for_a_claim_too_soon(common: Common, clock: Clock) -> None:
    """They may have been there until just before the next writing, by a process that is no more."""

    async def tale() -> None:
        here = Desk(common, clock=clock)
        game, _ = await playing(here)
        clock.now += 100.0
        common.mark({(game, 0): clock.now})
        clock.now += GONE + EVERY - 1
        with pytest.raises(Refused, match="not waited long enough"):
            await here.act(game, 1, "claim", {"do": "claim"})
        clock.now += 2
        await here.act(game, 1, "again", {"do": "claim"})

    run(tale)


def test_what_is_written_of_somebody_never_goes_back(common: Common) -> None:
    common.mark({("one", 0): 5.0, ("one", 1): 7.0})
    common.mark({("one", 0): 3.0, ("two", 1): 1.0})
    assert common.heard(["one", "two", "none"]) == {("one", 0): 5.0, ("one", 1): 7.0, ("two", 1): 1.0}


# Two real processes


def serve(database: str, listening: socket.socket, ahead: Path) -> None:
    """A server in a process of its own, whose clock is as far ahead as a file says."""
    from duelbook.serve.postgres import Postgres

    def clock() -> float:
        return time.time() + float(ahead.read_text(encoding="utf-8"))

    host = f"127.0.0.1:{listening.getsockname()[1]}"
    House(Postgres(database), [host], clock=clock, every=0.05).run(listening)


@contextmanager
def process(database: str, ahead: Path) -> Iterator[tuple[Server, int]]:
    spawn = multiprocessing.get_context("spawn")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        running = spawn.Process(target=serve, args=(database, listening, ahead))
        running.start()
        try:
            assert running.pid is not None
            yield Server(f"http://127.0.0.1:{listening.getsockname()[1]}"), running.pid
        finally:
            running.kill()
            running.join()


@pytest.mark.slow
@needs_postgres
def test_a_claim_at_one_process_knows_who_is_at_the_other_until_that_is_killed(tmp_path: Path) -> None:
    from duelbook.serve.postgres import Postgres

    ahead = tmp_path / "ahead"

    def later(seconds: float) -> None:
        new = tmp_path / "new"
        new.write_text(str(float(ahead.read_text()) + seconds if ahead.exists() else seconds), encoding="utf-8")
        new.replace(ahead)

    later(0.0)
    with a_database() as url, process(url, ahead) as (one, first), process(url, ahead) as (two, _):
        game, tokens = new_game(one)
        bo = Connection(Place(two.address, game), tokens[1])
        bo.events(0)
        store = Postgres(url)
        address = f"{one.address.replace('http', 'ws')}/api/games/{game}/live"
        with connect(address, additional_headers={"authorization": f"Bearer {tokens[0]}"}):
            for _ in range(3):
                later(GONE / 2)
                deadline, now = time.monotonic() + HANGING, time.time() + float(ahead.read_text())
                while store.heard([game]).get((game, 0), 0.0) < now:
                    assert time.monotonic() < deadline, "who is there is written down"
            with pytest.raises(Refused, match="not waited long enough"):
                bo.act("claim", {"do": "claim"})
            os.kill(first, signal.SIGKILL)
        later(GONE + 1)
        assert [event.kind for event in bo.act("again", {"do": "claim"})] == ["faulted", "over"]
        store.close()


def new_game(server: Server) -> tuple[str, list[str]]:
    """A game of tower that waits for Ann, and the tokens of both."""
    link = server.new_game("tower", open=True)
    place = Place(server.address, link.partition("#")[0].rpartition("/")[2], link.rpartition("=")[2])
    tokens = ["a" * 40, "b" * 40]
    for seat, name in enumerate(("Ann", "Bo")):
        anchor = Guest(seat).chain_of(LINKS).anchor
        Connection(place if seat == 0 else place._replace(invitation="")).join(name, anchor, tokens[seat])
    return place.game, tokens
