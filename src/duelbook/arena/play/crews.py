"""Where the games of a tournament are played: which workers the word behind `--on` names."""

from __future__ import annotations

from functools import partial

from duelbook.arena.play.workers import DASK, HERE, LOCAL, RAY, Crew, Here, LocalWorkers, processors
from duelbook.core import DuelError, whole
from duelbook.speech import quote


class UnknownPlace(DuelError):
    """Games are to be played where nobody can."""


def crew(on: str = LOCAL, concurrency: int | None = None) -> Crew:
    """The workers that `--on` names."""
    concurrency = None if concurrency is None else whole(concurrency, "The games at a time", 1)
    wanted = " ".join(on.split()).replace("-", " ") if not on.startswith(DASK) else on
    if wanted == HERE and concurrency not in (None, 1):
        raise UnknownPlace(f"One process plays one game at a time, not {concurrency}; local plays as many as you like.")
    if wanted == HERE or (wanted == LOCAL and concurrency == 1):
        return Crew(Here, 1)
    if wanted == LOCAL:
        size = concurrency or processors()
        return Crew(partial(LocalWorkers, size), size)
    if wanted.startswith(DASK):
        from duelbook.arena.play.clusters import dask_crew

        return dask_crew(wanted.removeprefix(DASK), concurrency)
    if wanted == RAY or wanted.startswith("ray://"):
        from duelbook.arena.play.clusters import ray_crew

        return ray_crew(wanted, concurrency)
    raise UnknownPlace(f"Games can be played on: local, one-process, dask://HOST:PORT, ray; not on {quote(on)}.")
