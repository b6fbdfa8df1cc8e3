"""Ray: it is large, so only `make test-all` sets it up."""

from __future__ import annotations

import os
import signal
from concurrent.futures import Executor

import pytest

from arena_helper import plan
from duelbook.arena.results import Result
from duelbook.arena.tournament import hold, programme
from duelbook.arena.workers import crew

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # Ray's own are not ours to mend
]

WORK = programme(plan("random level:3 perfect", "tower deck conquer", rounds=30))


def test_ray_gives_the_same_though_a_worker_is_killed_midway() -> None:
    pytest.importorskip("ray", reason="Ray is an extra: pip install 'duelbook[ray]'")
    workers = crew("ray", 2)
    opened: list[Executor] = []
    heard: list[int] = []

    def open_workers() -> Executor:
        opened.append(workers.open())
        return opened[-1]

    def hear(portion: list[Result]) -> None:
        if not heard:
            os.kill(opened[0].submit(os.getpid).result(), signal.SIGKILL)
        heard.extend(result.task.number for result in portion)

    finished = hold(WORK, workers._replace(open=open_workers), hear=hear)
    assert sorted(heard) == [task.number for task in WORK.tasks]
    assert finished.results == hold(WORK, crew("one-process")).results
