"""Players that misbehave, workers that die, and short ways to ask for a tournament."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from duelbook.arena.play import workers
from duelbook.arena.play.pairs import Games
from duelbook.arena.play.results import Duel
from duelbook.arena.play.schedule import Plan, duel, enter
from duelbook.arena.play.seats import close_all
from duelbook.arena.play.workers import LocalWorkers
from duelbook.engine.fault import EngineFault
from duelbook.engine.limits import Limits
from duelbook.llm.asking import Asking
from duelbook.match import View
from duelbook.players.random import RandomPlayer


def plan(players: str = "random level:3", games: str = "tower energy", rounds: int = 2, **more: Any) -> Plan:
    """Games that are played, though they could be computed."""
    duels: tuple[Duel, ...] = tuple(duel(game) for game in games.split())
    return Plan(enter(players.split()), duels, rounds=rounds, **{"play": True, "seed": 0, "date": "2026.01.31", **more})


class Lowest:
    """Plays the lowest legal move. It can be sent to other processes, and it cannot be hashed."""

    __hash__ = None  # type: ignore[assignment]  # what a dataclass is by default

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lowest)

    def choose(self, view: View) -> int:
        return view.legal()[0]


class Program(RandomPlayer):
    """Stands for a program: it is kept between games, and can be ended."""

    alive: list[Program] = []  # noqa: RUF012 - shared on purpose, so that a test can look at it
    started = 0

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.games = 0
        type(self).started += 1
        Program.alive.append(self)

    def prepare(self, view: View) -> None:
        self.games += 1

    def close(self) -> None:
        if self in Program.alive:
            Program.alive.remove(self)


class Failing(Program):
    """Fails at its third decision of a game, in the way it is named for."""

    def __init__(self, seed: int, how: str) -> None:
        super().__init__(seed)
        self.how, self.asked = how, 0

    def prepare(self, view: View) -> None:
        super().prepare(view)
        self.asked = 0
        if self.how == "absent":
            raise EngineFault("crash", "bot did not start.", "no such file\n")

    def choose(self, view: View) -> int:
        self.asked += 1
        if self.asked < 3:
            return super().choose(view)
        if self.how == "wrong":
            return 99
        raise EngineFault(self.how, "bot\nfailed\x1b[2J.", 'Traceback:\n  "x\\y" ö\n')


def fake_players(kind: str, seed: int, limits: Limits | None = None, asking: Asking | None = None) -> Any:
    """In place of `seat_player`: programs of these tests, and the usual players."""
    if kind == "program":
        return Program(seed)
    if kind.startswith("failing:"):
        return Failing(seed, kind.removeprefix("failing:"))
    from duelbook.players import seat_player

    return seat_player(kind, seed, limits, asking)


class Elsewhere:
    """Workers that are not this process, though what they start is here."""

    def rest(self, run: str) -> None:
        close_all(run)

    def stop(self, run: str = "", *, hurry: bool = False) -> None:
        close_all(run)


class MortalWorkers(LocalWorkers):
    """Workers that are killed when they are given a certain game, for the first so many times."""

    def __init__(self, size: int, marks: str, number: int, deaths: int) -> None:
        super().__init__(size)
        self.mortal = (marks, number, deaths)

    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        return super().submit(die_or, self.mortal, work, *args)


def die_or(mortal: tuple[str, int, int], work: Callable[..., Any], *args: Any) -> Any:
    marks, number, deaths = mortal
    pairs: list[Games] = args[0] if args else []
    marked = len(list(Path(marks).iterdir()))
    if any(games[0].number == number for games in pairs) and marked < deaths:
        (Path(marks) / f"{marked}-{len(pairs)}").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return work(*args)


class StillbornWorkers(LocalWorkers):
    """Workers that die whatever they are given."""

    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        return super().submit(os._exit, 1)


def die_answering() -> bytes:
    """Get killed when half of the answer is said."""

    def half(self: Any, said: bytes) -> None:
        os.write(self.fileno(), said[: len(said) // 2])
        os.kill(os.getpid(), signal.SIGKILL)

    Connection._send = half  # type: ignore[attr-defined]
    return bytes(1000)


def idle_no_longer() -> None:
    """Have the worker that does this leave as soon as it has nothing else to do."""
    workers.IDLE = 0.0


def wait_for_ever() -> None:
    threading.Event().wait()
