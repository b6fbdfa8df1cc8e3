"""A real Dask cluster of several worker processes, on this machine."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from arena_helper import plan
from duelbook.arena.results import Result
from duelbook.arena.tournament import hold, programme
from duelbook.arena.workers import crew
from duelbook.core import DuelError

distributed = pytest.importorskip("distributed", reason="Dask is an extra: pip install 'duelbook[dask]'")
pytestmark = pytest.mark.filterwarnings("ignore")  # the cluster's own are not ours to mend

WORK = programme(plan("random level:3 perfect", "tower deck conquer", rounds=30))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
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


def test_a_scheduler_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.arena.clusters.PATIENCE", 0.5)
    with pytest.raises(DuelError, match=r"No Dask scheduler answers at 127\.0\.0\.1:9"):
        crew("dask://127.0.0.1:9")


def test_a_cluster_without_workers_is_said() -> None:
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=None, silence_logs=50) as empty,
        pytest.raises(DuelError, match="has no workers yet"),
    ):
        crew(address(empty))
