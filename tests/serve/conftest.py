"""What tests of the server share: a store of their own, a clock to turn, pages, a running server, and a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser_helper import started
from duelbook.serve.app import application
from duelbook.serve.desk import Desk
from duelbook.serve.guard import Guard
from duelbook.serve.sqlite import Sqlite
from online_helper import Server, served
from pages_helper import HOST, Clock

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Sqlite]:
    kept = Sqlite(tmp_path / "games.db")
    yield kept
    kept.close()


@pytest.fixture
def desk(store: Sqlite, clock: Clock) -> Iterator[Desk]:
    made = Desk(store, clock=clock)
    yield made
    made.close()


@pytest.fixture
def app(desk: Desk) -> Guard:
    return application(desk, [HOST])


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with served(tmp_path) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started() as running:
        yield running
