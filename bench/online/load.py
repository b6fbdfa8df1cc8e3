"""Everybody who plays and watches, in one process of its own: cheap enough that the server is what is measured.

It is told on standard input what to do, says `ready` when all have come, waits for a line, plays, and prints what it
has measured as JSON.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import time
from functools import partial
from http.client import HTTPConnection
from typing import NamedTuple

from bench.online.dialects import DIALECTS, Dialect
from bench.online.frames import Socket, opened

BELL = 200


class Plan(NamedTuple):
    dialect: str
    host: str
    port: int
    lobby: int
    games: int
    watchers: int
    """Of one game each, as far as they reach."""
    seconds: float
    rate: float
    """Moves a second in all; 0 for as many as go."""


class Measured(NamedTuple):
    moves: int
    seconds: float
    delays: list[float]
    """From sending a move until the other seat has it, in seconds, in their order."""
    watched: int
    """Moves that reached somebody who watched."""
    spent: float
    """Seconds of processor time that the load itself took."""


class Table:
    """One game: whoever has heard of a move makes the next, at once or when it is time."""

    def __init__(self, dialect: Dialect, game: str, tokens: list[str], all_tables: Tables) -> None:
        self.game, self.tokens, self._dialect, self._all = game, tokens, dialect, all_tables
        self.sides: list[Socket] = []
        self.ready = [False, False]
        self._number, self._sent, self._towers = 0, 0.0, [0, 0]

    def hear(self, seat: int, socket: Socket, message: bytes) -> None:
        if not self.ready[seat]:
            if self._dialect.greet(socket, message, self.game, seat, self.tokens[seat]):
                self.ready[seat] = True
                self._all.one_more()
        elif seat != self._number % 2 and self._sent and self._dialect.is_move(message, self._number):
            now = time.perf_counter()
            self._all.delays.append(now - self._sent)
            self._number, due = self._number + 1, self._sent + self._all.pause
            self._sent = 0.0
            if self._number < BELL and now < self._all.until:
                if self._all.pause:
                    self._all.loop.call_at(self._all.loop.time() + max(0.0, due - now), self.play)
                else:
                    self.play()
            else:
                self._all.one_less()
        elif message == b"2":
            socket.send(b"3")

    def play(self) -> None:
        """Knock the other's tower down where that can be, and build 1 otherwise: so it goes on to the bell."""
        seat = self._number % 2
        attacks = self._towers[1 - seat] >= 3
        if attacks:
            self._towers[1 - seat] -= 3
        else:
            self._towers[seat] += 1
        word = "attack" if attacks else "build 1"
        self._sent = time.perf_counter()
        self.sides[seat].send(self._dialect.move(self.game, seat, self._number, word, self.tokens[seat]))


class Tables:
    def __init__(self, plan: Plan) -> None:
        self.plan, self.loop = plan, asyncio.get_running_loop()
        self.delays: list[float] = []
        self.watched = 0
        self.pause = plan.games / plan.rate if plan.rate else 0.0
        self.until = float("inf")
        self._waiting = 2 * plan.games + plan.watchers
        self._playing = plan.games
        self.here, self.done = asyncio.Event(), asyncio.Event()
        self._dialect = DIALECTS[plan.dialect]

    def one_more(self) -> None:
        self._waiting -= 1
        if not self._waiting:
            self.here.set()

    def one_less(self) -> None:
        self._playing -= 1
        if not self._playing:
            self.done.set()

    def watch(self, game: str, seen: list[bool], socket: Socket, message: bytes) -> None:
        if not seen:
            if self._dialect.greet(socket, message, game, None, ""):
                seen.append(True)
                self.one_more()
        elif len(message) > 100:
            self.watched += 1
        elif message == b"2":
            socket.send(b"3")

    async def come(self) -> list[Table]:
        plan, tables = self.plan, []
        http = HTTPConnection(plan.host, plan.lobby)
        for _ in range(plan.games):
            game, tokens = await asyncio.to_thread(self._dialect.new_game, http)
            tables.append(Table(self._dialect, game, tokens, self))
        http.close()
        where = (plan.host, plan.port)
        for at, table in enumerate(tables):
            path = self._dialect.path(table.game)
            for seat, token in enumerate(table.tokens):
                hear = partial(table.hear, seat)
                table.sides.append(await opened(*where, path, hear, *self._dialect.headers(token)))
            for _ in range(plan.watchers // plan.games + (at < plan.watchers % plan.games)):
                await opened(*where, path, partial(self.watch, table.game, []))
        await self.here.wait()
        return tables

    async def play(self, tables: list[Table]) -> Measured:
        spent, begun = time.process_time(), time.perf_counter()
        self.until = begun + self.plan.seconds
        for at, table in enumerate(tables):
            self.loop.call_later(self.pause * at / len(tables), table.play)
        async with asyncio.timeout(self.plan.seconds + 60):
            await self.done.wait()
        seconds = time.perf_counter() - begun
        return Measured(len(self.delays), seconds, self.delays, self.watched, time.process_time() - spent)


async def run(plan: Plan) -> None:
    tables = Tables(plan)
    come = await tables.come()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    print(json.dumps(await tables.play(come)), flush=True)


def main() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    plan = Plan(*json.loads(sys.stdin.readline()))
    try:
        import uvloop
    except ModuleNotFoundError:
        asyncio.run(run(plan))
    else:
        uvloop.run(run(plan))


if __name__ == "__main__":
    main()
