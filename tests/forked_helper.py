"""The command as a process of its own, many times a second.

One process has loaded the command and waits; for every call it makes a copy of itself, which runs the command in that
call's folder and surroundings, with files for what is typed and printed. Starting Python anew takes ten times as long.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Printed(NamedTuple):
    stdout: str
    stderr: str
    returncode: int


def run(arguments: list[str], typed: str, folder: Path, environment: dict[str, str]) -> Printed:
    """What `duelbook ARGUMENTS` prints and how it ends."""
    with tempfile.TemporaryDirectory() as drawer:
        names = [str(Path(drawer) / name) for name in ("stdin", "stdout", "stderr")]
        Path(names[0]).write_bytes(typed.encode())
        mother = _mother()
        assert mother.stdin is not None
        assert mother.stdout is not None
        mother.stdin.write(json.dumps([arguments, names, str(folder), environment]) + "\n")
        mother.stdin.flush()
        code = int(mother.stdout.readline())
        stdout, stderr = (Path(name).read_bytes().decode() for name in names[1:])
    return Printed(stdout, stderr, code)


@cache
def _mother() -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    atexit.register(_end, process)
    return process


def _end(process: subprocess.Popen[str]) -> None:
    with process:  # waits for it, too, and closes its pipes
        process.kill()


def _wait_for_calls() -> None:
    import duelbook.cli.play
    import duelbook.table.invitation  # noqa: F401 - loaded for the copies

    for line in sys.stdin:
        child = os.fork()
        if not child:
            _become(*json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _become(arguments: list[str], names: list[str], folder: str, environment: dict[str, str]) -> None:
    from duelbook.cli import main

    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for number, (name, mode) in enumerate(zip(names, (os.O_RDONLY, *[os.O_WRONLY | os.O_CREAT] * 2), strict=True)):
        os.dup2(os.open(name, mode, 0o600), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it is open as long as the process is
    sys.argv = ["duelbook", *arguments]
    try:
        main()
    except SystemExit as end:
        sys.stdout.flush()
        os._exit(end.code if isinstance(end.code, int) else 1)


if __name__ == "__main__":
    _wait_for_calls()
