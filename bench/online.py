"""Moves over the network: how many a server takes, every one of them on disk, and how long each is under way.

    python -m bench.online --games 50 --seconds 10

Every game is one of tower between two seats, each with a WebSocket of its own. What is measured is acknowledged moves:
by the clock, by the server's own processor time, and the time from sending a move until the other seat has it. The
server is as `duelbook serve` starts it, but for its bound on how often one address may ask.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect

from duelbook.honest.chains import Chain
from duelbook.serve import limits
from duelbook.serve.opening import LINKS
from duelbook.serve.running import Serving, serve


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=50)
    options.add_argument("--seconds", type=float, default=10.0)
    options.add_argument("--rate", type=float, default=0.0, help="moves a second in all; 0 for as many as go")
    options.add_argument("--serve", help=argparse.SUPPRESS)
    asked = options.parse_args()
    if asked.serve:
        limits.Rate.allows = lambda *_: True  # type: ignore[method-assign]  # all of these come from one address
        asking = Serving(asked.serve, "127.0.0.1", 0, ())
        serve(asking, browse=False, check=False, say=lambda said: print(said, flush=True), warn=lambda _: None)
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "bench.online", "--serve", str(Path(folder) / "games.db")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found is not None
            try:
                asyncio.run(measured(found[0], server.pid, asked.games, asked.seconds, asked.rate))
            finally:
                server.terminate()


async def measured(address: str, server: int, games: int, seconds: float, rate: float) -> None:
    tables = [await asyncio.to_thread(seated, address) for _ in range(games)]
    delays: list[float] = []
    until = time.monotonic() + seconds
    before, begun = used(server), time.monotonic()
    pause = games / rate if rate else 0.0
    await asyncio.gather(*(play(address, *table, until, pause, delays) for table in tables))
    spent, taken = used(server) - before, time.monotonic() - begun
    delays.sort()
    middle, late = delays[len(delays) // 2], delays[int(len(delays) * 0.99)]
    print(f"{games} games, {len(delays)} moves in {taken:.1f} s: {len(delays) / taken:.0f} moves a second")
    print(f"server: {spent:.1f} s of processor time, {len(delays) / spent:.0f} moves for each")
    print(f"from sending a move until the other seat has it: {1000 * middle:.1f} ms, 99 % within {1000 * late:.1f} ms")


def used(process: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def seated(address: str) -> tuple[str, list[str]]:
    """A new game of tower with two people in it, and the token of each."""
    made = asked_of(f"{address}/api/games", {"duel": "tower"})
    tokens = []
    for name, which in (("Ann", "mine"), ("Bo", "friend")):
        anchor = Chain(secrets.token_bytes(32), LINKS).anchor.hex()
        wish = {"invitation": made["invitations"][which], "name": name, "anchor": anchor, "keep": True}
        tokens.append(asked_of(f"{address}/api/games/{made['game']}/join", wish)["token"])
    return made["game"], tokens


def asked_of(address: str, message: dict[str, object]) -> Any:
    request = Request(address, json.dumps(message).encode(), {"content-type": "application/json"})
    while True:
        try:
            with urlopen(request) as answer:
                return json.load(answer)
        except OSError:  # too often: the server lets an address make so many games a second
            time.sleep(0.05)


async def play(address: str, game: str, tokens: list[str], until: float, pause: float, delays: list[float]) -> None:
    """Both seats of one game: who is due builds 1 or knocks down, so that it goes on to the bell."""
    live = f"{address.replace('http', 'ws')}/api/games/{game}/live"
    sides = [await connect(live, additional_headers={"authorization": f"Bearer {token}"}) for token in tokens]
    tables = [(await told(side)) for side in sides]
    for number in count():
        if time.monotonic() > until or tables[0]["over"]:
            break
        due = tables[0]["due"][0]
        height = tables[due]["scene"]["sides"][1 - due]["gauge"]["value"]
        move = "attack" if height >= 3 else "build 1"
        sent = time.monotonic()
        await sides[due].send(json.dumps({"act": str(number), "do": "move", "move": move}))
        seq = tables[0]["seq"]
        for at in (1 - due, due):
            while tables[at]["seq"] <= seq:
                tables[at] = await told(sides[at])
            if at != due:
                delays.append(time.monotonic() - sent)
        if pause:
            await asyncio.sleep(max(0.0, pause - (time.monotonic() - sent)))
    for side in sides:
        await side.close()


async def told(side: ClientConnection) -> Any:
    """The next table that comes."""
    while True:
        message = json.loads(await side.recv())
        if "table" in message:
            return message["table"]


if __name__ == "__main__":
    main()
