"""Ray: it is large, so only `make test-all` sets it up."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from pathlib import Path

import pytest

from arena_helper import plan
from duelbook.arena.play.crews import crew
from duelbook.arena.play.results import KILLED, Result
from duelbook.arena.play.schedule import Entry, Plan, duel, enter
from duelbook.arena.play.tournament import hold, programme
from duelbook.arena.play.workers import Workers
from duelbook.engine.limits import OFF, Limits, Surroundings

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # Ray's own are not ours to mend
]

WORK = programme(plan("random level:3 perfect", "tower deck conquer", rounds=30))


def test_ray_gives_the_same_though_a_worker_is_killed_midway() -> None:
    pytest.importorskip("ray", reason="Ray is an extra: pip install 'duelbook[ray]'")
    workers = crew("ray", 2)
    opened: list[Workers] = []
    heard: list[int] = []

    def open_workers() -> Workers:
        opened.append(workers.open())
        return opened[-1]

    def hear(portion: list[Result]) -> None:
        if not heard:
            os.kill(opened[0].submit(os.getpid).result(), signal.SIGKILL)
        heard.extend(result.task.number for result in portion)

    finished = hold(WORK, workers._replace(open=open_workers), hear=hear)
    assert sorted(heard) == [task.number for task in WORK.tasks]
    assert finished.results == hold(WORK, crew("one-process")).results


@pytest.mark.skipif(sys.platform != "linux", reason="it kills as Linux lets it kill")
def test_who_kills_the_referee_on_ray_loses_by_that(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is an extra: pip install 'duelbook[ray]'")
    killer = shlex.join(
        [sys.executable, str(Path(__file__).parent / "bots" / "killer.py"), "asked", str(tmp_path / "notes")]
    )
    free = Limits(around=Surroundings(OFF))  # in a sandbox nobody can kill a referee
    entrants = enter([Entry(f"engine:{killer}", "killer", free), "level:6"])
    finished = hold(programme(Plan(entrants, (duel("tower"),), rounds=1, seed=5)), crew("ray", 2))
    faults = [result.fault for result in finished.results if result.fault]
    assert [fault.kind for fault in faults] == [KILLED, KILLED]
    assert [result.score(result.seat_of(0)) for result in finished.results] == [0, 0]
