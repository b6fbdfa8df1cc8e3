"""What a worker of a cluster keeps between games: a referee for each of its threads, until nobody needs it."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from duelbook.arena.play import clusters
from duelbook.arena.play.results import Entrant, Task
from duelbook.arena.play.workers import WorkerDied

PROGRAMS = (Entrant("one", "engine:one"), Entrant("two", "engine:two"))
LONG_AGO = -2 * clusters.IDLE
PATIENCE = 0.5
"""Seconds: the most that somebody waits who must not be let in."""


class Referee:
    """Answers at once, unless it was sent home; `lost` cancels what it is given, as one does that is sent home then."""

    lost = False

    def __init__(self, size: int) -> None:
        self.at_home = False

    def submit(self, *work: object) -> Future[list[Any]]:
        if self.at_home:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future: Future[list[Any]] = Future()
        future.cancel() if self.lost else future.set_result([])
        return future

    def shutdown(self, cancel_futures: bool) -> None:
        self.at_home = True


@pytest.fixture(autouse=True)
def _nobody_yet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(clusters, "LocalWorkers", Referee)
    monkeypatch.setattr(clusters, "folder_of", lambda run: tmp_path / run)
    monkeypatch.setattr(clusters, "_referees", {})
    monkeypatch.setattr(clusters, "_used", {})


def play(run: str) -> list[Any]:
    return clusters.play_apart([(Task(0, 0, "tower", (), (0, 1), 1, 200),)], PROGRAMS, run, {})


def test_who_is_found_idle_is_not_sent_home_with_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody looks for idle referees; in that moment the thread of one comes back with a game."""
    came: list[object] = []
    given = threading.Event()

    def come_back() -> None:
        clusters._used[key()] = LONG_AGO
        clusters._referees[key()] = Referee(1)  # type: ignore[assignment]  # it stands for one
        ready.set()
        again.wait(PATIENCE)
        try:
            came.append(play("theirs"))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what went wrong
            came.append(error)

    def key() -> tuple[str, int]:
        return "theirs", threading.get_ident()

    def submit(self: Referee, *work: object) -> Future[list[Any]]:
        if threading.current_thread() is thread:
            given.set()  # it has its referee, and is about to use it
            looked.wait(PATIENCE)
        return usual(self, *work)

    def monotonic() -> float:
        if threading.current_thread() is not thread and not again.is_set():
            again.set()
            given.wait(PATIENCE)
        return 0.0

    ready, again, looked = threading.Event(), threading.Event(), threading.Event()
    usual = Referee.submit
    monkeypatch.setattr(Referee, "submit", submit)
    monkeypatch.setattr(clusters, "time", SimpleNamespace(monotonic=monotonic))
    thread = threading.Thread(target=come_back, daemon=True)
    thread.start()
    ready.wait(PATIENCE)
    mine = play("mine")
    looked.set()
    thread.join()
    assert (mine, came) == ([], [[]])


def test_who_is_sent_home_before_it_begins_has_died(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Referee, "lost", True)
    with pytest.raises(WorkerDied):
        play("mine")
