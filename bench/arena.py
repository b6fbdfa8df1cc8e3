"""How many games a second an arena plays between trivial programs, beside the same bytes through bare pipes."""

from __future__ import annotations

import argparse
import os
import shlex
import statistics
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from time import perf_counter
from unittest.mock import patch

from bench.bots import programs, stay_on_one_processor
from bench.report import Aim, alternate, publish, table

from duelbook.arena.play.crews import crew
from duelbook.arena.play.schedule import Plan, duel, enter
from duelbook.arena.play.store import Store
from duelbook.arena.play.tournament import Programme, hold, programme
from duelbook.arena.play.workers import HERE
from duelbook.engine.process import Process
from duelbook.games import ROOMS

LEAST = 0.7
"""The share of the bare round trips that an arena means to keep."""
Talk = list[tuple[int, bytes]]
"""Which process is asked, and what. In duels with luck there are four: the second games of pairs have their own."""

_files = count()


def tournament(command: list[str], game: str, games: int) -> Programme:
    """A match of a program against itself, as two processes."""
    entrants = enter([f"engine:{shlex.join(command)}"] * 2)
    return programme(Plan(entrants, (duel(game),), rounds=-(-games // 2)))


def arena(plan: Programme, folder: Path) -> float:
    """Seconds for a whole tournament: refereed, weighed, and every game on the disk."""
    store = Store(folder / f"{next(_files)}.duel", plan.plan.settings())
    store.open(plan.tasks, plan.plan.entrants, resume=False)
    begun = perf_counter()
    finished = hold(plan, crew(HERE), store=store)
    seconds = perf_counter() - begun
    store.close()
    assert len(finished.results) == len(plan.tasks)
    assert not any(result.fault for result in finished.results)
    return seconds


def overheard(plan: Programme, folder: Path) -> Talk:
    """All that is said to the programs in a tournament, in order."""
    talk: Talk = []
    known: list[Process] = []
    ask = Process.ask

    def listen(process: Process, question: bytes, awaited: str, seconds: float) -> bytes:
        if process not in known:
            known.append(process)
        talk.append((known.index(process), question))
        return ask(process, question, awaited, seconds)

    with patch.object(Process, "ask", listen):
        arena(plan, folder)
    return talk


def bare(command: list[str], talk: Talk) -> float:
    """Seconds for the same questions and answers with nothing around them, programs started and ended."""
    begun = perf_counter()
    with ExitStack() as ends:
        pipes = []
        for _ in {which for which, _ in talk}:
            process = ends.enter_context(
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
            )
            assert process.stdin is not None
            assert process.stdout is not None
            pipes.append((process.stdin.fileno(), process.stdout.fileno()))
        for which, question in talk:
            there, back = pipes[which]
            os.write(there, question)
            os.read(back, 65536)
    return perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.arena", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each contender is measured (default: 5)")
    parser.add_argument("--games", type=int, default=500, help="games in each round, of each duel (default: 500)")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    asked = parser.parse_args()
    os.environ.pop("PYTHONUNBUFFERED", None)  # a bot that writes in pieces is no measure of a pipe
    stay_on_one_processor()

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        contenders: dict[str, Callable[[], float]] = {}
        commands = programs(folder)
        pairs = [(game, language) for language in commands for game in ROOMS]
        for game, language in pairs:
            plan = tournament(commands[language], game, asked.games)
            talk = overheard(plan, folder)
            contenders[f"{game}, {language}, bare pipes"] = partial(bare, commands[language], talk)
            contenders[f"{game}, {language}, arena"] = partial(arena, plan, folder)
        seconds = alternate(contenders, asked.rounds)

    best = {name: asked.games / min(times) for name, times in seconds.items()}
    median = {name: asked.games / statistics.median(times) for name, times in seconds.items()}
    rows = [[name, f"{best[name]:,.0f}", f"{median[name]:,.0f}"] for name in contenders]
    publish(
        "Games of an arena between programs",
        asked.json,
        {"rounds": asked.rounds, "games": asked.games, "best_per_second": best, "median_per_second": median},
        [table(["contender", "best a second", "median a second"], rows)],
        [
            Aim(
                f"an arena beside bare pipes, {game}, {language}",
                best[f"{game}, {language}, arena"] / best[f"{game}, {language}, bare pipes"],
                LEAST,
            )
            for game, language in pairs
        ],
    )


if __name__ == "__main__":
    main()
