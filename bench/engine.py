"""How many questions a second a program answers in a seat, beside the bare cost of the same bytes through the pipes;
and what the sandbox around it costs, for a move and for a start."""

from __future__ import annotations

import argparse
import os
import shlex
import statistics
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter

from bench.bots import programs, stay_on_one_processor
from bench.report import Aim, alternate, publish, table

from duelbook import Match, load
from duelbook.engine.limits import AUTO, OFF, Limits, Surroundings
from duelbook.engine.protocol import Go, move_words, write_go, write_position
from duelbook.engine.sandbox import best_means
from duelbook.match import View
from duelbook.players.engine import EnginePlayer

LEAST = 0.7
"""The share of the bare round trips that a seat means to keep."""
LEAST_INSIDE = 0.95
"""The share of the moves of a seat without a sandbox that one with it means to keep."""


def bare(command: list[str], question: bytes, count: int) -> float:
    """Seconds for so many questions and answers with nothing around them: no deadline, no check, no limit."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        there, back = process.stdin.fileno(), process.stdout.fileno()
        os.write(there, question)
        os.read(back, 65536)
        begun = perf_counter()
        for _ in range(count):
            os.write(there, question)
            os.read(back, 65536)
        seconds = perf_counter() - begun
        process.stdin.close()
    return seconds


def seated(command: list[str], view: View, around: Surroundings, count: int) -> float:
    """Seconds for so many moves of a program in a seat."""
    player = EnginePlayer(shlex.join(command), Limits(around=around))
    player.prepare(view)
    player.choose(view)
    begun = perf_counter()
    for _ in range(count):
        player.choose(view)
    seconds = perf_counter() - begun
    player.close()
    return seconds


def started(command: list[str], view: View, around: Surroundings) -> float:
    """Seconds from nothing to a program that is ready."""
    begun = perf_counter()
    player = EnginePlayer(shlex.join(command), Limits(around=around))
    player.prepare(view)
    seconds = perf_counter() - begun
    player.close()
    return seconds


SEATS = {"in a seat": Surroundings(OFF), "in a sandbox": Surroundings(AUTO)}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.engine", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="how often each contender is measured (default: 20)")
    parser.add_argument("--moves", type=int, default=5000, help="questions in each round (default: 5000)")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    asked = parser.parse_args()
    os.environ.pop("PYTHONUNBUFFERED", None)  # a bot that writes in pieces is no measure of a pipe
    stay_on_one_processor()

    match = Match(load("tower"))
    view, words = match.view(0), move_words(match.game, match.rules)
    go = Go(0, 1, 1000, legal=tuple(words[move] for move in view.legal()))
    question = f"{write_position(match.game, match.rules, match.state)}\n{write_go(go)}\n".encode()
    with tempfile.TemporaryDirectory() as folder:
        commands = programs(Path(folder))
        contenders: dict[str, Callable[[], float]] = {}
        for name, command in commands.items():
            contenders[f"bare pipe, {name}"] = partial(bare, command, question, asked.moves)
            for where, around in SEATS.items():
                contenders[f"{where}, {name}"] = partial(seated, command, view, around, asked.moves)
        seconds = alternate(contenders, asked.rounds)
        starts = alternate(
            {
                f"{where}, {name}": partial(started, command, view, around)
                for name, command in commands.items()
                for where, around in SEATS.items()
            },
            asked.rounds,
        )

    best = {name: asked.moves / min(times) for name, times in seconds.items()}
    median = {name: asked.moves / statistics.median(times) for name, times in seconds.items()}
    ready = {name: 1000 * statistics.median(times) for name, times in starts.items()}
    rows = [
        [name, f"{best[name]:,.0f}", f"{median[name]:,.0f}", f"{ready[name]:.1f}" if name in ready else ""]
        for name in contenders
    ]
    publish(
        "Round trips to a program",
        asked.json,
        {
            "rounds": asked.rounds,
            "moves": asked.moves,
            "sandbox": best_means().sentence,
            "best_per_second": best,
            "median_per_second": median,
            "median_ms_to_start": ready,
        },
        [table(["contender", "best a second", "median a second", "ms to start"], rows), best_means().sentence],
        [
            *(
                Aim(
                    f"a seat beside the bare pipe, {name}",
                    best[f"in a seat, {name}"] / best[f"bare pipe, {name}"],
                    LEAST,
                )
                for name in commands
            ),
            *(
                Aim(
                    f"a sandbox beside none, moves, {name}",
                    best[f"in a sandbox, {name}"] / best[f"in a seat, {name}"],
                    LEAST_INSIDE,
                )
                for name in commands
            ),
        ],
    )


if __name__ == "__main__":
    main()
