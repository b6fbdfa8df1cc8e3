"""Programs for the tests of the engine protocol, and a look at what is left of them."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner, Result

from duelbook import Match, load
from duelbook.cli import duelbook
from duelbook.engine.limits import OFF, Surroundings
from duelbook.match import View
from helpers import HANGING

BOTS = Path(__file__).parent / "engine" / "bots"
EXAMPLES = Path(__file__).parent.parent / "docs" / "examples" / "bots"
LEAVING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
MARK = "DUELBOOK_TEST_MARK"
FREE = Surroundings(OFF)
"""No sandbox around a program, for tests that look at what it writes or starts."""


def bad(how: str) -> str:
    """The command of a program that misbehaves in this way."""
    return shlex.join([sys.executable, str(BOTS / "bad.py"), how])


def first_view(id: str = "tower") -> View:
    match = Match(load(id), seed=1)
    while not match.to_act():
        match.deal()
    return match.view(match.to_act()[0])


def alive(mark: str) -> list[str]:
    """The processes that were started with this mark in their environment, and all that those have started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if f"{MARK}={mark}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                    found.append((entry / "comm").read_text())
            except OSError:  # it has gone while we looked
                continue
    return found


def until(what: Callable[[], bool]) -> bool:
    """Whether it comes true soon: a killed process is gone a moment after the signal, not at once."""
    deadline = time.monotonic() + HANGING
    while time.monotonic() < deadline:
        if what():
            return True
    return False


def invoke(*words: str) -> Result:
    """A command in this process. A game that is over lets no signal disturb its last words; here life goes on."""
    usual = {number: signal.getsignal(number) for number in LEAVING}
    try:
        return CliRunner().invoke(duelbook, words)
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
