"""Golden dialogues: real commands with what was typed into them and every word that came back.

A case is a text file that a person can read: the command, the lines typed (`> ` as they are, `>> ` as a Python string
literal for what cannot be seen, `>>> N TEXT` for TEXT repeated N times), then stdout, stderr and the exit code.
`python tests/golden_case.py` runs every case and writes the files anew; the diff shows what changed.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import forked_helper
from helpers import HANGING

FOLDER = Path(__file__).parent / "golden"
CHANGING = [
    (re.compile(r"\b([a-z]+)-\d{8}-\d{6}(-\d+)?\b"), r"\1-DATE-TIME"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "DATE TIME"),
    (re.compile(r"\d{4}\.\d\d\.\d\d"), "DATE"),
]


class Case(NamedTuple):
    command: str
    typed: list[str]
    expected: str


def load(path: Path) -> Case:
    head, _, expected = path.read_text(encoding="utf-8").partition("\n----\n")
    command, *typed = head.split("\n")
    return Case(command, typed, expected)


def stdin_of(typed: list[str]) -> str:
    lines = []
    for line in typed:
        marks, _, text = line.partition(" ")
        if marks == ">":
            lines.append(text)
        elif marks == ">>":
            lines.append(ast.literal_eval(text))
        elif marks == ">>>":
            times, _, piece = text.partition(" ")
            lines.append(piece * int(times))
        else:
            raise ValueError(f"a typed line begins with >, >> or >>>, not: {line}")
    return "".join(f"{line}\n" for line in lines)


def in_a_new_python(
    arguments: list[str], typed: str, folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "duelbook", *arguments],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        cwd=folder,
        timeout=HANGING,
        check=False,
    )


def run(case: Case, folder: Path, *, forked: bool = False) -> str:
    """What the command printed, with everything that depends on the day or the machine taken out."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM", "COLUMNS", "PYTHONUTF8")
    }
    environment |= {"XDG_STATE_HOME": str(folder / "state"), "HOME": str(folder), "PYTHONIOENCODING": "utf-8"}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment.get('PATH', '')}"
    program, *arguments = shlex.split(case.command.removeprefix("$ "))
    assert program == "duelbook"
    done = (forked_helper.run if forked else in_a_new_python)(arguments, stdin_of(case.typed), folder, environment)
    seen = done.stdout
    if done.stderr:
        seen += f"---- stderr\n{done.stderr}"
    seen += f"---- exit {done.returncode}\n"
    seen = seen.replace(str(folder), "~")
    for pattern, name in CHANGING:
        seen = pattern.sub(name, seen)
    return seen


def cases() -> list[Path]:
    return sorted(FOLDER.glob("*.txt"))


def rewrite() -> None:
    for path in cases():
        case = load(path)
        with tempfile.TemporaryDirectory() as folder:
            head = "\n".join([case.command, *case.typed])
            path.write_text(f"{head}\n----\n{run(case, Path(folder))}", encoding="utf-8")


if __name__ == "__main__":
    rewrite()
