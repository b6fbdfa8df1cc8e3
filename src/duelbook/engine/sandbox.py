"""Which sandbox this system has, what holds in it and what does not, and how a program is started inside.

A program that is not trusted should be able to do no more than play. What that means is a list of promises; each means
of the system keeps some of them, and whoever asks is told which.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from duelbook.core import DuelError
from duelbook.engine import bubblewrap
from duelbook.engine.places import environment, places
from duelbook.engine.surroundings import OFF, REQUIRE, Surroundings
from duelbook.speech import either

PATIENCE = 10.0
"""Seconds for a sandbox to show that it can be made here."""

PROCESSES = "see, stop or read other processes"
CHILDREN = "leave a process behind"
NETWORK = "use the network"
FILES = "write to your files"
GAMES = "read saved games"
MEMORY = "take shared memory uncounted"
PROMISES = (PROCESSES, CHILDREN, NETWORK, FILES, GAMES, MEMORY)
"""What a program in a sandbox cannot do."""
INSTALL = "install bubblewrap (on Debian and Ubuntu: apt install bubblewrap)"


class Means(NamedTuple):
    """A way to keep a program in."""

    name: str = ""
    lacking: tuple[str, ...] = ()
    """What a program can do all the same."""
    why: str = ""
    """Why there is nothing better."""
    tool: str = ""

    @property
    def sentence(self) -> str:
        """What holds here and what does not, in one line."""
        if not self.name:
            return f"Sandbox: none, for {self.why}. Programs run with all your rights; to keep them in, {INSTALL}."
        kept = either([each for each in PROMISES if each not in self.lacking])
        line = f"Sandbox: {self.name}. A program cannot {kept}."
        if not self.lacking:
            return line
        return f"{line} It can {either(self.lacking, 'and')}, for {self.why}; to keep it from that, {INSTALL}."


NOTHING = Means(lacking=PROMISES)


class NoSandbox(DuelError):
    """There is no whole sandbox here, and nothing less was wanted."""


def means_for(around: Surroundings) -> Means:
    """What is used under these surroundings; refused in a sentence where it is not enough."""
    if around.sandbox == OFF:
        return NOTHING
    found = best_means()
    if around.sandbox == REQUIRE and found.lacking:
        raise NoSandbox(
            f"There is no whole sandbox on this system: here a program can {either(found.lacking, 'and')}, "
            f"for {found.why}. To have one, {INSTALL}; or say --sandbox auto."
        )
    return found


@lru_cache
def best_means() -> Means:
    """The best that this system has. It is tried once, not asked for: many systems have a tool and forbid its use."""
    failures = []
    for attempt in MEANS.values():
        found = attempt()
        if isinstance(found, Means):
            return found
        failures.append(found)
    return NOTHING._replace(why=" and ".join(failures))


def _bubblewrap() -> Means | str:
    """This means, or why it cannot be had."""
    tool = bubblewrap.installed()
    if tool is None:
        return "bubblewrap is not installed"
    found = Means("bubblewrap", () if counts_memory() else (MEMORY,), "there is no /proc to look at", tool)
    failure = _failure(found)
    return f"bubblewrap does not work here ({failure})" if failure else found


MEANS: dict[str, Callable[[], Means | str]] = {"bubblewrap": _bubblewrap}
"""From the best to the least."""


def counts_memory() -> bool:
    return Path("/proc/self/status").exists()


def _failure(means: Means) -> str:
    """Why nothing can be started by these means; empty where it can."""
    command, variables = enclosed(["/bin/sh", "-c", ":"], means, Surroundings())
    try:
        done = subprocess.run(command, env=variables, capture_output=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return type(error).__name__
    said = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return (said or f"exit code {done.returncode}") if done.returncode else ""


def enclosed(
    command: Sequence[str], means: Means, around: Surroundings, program: Sequence[str] = ()
) -> tuple[list[str], dict[str, str] | None]:
    """How a command is started by these means, and with which environment; None is our own.

    `program` is what the command comes down to, where it is more than that.
    """
    if not means.name:
        return list(command), None
    found = places(program or command, around)
    return bubblewrap.wrapped(list(command), found, means.tool), environment(around, found.scratch)


__all__ = ["Means", "NoSandbox", "best_means", "enclosed", "means_for"]
