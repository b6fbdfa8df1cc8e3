"""The command in a process of its own, with a model behind it that the tests answer for."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event
from typing import Any

from helpers import HANGING
from model_server_helper import STALL, Request, Said, first_move


def started(here: Path, said: list[str], around: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """The command in a process of its own, with a cache of its own; nothing of the keys of whoever tests is there."""
    surroundings = (
        os.environ
        | {"XDG_CACHE_HOME": str(here / "cache"), "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"}
        | dict(around or {})
    )
    command = [sys.executable, "-m", "duelbook", *said]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    return subprocess.Popen(command, cwd=here, env=surroundings, encoding="utf-8", **pipes)


def ran(here: Path, said: list[str], ends: int = 0, around: Mapping[str, str] | None = None) -> tuple[str, str]:
    with started(here, said, around) as process:
        out, err = process.communicate(timeout=HANGING)
    assert process.returncode == ends, f"{out}\n{err}"
    assert "Traceback" not in err
    return out, err


def going_on(err: str) -> list[str]:
    """The words of the command that goes on, as it says them."""
    found = re.search(r"^Go on with: (?:\S*duelbook|python -m duelbook) (.*)$", err, re.MULTILINE)
    assert found is not None, err
    return shlex.split(found[1])


class Stuck:
    """A model that answers nothing more from some request on, and says so."""

    def __init__(self, after: int) -> None:
        self.after, self.here = after, Event()

    def __call__(self, request: Request) -> Said:
        if request.number < self.after:
            return first_move(request)
        self.here.set()
        return Said("I look", then=STALL)


def left(process: subprocess.Popen[str], end: Callable[[subprocess.Popen[str]], None], stuck: Stuck) -> str:
    """End a process while it waits for an answer; what it said."""
    assert stuck.here.wait(HANGING)
    end(process)
    _, err = process.communicate(timeout=HANGING)
    return err
