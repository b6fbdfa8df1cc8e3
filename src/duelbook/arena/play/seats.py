"""The players of one worker.

A program is started once and stays for many games; it is ended when it failed, and when the worker ends, however that
comes about. Players of our own are made anew for every game: their seed is the game's. One process may play for several
tournaments, so each has programs of its own, and ends no others.

The two games of a pair share their luck, and a program that remembers the first would know every card of the second.
So in duels with luck a program runs twice: one process plays first games, another one second games, and neither ever
meets the same cards again.
"""

from __future__ import annotations

import atexit
from contextlib import suppress
from typing import Protocol, runtime_checkable

from duelbook.arena.play.objects import Guarded
from duelbook.arena.play.results import Entrant, Task
from duelbook.core import DuelError
from duelbook.games import load
from duelbook.match import Closable, Player
from duelbook.players import seat_player


@runtime_checkable
class Sampled(Protocol):
    """A player whose answers are samples, drawn anew in every game."""

    def begin_with(self, seed: int) -> None: ...


_running: dict[tuple[str, int, int], Player] = {}
"""Programs that wait for their next game, by tournament, entrant and half of a pair."""


def seated(task: Task, entrants: tuple[Entrant, ...], seat: int, run: str | None) -> Player:
    """Who sits in this seat. A program of the tournament `run` may be there from the game before; without one it is
    somebody who has played with nobody before."""
    entrant = entrants[task.seats[seat]]
    key = (run or "", task.seats[seat], task.half if load(task.game).faces else 0)
    player = _running.get(key) if run is not None else None
    if player is None:
        player = Guarded(entrant.player) if entrant.player is not None else _of_its_kind(entrant, task.own[seat])
        if run is not None and isinstance(player, Closable):
            _running[key] = player
    if isinstance(player, Sampled):
        player.begin_with(task.own[seat])  # whoever of our workers plays it, a game has samples of its own
    log = getattr(player, "log", None)
    if log is not None:
        log.name, log.where = entrant.name, f"game {task.number + 1} seat {seat + 1}"
    return player


def _of_its_kind(entrant: Entrant, seed: int) -> Player:
    player = seat_player(entrant.kind, seed, entrant.limits, entrant.asking)
    if player is None:
        raise DuelError(f"{entrant.name} is a person, and a tournament is for programs.")
    return player


def dismiss(player: Player) -> None:
    """End a program; the next game starts it anew."""
    for key, each in list(_running.items()):
        if each is player:
            _running.pop(key, None)
    if isinstance(player, Closable):
        with suppress(OSError, DuelError):  # it is gone already, or will not go gently; its keeper has done what it can
            player.close()


@atexit.register
def close_all(run: str | None = None) -> None:
    """End every program that this process keeps, or that it keeps for one tournament."""
    for key, player in list(_running.items()):
        if run in (None, key[0]):
            dismiss(player)
