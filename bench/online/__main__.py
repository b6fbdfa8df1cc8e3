"""Moves over the network: how many a server takes, every one of them on disk, and how long each is under way.

    python -m bench.online                   both loads, beside boardgame.io from memory and from files
    python -m bench.online --kills 100       no acknowledged move is lost when the server is killed
    python -m bench.online --postgres        two processes that serve the same games

Every game is one of tower between two seats, each with a socket of its own. The fixed load is so many moves a second,
spread over all games, with somebody who watches; flat out everybody answers at once. What is measured are moves that
have reached the other seat: by the clock, by the server's own processor time, and how long each was under way.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple

from bench.online import servers
from bench.online.kills import kill
from bench.online.load import Measured, Plan
from bench.online.postgres import database
from bench.report import Aim

from duelbook.serve.chain import unbroken

Start = Callable[[], AbstractContextManager[servers.Running]]


class Figures(NamedTuple):
    who: str
    load: str
    a_second: float
    a_processor_second: float
    median: float
    late: float
    """Milliseconds within which 99 of 100 arrive."""
    load_share: float
    """What the load itself took of one processor: near 1 it would be the load that is measured."""


def measured(who: str, load: str, start: Start, games: int, watchers: int, seconds: float, rate: float) -> Figures:
    with start() as running:
        plan = Plan(running.dialect, "127.0.0.1", running.port, running.lobby, games, watchers, seconds, rate)
        asked = [sys.executable, "-m", "bench.online.load"]
        with subprocess.Popen(asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as playing:
            assert playing.stdin is not None
            assert playing.stdout is not None
            playing.stdin.write(json.dumps(plan) + "\n")
            playing.stdin.flush()
            if playing.stdout.readline() != "ready\n":
                sys.exit(f"The load on {who} did not come to play.")
            before = running.spent()
            playing.stdin.write("go\n")
            playing.stdin.flush()
            told = Measured(*json.loads(playing.stdout.readline()))
            spent = running.spent() - before
    delays = sorted(told.delays)
    return Figures(
        who,
        load,
        told.moves / told.seconds,
        told.moves / spent,
        1000 * delays[len(delays) // 2],
        1000 * delays[int(len(delays) * 0.99)],
        told.spent / told.seconds,
    )


def whole(url: str) -> str:
    """What the database holds afterwards: whether a number is missing, and whether an act is there twice."""
    from duelbook.serve.postgres import Postgres

    store = Postgres(url)
    games = moves = broken = twice = 0
    for kept in store.every_game():
        acts = [event.act for event in kept.events if event.kind == "moved"]
        games, moves = games + 1, moves + len(acts)
        broken += not unbroken(kept.events) or len(kept.events) != kept.last
        twice += len(acts) - len(set(acts))
    store.close()
    return f"{games} games with {moves} moves in the database: {broken} with a gap, {twice} acts twice"


def contenders() -> Iterator[tuple[str, Start]]:
    @contextmanager
    def ours() -> Iterator[servers.Running]:
        with servers.folder() as folder, servers.duelbook(str(folder / "games.db")) as running:
            yield running

    @contextmanager
    def files() -> Iterator[servers.Running]:
        with servers.folder() as folder, servers.boardgame_io(str(folder)) as running:
            yield running

    yield "Duelbook", ours
    if servers.boardgame_io_is_here():
        yield "boardgame.io, memory", servers.boardgame_io
        yield "boardgame.io, files", files
    else:
        print("boardgame.io is not measured: that needs node and npm.", file=sys.stderr)


def show(found: Figures) -> None:
    print(
        f"{found.who:22}{found.load:12}{found.a_second:8.0f} moves/s {found.a_processor_second:8.0f} for a second of"
        f" its processor   {found.median:7.1f} ms, 99 % within {found.late:7.1f} ms   (load {found.load_share:.2f})",
        flush=True,
    )


def aims(found: dict[tuple[str, str], Figures]) -> Iterator[str]:
    fixed, flat = found["Duelbook", "fixed"], found["Duelbook", "flat out"]
    yield f"{_met(fixed.late <= 50)}  99 % within {fixed.late:.1f} ms at {fixed.a_second:.0f} moves/s, aim 50 ms"
    yield f"{_met(flat.a_second >= 2500)}  flat out {flat.a_second:.0f} moves/s, aim 2,500"
    for who, least in (("boardgame.io, memory", 1.5), ("boardgame.io, files", 3.0)):
        for load in ("fixed", "flat out"):
            if (who, load) in found:
                ratio = found["Duelbook", load].a_processor_second / found[who, load].a_processor_second
                yield str(Aim(f"moves for a second of the processor beside {who}, {load}", ratio, least))


def _met(yes: bool) -> str:
    return "met   " if yes else "MISSED"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--games", type=int, default=1000, help="under the fixed load")
    options.add_argument("--watchers", type=int, default=1000)
    options.add_argument("--rate", type=float, default=500.0, help="moves a second in all, under the fixed load")
    options.add_argument("--seconds", type=float, default=20.0)
    options.add_argument("--flat-games", type=int, default=300, help="flat out; each ends after 200 moves")
    options.add_argument("--ours", action="store_true", help="Duelbook alone")
    options.add_argument("--kills", type=int, metavar="N", help="kill the server so often while many play")
    options.add_argument("--postgres", action="store_true", help="two processes on a PostgreSQL of their own")
    options.add_argument("--json", action="store_true")
    asked = options.parse_args()
    if asked.kills:
        print(kill(asked.kills, asked.flat_games))
        return
    found: dict[tuple[str, str], Figures] = {}
    loads = {
        "fixed": (asked.games, asked.watchers, asked.seconds, asked.rate),
        "flat out": (asked.flat_games, 0, asked.seconds, 0.0),
    }
    if asked.postgres:
        with database() as url:
            show(measured("2 processes, database", "fixed", lambda: servers.duelbook(url, 2), *loads["fixed"]))
            print(whole(url))
        return
    for load, numbers in loads.items():
        for who, start in contenders():
            if asked.ours and who != "Duelbook":
                continue
            found[who, load] = measured(who, load, start, *numbers)
            if not asked.json:
                show(found[who, load])
    if asked.json:
        print(json.dumps([each._asdict() for each in found.values()]))
    else:
        print("\n".join(aims(found)))


if __name__ == "__main__":
    main()
