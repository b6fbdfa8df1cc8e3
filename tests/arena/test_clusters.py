"""What a worker of a cluster keeps between games: a referee for each of its threads, until nobody needs it."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from duelbook.arena.play import clusters
from duelbook.arena.play.results import Entrant, Task
from duelbook.arena.play.workers import WorkerDied

PROGRAMS = (Entrant("one", "engine:one"), Entrant("two", "engine:two"))


class Referee:
    """Answers at once; `lost` cancels what it is given, as one does that is sent home then."""

    lost = False

    def __init__(self, size: int) -> None:
        self.at_home = False

    def submit(self, *work: object) -> Future[list[Any]]:
        future: Future[list[Any]] = Future()
        future.cancel() if self.lost else future.set_result([])
        return future

    def stop(self, hurry: bool) -> None:
        self.at_home = True


@pytest.fixture(autouse=True)
def _nobody_yet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(clusters, "LocalWorkers", Referee)
    monkeypatch.setattr(clusters, "folder_of", lambda run: tmp_path / run)
    monkeypatch.setattr(clusters, "_referees", {})


def play(run: str) -> list[Any]:
    return clusters.play_apart([(Task(0, 0, "tower", (), (0, 1), 1, 200),)], PROGRAMS, run, {})


def test_who_is_sent_home_before_it_begins_has_died(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Referee, "lost", True)
    with pytest.raises(WorkerDied):
        play("mine")


def test_who_played_for_a_tournament_goes_home_with_it_and_nobody_else() -> None:
    assert (play("mine"), play("mine"), play("theirs")) == ([], [], [])
    kept = {run: referee for (run, _), referee in clusters._referees.items()}
    clusters.send_home("mine")
    assert [vars(kept[run]) for run in ("mine", "theirs")] == [{"at_home": True}, {"at_home": False}]
    assert [run for run, _ in clusters._referees] == ["theirs"]
