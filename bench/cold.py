"""How long a person waits who has just installed Duelbook: the first run of every command beside the second.

Cold means a copy of the package that Python has not compiled yet, an empty home, no compiled rules, no solutions kept.
Warm means the same once more. Both run at a terminal, where who has to wait is told so: how long it is silent counts,
too.
"""

from __future__ import annotations

import argparse
import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import termios
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from bench.report import Aim, publish, table
from bench.startup import usual_environment

import duelbook
from duelbook.cli.commands import COMMANDS

PATIENCE = 120.0
A_MOMENT = 1.5
"""Seconds for which a terminal may be silent: about one, and what it takes to say something."""
LEAVE = "\x03"
PROGRAM = """from duelbook.cli import main
if __name__ == "__main__":
    main()
"""


class Try(NamedTuple):
    """A command, what it shows when it is ready for a person, and what that person types then."""

    words: str
    ready: str = ""
    typed: str = ""


TRIES = [
    Try("", "Tower Defense Duel", "q"),
    Try("play tower", "Enter your move:", LEAVE),
    Try("play --line tower --p2 level:3", "Enter your move:", "quit\r"),
    Try("play --line secret --p2 perfect", "enter your attack number", "quit\r"),
    Try("play --line secret --rule hp=12 --rule highest=4 --p2 level:3", "enter your attack number", "quit\r"),
    Try("resume --line begun.duel", "Enter your move:", "quit\r"),
    Try("games"),
    Try("list"),
    Try("rules tower", "Tower", "q"),  # a pager
    Try("replay example.duel", "Enter for the next turn", "quit\r"),
    Try("verify example.duel"),
    Try("review example.duel"),
    Try("hint secret"),
    Try("hint deck --rule lp=12 --rule cards=8"),
    Try("hint secret --rule hp=12 --rule highest=4"),
    Try("solve tower"),
    Try("solve energy --rule energy=12"),
    Try("solve deck --rule lp=12 --rule cards=8"),
    Try("solve secret --rule hp=40"),
    Try("levels tower"),
    Try("levels energy --rule energy=8"),
    Try("levels secret --rule hp=12 --rule highest=4"),
    Try("arena random perfect level:3 --rounds 2"),
    Try("arena random perfect level:3 --rounds 2 --play"),
    Try("map tower"),
    Try("puzzle tower --show"),
    Try("puzzle secret --show"),
    Try("engine --player level:3", "", "udi\risready\rquit\r"),
    Try("check-engine duelbook engine --player random"),
    Try("check-engine duelbook engine --player level:3"),
    Try("check-game tower"),
    Try("help arena"),
]


class Seen(NamedTuple):
    seconds: float
    silence: float
    """The longest time for which nothing new came."""


class Machine:
    """A copy of the package that nobody has run yet, with a home that nobody has lived in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        source = Path(duelbook.__file__).parent
        shutil.copytree(source, folder / "lib" / "duelbook", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "home").mkdir()
        (folder / "bin").mkdir()
        program = folder / "bin" / "duelbook"
        program.write_text(f"#!{sys.executable}\n{PROGRAM}", encoding="utf-8")
        program.chmod(0o755)
        shutil.copy(source / "games" / "tower" / "example.duel", folder / "home")
        (folder / "home" / "begun.duel").write_text('[Game "tower"]\n\n1. build 4 *\n', encoding="utf-8")
        usual = {name: value for name, value in usual_environment().items() if not name.startswith(("XDG_", "NUMBA_"))}
        path = f"{folder / 'bin'}{os.pathsep}{usual.get('PATH', '')}"
        self.environment = usual | {"HOME": str(folder / "home"), "PYTHONPATH": str(folder / "lib"), "PATH": path}

    def run(self, what: Try) -> Seen:
        """Until the command is ready for a person or, where it asks nothing, until it is done."""
        ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (24, 80))
        begun = last = perf_counter()
        silence, heard, ready = 0.0, b"", 0.0
        process = subprocess.Popen(
            [self.folder / "bin" / "duelbook", *what.words.split()],
            env=self.environment,
            cwd=self.folder / "home",
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        try:
            if what.typed and not what.ready:
                os.write(ours, what.typed.encode())
            while True:
                if not select.select([ours], [], [], PATIENCE)[0]:
                    raise SystemExit(f"duelbook {what.words}: nothing more came. What came: {heard.decode()}")
                piece = b""
                with suppress(OSError):  # the terminal's other side is closed: the command is done
                    piece = os.read(ours, 65536)
                now = perf_counter()
                if not ready:
                    silence = max(silence, now - last)
                last = now
                if not piece:
                    break
                heard += piece
                if what.ready and not ready and what.ready.encode() in heard:
                    ready = now
                    os.write(ours, what.typed.encode())
            code = process.wait()
        finally:
            process.kill()
            os.close(ours)
        if code not in (0, 130) or (what.ready and not ready):
            raise SystemExit(f"duelbook {what.words} ended with {code}: {heard.decode(errors='replace')}")
        return Seen((ready or last) - begun, silence)


def best_of(runs: Sequence[Seen]) -> Seen:
    return Seen(min(run.seconds for run in runs), min(run.silence for run in runs))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.cold", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1, help="how many new machines each command gets (default: 1)")
    parser.add_argument("--only", default="", help="commands that begin like this, such as solve")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    asked = parser.parse_args()

    left_out = set(COMMANDS) - {what.words.split()[0] for what in TRIES if what.words}
    if left_out:
        raise SystemExit(f"These commands are not tried yet: {', '.join(sorted(left_out))}")
    found: dict[str, list[Seen]] = {}
    for what in TRIES:
        if what.words.startswith(asked.only):
            rounds = []
            for _ in range(asked.rounds):
                with tempfile.TemporaryDirectory() as folder:
                    machine = Machine(Path(folder))
                    rounds.append((machine.run(what), machine.run(what)))
            found[f"duelbook {what.words}".strip()] = [best_of(each) for each in zip(*rounds, strict=True)]

    heading = ["command", "first, s", "second, s", "ratio", "silent at first, s"]
    rows = [
        [
            name,
            f"{cold.seconds:.2f}",
            f"{warm.seconds:.2f}",
            f"{cold.seconds / warm.seconds:.1f}x",
            f"{cold.silence:.2f}",
        ]
        for name, (cold, warm) in found.items()
    ]
    publish(
        "Cold starts",
        asked.json,
        {
            "rounds": asked.rounds,
            "commands": {
                name: {"cold_seconds": cold.seconds, "warm_seconds": warm.seconds, "cold_silence": cold.silence}
                for name, (cold, warm) in found.items()
            },
        },
        [table(heading, rows)],
        [
            Aim(f"{name}: silent at first, of {A_MOMENT} s", cold.silence / A_MOMENT, most=1)
            for name, (cold, _) in found.items()
        ],
    )


if __name__ == "__main__":
    main()
