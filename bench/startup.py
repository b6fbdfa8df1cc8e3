"""How long a person waits for `duelbook`, as a multiple of what Python itself takes to start and stop."""

from __future__ import annotations

import argparse
import os
import pty
import select
import statistics
import subprocess
import sys
import tempfile
import termios
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from time import perf_counter

from bench.report import Aim, alternate, publish, table

from duelbook import load

PATIENCE = 30.0
BARE = "python -c pass"
PIPED = "duelbook play --line tower, first prompt, pipe"
TYPED = "duelbook play --line tower, first prompt, terminal"
LOBBY = "duelbook, the lobby on the full screen"
TABLE = "duelbook play tower, the table on the full screen"
A_SCREEN = 0.5
"""Seconds after Python itself that the first full screen may take on an idle core."""

Command = list[str]


def to_the_end(command: Command, environment: Mapping[str, str]) -> float:
    """Seconds until the command is done, with its output going into a pipe."""
    begun = perf_counter()
    subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    return perf_counter() - begun


def to_the_prompt(command: Command, environment: Mapping[str, str], prompt: bytes) -> float:
    """Seconds until the prompt came through a pipe."""
    begun = perf_counter()
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            wait_for(prompt, process.stdout.fileno())
            return perf_counter() - begun
        finally:
            process.kill()


def to_the_prompt_on_a_terminal(command: Command, environment: Mapping[str, str], prompt: bytes) -> float:
    """Seconds until the prompt showed on a terminal of its own: colours, bars and line editing are all on."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    try:
        begun = perf_counter()
        with subprocess.Popen(
            command, env=environment, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
        ) as process:
            try:
                wait_for(prompt, ours)
                return perf_counter() - begun
            finally:
                process.kill()
    finally:
        os.close(ours)
        os.close(theirs)


def wait_for(prompt: bytes, source: int) -> None:
    heard = b""
    while prompt not in heard:
        ready, _, _ = select.select([source], [], [], PATIENCE)
        piece = os.read(source, 4096) if ready else b""
        if not piece:
            raise SystemExit(f"The prompt {prompt.decode()!r} never came. What came: {heard.decode(errors='replace')}")
        heard += piece


def usual_environment() -> dict[str, str]:
    """Python as most people have it, above all with its bytecode kept, at a terminal that shows colours."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PYTHON") and name not in ("NO_COLOR", "COLUMNS", "LINES")
    }
    return kept | {"TERM": "xterm-256color", "LANG": "C.UTF-8"}


def first_prompt() -> bytes:
    tower = load("tower")
    state = tower.start(tower.book, 0)
    return str(tower.dialogue.prompt(tower.book, state, 0, tower.seats)).encode()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.startup", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="how often each command is started (default: 20)")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    asked = parser.parse_args()

    duelbook = str(Path(sys.executable).with_name("duelbook"))
    play, prompt = [duelbook, "play", "--line", "tower"], first_prompt()
    with tempfile.TemporaryDirectory() as folder:
        environment = usual_environment() | {
            "XDG_STATE_HOME": folder,
            "XDG_CONFIG_HOME": folder,
        }  # not among the user's own games
        commands = {
            BARE: partial(to_the_end, [sys.executable, "-c", "pass"], environment),
            "duelbook --version": partial(to_the_end, [duelbook, "--version"], environment),
            "duelbook rules tower, pipe": partial(to_the_end, [duelbook, "rules", "tower"], environment),
            PIPED: partial(to_the_prompt, play, environment, prompt),
            TYPED: partial(to_the_prompt_on_a_terminal, play, environment, prompt),
            LOBBY: partial(to_the_prompt_on_a_terminal, [duelbook], environment, b"Tower Defense Duel"),
            TABLE: partial(to_the_prompt_on_a_terminal, [duelbook, "play", "tower"], environment, prompt.strip()),
        }
        alternate(commands, 1)  # so that all files have been read once
        seconds = alternate(commands, asked.rounds)

    best = {name: min(times) for name, times in seconds.items()}
    ratio = {name: best[name] / best[BARE] for name in commands}
    rows = [
        [name, f"{best[name] * 1000:.1f}", f"{statistics.median(seconds[name]) * 1000:.1f}", f"{ratio[name]:.2f}x"]
        for name in commands
    ]
    publish(
        "Starting",
        asked.json,
        {
            "rounds": asked.rounds,
            "commands": {
                name: {
                    "best_seconds": best[name],
                    "median_seconds": statistics.median(seconds[name]),
                    "ratio": ratio[name],
                }
                for name in commands
            },
        },
        [table(["command", "best ms", "median ms", "best beside Python"], rows)],
        [
            *(Aim(name, ratio[name], most=6) for name in (PIPED, TYPED)),
            Aim(f"{LOBBY}: of {A_SCREEN} s after {BARE}", (best[LOBBY] - best[BARE]) / A_SCREEN, most=1),
        ],
    )


if __name__ == "__main__":
    main()
