"""Which sandbox this system has, what holds in it and what does not, and how a program is started inside.

A program that is not trusted should be able to do no more than play. What that means is a list of promises; each means
of the system keeps some of them, and whoever asks is told which.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from duelbook.core import DuelError
from duelbook.engine import bubblewrap
from duelbook.engine.limits import OFF, REQUIRE, Surroundings
from duelbook.engine.places import SCRATCH_MB, Places, environment, places
from duelbook.speech import either, plain

SECONDS_TO_TRY = 10.0
"""Seconds for a sandbox to show that it can be made here."""

PROCESSES = "see, stop or read other processes"
CHILDREN = "leave a process behind"
NETWORK = "use the network"
FILES = "write to your files"
GAMES = "read saved games"
MEMORY = "map more memory than it may"
PROMISES = (PROCESSES, CHILDREN, NETWORK, FILES, GAMES, MEMORY)
"""What a program in a sandbox cannot do."""
INSTALL = "install bubblewrap (on Debian and Ubuntu: apt install bubblewrap)"


class Means(NamedTuple):
    """A way to keep a program in."""

    name: str = ""
    keeps: tuple[str, ...] = ()
    """What a program cannot do."""
    lacking: tuple[str, ...] = ()
    """What it can do all the same."""
    why: str = ""
    """Why there is nothing better."""
    wrap: Callable[[list[str], Places], list[str]] = lambda command, found: command
    """How a command is started so."""
    own: int = 0
    """How many processes of its own stand before the program."""
    scratch_on_disk: bool = False
    """Whether the folder that it may write to is one of ours, to be removed afterwards."""

    @property
    def sentence(self) -> str:
        """What holds here and what does not, in one line."""
        if not self.name:
            return f"Sandbox: none, because {self.why}. Programs run with all your rights; to keep them in, {INSTALL}."
        line = f"Sandbox: {self.name}. A program cannot {either(self.keeps)}."
        if not self.lacking:
            return line
        return f"{line} It can {either(self.lacking, 'and')}, for {self.why}; to keep it from that, {INSTALL}."


NOTHING = Means(lacking=PROMISES)


def means_for(around: Surroundings) -> Means:
    """What is used under these surroundings; refused in a sentence where it is not enough."""
    if around.sandbox == OFF:
        return NOTHING
    found = best_means()
    if around.sandbox == REQUIRE and found.lacking:
        raise DuelError(
            f"There is no whole sandbox on this system: here a program can {either(found.lacking, 'and')}, "
            f"for {found.why}. To have one, {INSTALL}; or say --sandbox auto."
        )
    return found


@lru_cache
def best_means() -> Means:
    """The best that this system has. It is tried once, not asked for: many systems have a tool and forbid its use."""
    failures: list[str] = []
    for attempt in MEANS.values():
        found = attempt()
        if isinstance(found, Means):
            return found._replace(why=" and ".join(filter(None, (*failures, found.why))))
        failures.append(found)
    return NOTHING._replace(why=" and ".join(failures))


def _bubblewrap() -> Means | str:
    """This means, or why it cannot be had."""
    tool = shutil.which("bwrap")
    if tool is None:
        return "bubblewrap is not installed"
    found: Means | str = ""
    for closed in (True, False):
        wrap = partial(bubblewrap.wrapped, tool, closed)
        found = _tried(_whole("bubblewrap", wrap), "bubblewrap does not work here")
        if isinstance(found, Means):
            break
    return found


def _namespaces() -> Means | str:
    return _tried(_whole("namespaces", partial(_confined, "namespaces", 0)), "namespaces cannot be made here")


def _whole(name: str, wrap: Callable[[list[str], Places], list[str]]) -> Means:
    if Path("/proc/self/status").exists():
        return Means(name, PROMISES, wrap=wrap, own=2)
    return Means(name, PROMISES[:-1], (MEMORY,), "there is no /proc to look at", wrap, own=2)


def _landlock() -> Means | str:
    abi = landlock_version()
    if abi < 1:
        return "Linux has no Landlock here"
    stops, calls = "stop other processes", "use TCP"
    keeps = ["read other processes", *([stops] if abi >= 6 else []), *([calls] if abi >= 4 else [])]
    lacking = ["see which processes there are", *([] if abi >= 6 else [stops]), CHILDREN]
    lacking += ["use the network in other ways"] if abi >= 4 else [NETWORK]
    found = Means(
        "Landlock",
        (*keeps, FILES, GAMES, MEMORY),
        tuple(lacking),
        wrap=partial(_confined, "landlock", abi),
        scratch_on_disk=True,
    )
    return _tried(found, "Landlock does not work here")


def landlock_version() -> int:
    """Which version of Landlock the system has; below 1 where it has none."""
    if not sys.platform.startswith("linux"):
        return 0
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    return int(libc.syscall(ctypes.c_long(444), None, ctypes.c_size_t(0), 1))


def _confined(way: str, abi: int, command: list[str], found: Places) -> list[str]:
    plan = {**found._asdict(), "way": way, "abi": abi, "command": command, "size": SCRATCH_MB << 20}
    return [sys.executable, "-I", "-S", str(CONFINE), json.dumps(plan)]


CONFINE = Path(__file__).with_name("confine.py")
MEANS: dict[str, Callable[[], Means | str]] = {
    "bubblewrap": _bubblewrap,
    "namespaces": _namespaces,
    "Landlock": _landlock,
}
"""From the best to the least."""


def _tried(means: Means, otherwise: str) -> Means | str:
    failure = _failure(means)
    return f"{otherwise} ({failure})" if failure else means


def _failure(means: Means) -> str:
    """Why nothing can be started by these means; empty where it can."""
    inside = enclosed(["/bin/sh", "-c", ":"], means, Surroundings())
    try:
        done = subprocess.run(
            inside.command, env=inside.environment, capture_output=True, timeout=SECONDS_TO_TRY, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return type(error).__name__
    finally:
        inside.clear()
    said = plain(done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2])
    return (said or f"exit code {done.returncode}") if done.returncode else ""


class Enclosed(NamedTuple):
    """How a command is started in a sandbox."""

    command: list[str]
    environment: dict[str, str] | None
    """None is our own."""
    scratch: str = ""
    """A folder that is removed when all is over."""

    def clear(self) -> None:
        if self.scratch:
            shutil.rmtree(self.scratch, ignore_errors=True)


def enclosed(command: Sequence[str], means: Means, around: Surroundings, program: Sequence[str] = ()) -> Enclosed:
    """`program` is what the command comes down to, where it is more than that."""
    if not means.name:
        return Enclosed(list(command), None)
    found = places(program or command, around)
    scratch = tempfile.mkdtemp(prefix="duelbook-") if means.scratch_on_disk else ""
    if scratch:
        found = found._replace(scratch=os.path.realpath(scratch))
    return Enclosed(means.wrap(list(command), found), environment(around, found.scratch), scratch)
