"""A real Dask cluster of several worker processes, on this machine. What starts one is the long tail."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from arena_helper import plan
from duelbook.arena.play.crews import crew
from duelbook.arena.play.results import KILLED, Result
from duelbook.arena.play.schedule import Entry, Plan, duel, enter
from duelbook.arena.play.tournament import hold, programme
from duelbook.core import DuelError
from duelbook.engine.limits import OFF, Limits, Surroundings

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # the cluster's own are not ours to mend
]

WORK = programme(plan("random level:3 perfect", "tower deck conquer", rounds=30))


@pytest.fixture(scope="module")
def distributed() -> Any:
    """Imported here and not above: it takes long, and `make test` collects this file too."""
    return pytest.importorskip("distributed", reason="Dask is an extra: pip install 'duelbook[dask]'")


@pytest.fixture(scope="module")
def cluster(distributed: Any) -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


def address(cluster: Any) -> str:
    return str(cluster.scheduler_address).replace("tcp://", "dask://")


def test_a_cluster_gives_the_same_though_a_worker_is_killed_midway(cluster: Any) -> None:
    workers = crew(address(cluster))
    assert workers.size == 3
    victim = cluster.workers[0].pid
    heard: list[int] = []

    def hear(portion: list[Result]) -> None:
        if not heard:
            os.kill(victim, signal.SIGKILL)
        heard.extend(result.task.number for result in portion)

    finished = hold(WORK, workers, hear=hear)
    assert sorted(heard) == [task.number for task in WORK.tasks]
    assert all(worker.pid != victim for worker in cluster.workers.values())
    assert finished.results == hold(WORK, crew("one-process")).results


BOTS = Path(__file__).parent / "bots"
FREE = Limits(around=Surroundings(OFF))
"""In a sandbox nobody can kill a referee."""


def bot(name: str, *words: object) -> str:
    return "engine:" + shlex.join([sys.executable, str(BOTS / f"{name}.py"), *map(str, words)])


@pytest.mark.skipif(sys.platform != "linux", reason="it kills as Linux lets it kill")
@pytest.mark.parametrize("who", ["referee", "worker"])
def test_who_kills_on_a_cluster_gains_nothing(cluster: Any, who: str, tmp_path: Path) -> None:
    """The referee is a child of the cluster's worker. Whoever kills the worker itself is found out by the next one."""
    more = ["worker"] if who == "worker" else []
    entrants = enter([Entry(bot("killer", "asked", tmp_path / "notes", *more), "killer", FREE), "level:6"])
    finished = hold(programme(Plan(entrants, (duel("tower"),), rounds=1, seed=5)), crew(address(cluster)))
    assert [
        result.fault and (result.task.seats[result.fault.seat], result.fault.kind) for result in finished.results
    ] == [
        (0, KILLED),
        (0, KILLED),
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="it looks at processes as Linux shows them")
def test_a_tournament_that_ends_leaves_the_programs_of_others_alone(cluster: Any) -> None:
    """Two arenas share a cluster. When the first ends, the bots of the second play on."""
    entrants = enter([Entry(bot("slow"), "slow", FREE), "level:6"])
    short = programme(Plan(entrants, (duel("tower"),), rounds=1, seed=1))
    long = programme(Plan(entrants, (duel("tower"),), rounds=3, seed=2))
    begun, over = threading.Event(), threading.Event()
    running: list[set[int]] = []

    def other() -> None:
        begun.wait(60)
        hold(short, crew(address(cluster)))
        over.set()

    def hear(portion: list[Result]) -> None:
        running.append(bots_running())
        if not begun.is_set():
            begun.set()
            assert over.wait(60)

    thread = threading.Thread(target=other)
    thread.start()
    workers = crew(address(cluster))
    finished = hold(long, workers._replace(size=1), hear=hear)
    thread.join()
    assert all(result.fault is None for result in finished.results)
    assert len(running) > 1
    assert running[0]
    assert running[0] <= running[-1], "a bot of the longer tournament was ended and started anew"
    assert bots_running() == set()


def bots_running() -> set[int]:
    """The processes of slow bots on this machine."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if str(BOTS / "slow.py") in (process / "cmdline").read_text().split("\0"):
                found.add(int(process.name))
    return found


@pytest.mark.usefixtures("distributed")
def test_a_scheduler_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.arena.play.clusters.SECONDS_TO_CONNECT", 0.5)
    with pytest.raises(DuelError, match=r"No Dask scheduler answers at 127\.0\.0\.1:9"):
        crew("dask://127.0.0.1:9")


def test_a_cluster_without_workers_is_said(distributed: Any) -> None:
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=None, silence_logs=50) as empty,
        pytest.raises(DuelError, match="has no workers yet"),
    ):
        crew(address(empty))
