"""The players of one worker.

A program is started once and stays for many games; it is ended when it failed, when it was idle for long, and when the
worker ends, however that comes about. Players of our own are made anew for every game: their seed is the game's.
A worker of a cluster may play for several tournaments, so each has programs of its own, and ends no others.

The two games of a pair share their luck, and a program that remembers the first would know every card of the second.
So in duels with luck a program runs twice: one process plays first games, another one second games, and neither ever
meets the same cards again.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from duelbook.arena.play.objects import Guarded
from duelbook.arena.play.results import Entrant, Task
from duelbook.core import DuelError
from duelbook.games import load
from duelbook.match import Player
from duelbook.players import ENGINE, seat_player

if TYPE_CHECKING:
    from duelbook.players.engine import EnginePlayer

IDLE = 60.0
"""Seconds after which a program that nobody plays with is ended: a worker of a cluster outlives the tournament."""


class Seats:
    """The programs that one thread of a worker keeps running: players that can be closed. Nobody else talks to them."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        """Held during a game, so that a program is not ended in the middle of one."""
        self._running: dict[tuple[str, int, int], Player] = {}
        self._used = time.monotonic()

    def player(self, run: str, task: Task, entrants: tuple[Entrant, ...], seat: int) -> Player:
        """Who sits in this seat; a program of this tournament may be there from the game before."""
        number = task.seats[seat]
        key = (run, number, task.half if load(task.game).faces else 0)
        if key not in self._running:
            player = self.new_player(task, entrants, seat)
            if not hasattr(player, "close"):
                return player
            self._running[key] = player
        self._used = time.monotonic()
        _introduce(self._running[key], task, entrants, seat)
        return self._running[key]

    def new_player(self, task: Task, entrants: tuple[Entrant, ...], seat: int) -> Player:
        """Somebody who has played with nobody before."""
        player = _new_player(entrants[task.seats[seat]], task.own[seat])
        if hasattr(player, "close"):
            _look_after()
        _introduce(player, task, entrants, seat)
        return player

    def dismiss(self, player: Player) -> None:
        """End a program; the next game starts it anew."""
        for key, each in list(self._running.items()):
            if each is player:
                del self._running[key]
        if hasattr(player, "close"):
            _close(player)

    def close(self, run: str | None = None) -> None:
        """End the programs of one tournament, or all."""
        for key in list(self._running):
            if run in (None, key[0]):
                with suppress(KeyError):
                    _close(self._running.pop(key))

    def close_if_idle(self) -> None:
        if self._running and time.monotonic() - self._used > IDLE and self.lock.acquire(blocking=False):
            try:
                self.close()
            finally:
                self.lock.release()


def _new_player(entrant: Entrant, seed: int) -> Player:
    if entrant.player is not None:
        return Guarded(entrant.player)
    if entrant.kind.startswith(ENGINE):
        return engine_player(entrant)
    player = seat_player(entrant.kind, seed)
    if player is None:
        raise DuelError(f"{entrant.name} is a person, and a tournament is for programs.")
    return player


def _introduce(player: object, task: Task, entrants: Sequence[Entrant], seat: int) -> None:
    """Have the log of a program, where there is one, say which game this is."""
    log = getattr(player, "log", None)
    if log is not None:
        log.name = entrants[task.seats[seat]].name
        log.where = f"game {task.number + 1} seat {seat + 1}"


def engine_player(entrant: Entrant) -> EnginePlayer:
    """A program within its limits; it is not started yet."""
    from duelbook.players.engine import EnginePlayer

    return EnginePlayer(entrant.kind.removeprefix(ENGINE), entrant.limits)


def _close(player: Any) -> None:  # one that was seen to have `close`
    with suppress(OSError, DuelError):  # it is gone already, or will not go gently; its keeper has done what it can
        player.close()


_mine = threading.local()
_all: list[Seats] = []
_watching = threading.Event()


def seats() -> Seats:
    """Those of this thread: a worker of a cluster may play several games at once."""
    known: Seats | None = getattr(_mine, "seats", None)
    if known is None:
        known = _mine.seats = Seats()
        _all.append(known)
    return known


def close_all(run: str | None = None) -> None:
    """End every program that this process keeps, or that it keeps for one tournament."""
    for each in tuple(_all):
        each.close(run)


def _look_after() -> None:
    """See to it, once in a process, that programs end with it and do not idle."""
    if _watching.is_set():
        return
    _watching.set()
    atexit.register(close_all)
    threading.Thread(target=_end_idlers, name="idle programs", daemon=True).start()


def _end_idlers() -> None:
    never = threading.Event()
    while not never.wait(IDLE / 4):
        for each in tuple(_all):
            each.close_if_idle()
