"""A Dask cluster, or Ray: workers of other machines.

A program can kill the process that referees its game. Where that is a worker of a cluster, we would hear of a death and
of nothing else, or of nothing at all, for a cluster plays the game again by itself. So on a cluster a game of programs
is refereed by a child of the worker: when it dies, the worker is there to say how far the game was.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from duelbook.arena.play.exact import tabular
from duelbook.arena.play.pairs import Games, play_some
from duelbook.arena.play.results import Entrant, Played
from duelbook.arena.play.traces import forget, found
from duelbook.arena.play.workers import RAY, SECONDS_TO_CONNECT, Crew, LocalWorkers, WorkerDied
from duelbook.core import DuelError

GOODBYE = 5.0
"""Seconds for all workers of a cluster to end the programs of a tournament."""


# Dask


def dask_crew(address: str, concurrency: int | None) -> Crew:
    try:
        from distributed import Client
    except ImportError:
        raise DuelError("Playing on a Dask cluster needs Dask: pip install 'duelbook[dask]'") from None
    new_client: Any = Client  # it ships no types
    try:
        client = new_client(f"tcp://{address}", timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise DuelError(f"No Dask scheduler answers at {address}: {error}") from None
    size = concurrency or sum(client.nthreads().values())
    if not size:
        client.close()
        raise DuelError(f"The Dask cluster at {address} has no workers yet. Start some with: dask worker {address}")
    return Crew(partial(DaskWorkers, client), size, here=False)


class DaskWorkers:
    """A Dask cluster. When a worker dies, the scheduler gives its work to another one."""

    def __init__(self, client: Any) -> None:  # Dask ships no types
        self._client = client
        self._executor = client.get_executor(pure=False)

    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        future: Future[Any] = self._executor.submit(work, *args)
        return future

    def rest(self, run: str) -> None:
        """The cluster outlives us, but the programs it ran for us need not."""

        def ask() -> None:
            with suppress(Exception):
                self._client.run(send_home, run)

        # A worker that has just died is waited for by the scheduler much longer than by us.
        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        asking.join(GOODBYE)

    def stop(self, run: str = "", *, hurry: bool = False) -> None:
        self.rest(run)
        self._executor.shutdown(wait=not hurry)
        self._client.close()


# Ray


def ray_crew(address: str, concurrency: int | None) -> Crew:
    try:
        import ray
    except ImportError:
        raise DuelError("Playing on Ray needs Ray: pip install 'duelbook[ray]'") from None
    ours = not ray.is_initialized()
    if ours:
        ray.init(address=None if address == RAY else address, log_to_driver=False, logging_level="error")
    size = concurrency or int(ray.cluster_resources().get("CPU", 1))
    return Crew(partial(RayWorkers, size, ours), size, here=False)


class RayWorkers:
    """As many Ray actors, each of which plays one game at a time and is started anew when it died."""

    def __init__(self, size: int, ours: bool) -> None:
        """`ours` is a Ray that we have begun and end again; somebody else's goes on without us."""
        import ray

        actor = ray.remote(max_restarts=-1)(_RayWorker)
        self._ray, self._ours = ray, ours
        self._actors = [actor.remote() for _ in range(size)]
        self._busy = [0] * size
        self._lock = threading.Lock()

    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        with self._lock:
            least = min(range(len(self._actors)), key=self._busy.__getitem__)
            self._busy[least] += 1
        future: Future[Any] = self._actors[least].do.remote(work, *args).future()
        future.add_done_callback(lambda _: self._less_busy(least))
        return future

    def _less_busy(self, at: int) -> None:
        with self._lock:
            self._busy[at] -= 1

    def rest(self, run: str) -> None:
        for actor in self._actors:
            with suppress(self._ray.exceptions.RayError):
                self._ray.get(actor.do.remote(send_home, run))

    def stop(self, run: str = "", *, hurry: bool = False) -> None:
        self.rest(run)
        for actor in self._actors:
            with suppress(self._ray.exceptions.RayError):
                self._ray.kill(actor)
        if self._ours:
            self._ray.shutdown()


class _RayWorker:
    def do(self, work: Callable[..., Any], *args: Any) -> Any:
        return work(*args)


# Inside a worker of a cluster


_referees: dict[tuple[str, int], LocalWorkers] = {}
"""For each tournament and thread of this process a child that plays for it."""


def play_apart(
    pairs: Sequence[Games], entrants: tuple[Entrant, ...], run: str, known: Mapping[int, str], alone: bool = False
) -> list[Played]:
    """Play some pairs as `play_some` does. Who dies over them is said, with how far they were."""
    folder = folder_of(run)
    if all(tabular(entrants[number]) for games in pairs for number in games[0].seats):
        return play_some(pairs, entrants, run, folder, known, alone)
    numbers = [games[0].pair for games in pairs]
    left = {pair: text for pair, text in found(folder, numbers).items() if known.get(pair) != text}
    if left:
        forget(folder, numbers)
        raise WorkerDied(left)  # a worker was given this before, on this machine, and did not survive it
    key = (run, threading.get_ident())
    if key not in _referees:
        _referees[key] = LocalWorkers(1)
    try:
        played: list[Played] = _referees[key].submit(play_some, pairs, entrants, run, folder, known, alone).result()
    except (WorkerDied, CancelledError):
        raise WorkerDied(found(folder, numbers)) from None
    finally:
        forget(folder, numbers)
    return played


def folder_of(run: str) -> Path:
    return Path(tempfile.gettempdir()) / f"duelbook-{run}"


def send_home(run: str) -> None:
    """End all that this process keeps for a tournament, at work or not."""
    for key in [key for key in _referees if key[0] == run]:
        _referees.pop(key).stop(hurry=True)
    shutil.rmtree(folder_of(run), ignore_errors=True)
