"""A server that is killed while many play, again and again: what anybody was told of must be on its disk."""

from __future__ import annotations

import asyncio
import json
import random
import re
import signal
import subprocess
import time
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple

from bench.online import servers
from bench.online.dialects import Duelbook
from bench.online.frames import Socket, opened

from duelbook.serve.chain import unbroken
from duelbook.serve.sqlite import Sqlite

MOVES_AT_MOST = 180
"""Of one game: a new one is made before the bell."""


class Kept:
    """A game, and the last of its moves that somebody was told of."""

    def __init__(self, game: str, tokens: list[str]) -> None:
        self.game, self.tokens = game, tokens
        self.told = 0
        """Moves."""
        self._number = -1
        self._towers = [0, 0]
        self._sides: dict[int, Socket] = {}

    async def come(self, port: int, dialect: Duelbook) -> None:
        self._number = -1
        for seat, token in enumerate(self.tokens):
            hear = partial(self._hear, dialect, seat)
            path = dialect.path(self.game)
            self._sides[seat] = await opened("127.0.0.1", port, path, hear, *dialect.headers(token))

    def _hear(self, dialect: Duelbook, seat: int, socket: Socket, message: bytes) -> None:
        if b'"table"' not in message:
            return
        table = json.loads(message)["table"]
        number = table["turn"] - 1
        self.told = max(self.told, number)
        if number > self._number and number < MOVES_AT_MOST:
            self._number = number
            if len(self._sides) == 2:
                self._play(dialect, table)

    def _play(self, dialect: Duelbook, table: dict[str, object]) -> None:
        """The same act under the same name, however often it is sent."""
        seat = self._number % 2
        heights = [int(height) for height in str(table["position"]).split()[:2]]
        word = "attack" if heights[1 - seat] >= 3 else "build 1"
        for _ in range(2):
            self._sides[seat].send(dialect.move(self.game, seat, self._number, word, self.tokens[seat]))

    def leave(self) -> None:
        for side in self._sides.values():
            side.close()
        self._sides = {}


class Found(NamedTuple):
    lost: int = 0
    broken: int = 0
    twice: int = 0
    moves: int = 0


def kill(times: int, games: int) -> str:
    with servers.folder() as folder:
        return asyncio.run(_kill(times, games, folder / "games.db"))


async def _kill(times: int, games: int, file: Path) -> str:
    dialect, chance = Duelbook(), random.Random(7)
    tables: list[Kept] = []
    port, total = 0, Found()
    for _ in range(times):
        with subprocess.Popen(
            servers.command(str(file), port), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as server:
            assert server.stdout is not None
            said = await asyncio.to_thread(server.stdout.readline)
            found = re.search(r"http://127.0.0.1:(\d+)", said)
            assert found is not None, "the server says where it is"
            port = int(found[1])
            tables = [table for table in tables if table.told < MOVES_AT_MOST]
            http = HTTPConnection("127.0.0.1", port)
            while len(tables) < games:
                tables.append(Kept(*await asyncio.to_thread(_patient, dialect, http)))
            for table in tables:
                await table.come(port, dialect)
            await asyncio.sleep(chance.uniform(0.02, 0.6))
            server.send_signal(signal.SIGKILL)
        for table in tables:
            table.leave()
        total = Found(*map(sum, zip(total, _looked_at(file, tables), strict=True)))
    return (
        f"killed {times} times while {games} games were played; after each kill every move that had been told was "
        f"looked for, {total.moves} looks: {total.lost} lost, {total.broken} games broken, {total.twice} acts twice"
    )


def _patient(dialect: Duelbook, http: HTTPConnection) -> tuple[str, list[str]]:
    """It has said where it is a moment before it answers."""
    for _ in range(200):
        try:
            return dialect.new_game(http)
        except OSError:
            http.close()
            time.sleep(0.05)
    raise ConnectionError("The server does not come back.")


def _looked_at(file: Path, tables: list[Kept]) -> Found:
    store = Sqlite(file)
    found = Found()
    for table in tables:
        events = store.read(table.game)
        acts = [event.act for event in events if event.kind == "moved"]
        found = Found(
            found.lost + max(0, table.told - len(acts)),
            found.broken + (not unbroken(events)),
            found.twice + len(acts) - len(set(acts)),
            found.moves + table.told,
        )
    store.close()
    return found
