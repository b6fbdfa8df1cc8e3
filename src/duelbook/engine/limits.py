"""What a program may use and what is around it: in a seat, in an arena and when it is checked."""

from __future__ import annotations

from math import inf
from reprlib import repr as shown
from typing import Any, NamedTuple

from duelbook.core import DuelError
from duelbook.engine.log import LogFile

MOVE_TIME = 1.0
"""Seconds for a move."""
START_TIME = 10.0
"""Seconds to shake hands, and to get ready for a game; then again after every word that it is still preparing."""
START_LIMIT = 600.0
"""Seconds after which it must be ready, whatever it says."""
MOST_START_LIMIT = 86_400.0
MEMORY_MB = 1024
"""Megabytes for each process."""
LEAST_MEMORY_MB, MOST_MEMORY_MB = 16, 1 << 20

AUTO, REQUIRE, OFF = "auto", "require", "off"
SANDBOXES = (AUTO, REQUIRE, OFF)
"""The best that the system has, a whole one or no game, or none."""


class Surroundings(NamedTuple):
    """What is around the programs of one command: a sandbox, what is hidden from them, who listens in.

    Plain values: they are sent to workers, too.
    """

    sandbox: str = AUTO
    hidden: tuple[str, ...] = ()
    """Files of ours that no program may read while it plays, besides those in the folders of Duelbook."""
    variables: tuple[str, ...] = ()
    """Names of variables of the environment that programs see besides the usual ones."""
    start_limit: float = START_LIMIT
    """Seconds for programs to get ready, as long as they say that they are at it."""
    log: LogFile | None = None
    """Where all that is said is written down."""
    keep_info: bool = False
    """Whether records hold what programs say of their thinking."""
    start_time: float = START_TIME


_usual = Surroundings()


def surround(around: Surroundings) -> None:
    """Have this around every program that the command starts from now on: it is said once, where the command begins."""
    global _usual
    _usual = around


class Limits(NamedTuple):
    """What one program may use. Our own players need no limits."""

    move_time: float = MOVE_TIME
    """Seconds for each move."""
    clock: tuple[float, float] | None = None
    """Seconds for a whole game and what each move adds to them, in place of a time for each move."""
    memory_mb: int | None = MEMORY_MB
    cpu_seconds: int | None = None
    """Of processor time for a game: with this limit, every game gets a new process."""
    options: tuple[tuple[str, str], ...] = ()
    """Options of the program itself, each a name and a value."""
    around: Surroundings = Surroundings()
    """What is around it. It does not tell one tournament from another."""

    def its_own(self) -> dict[str, Any]:
        """All but what is around it."""
        return {name: value for name, value in self._asdict().items() if name != "around"}

    def hiding(self, *files: str) -> Limits:
        """The same limits for a program that cannot read these files."""
        return self._replace(around=self.around._replace(hidden=(*self.around.hidden, *files)))


def check_limits(limits: object) -> None:
    """Refuse what no program can be held to: in Python limits can be given any value."""
    if not isinstance(limits, Limits) or not isinstance(limits.around, Surroundings):
        raise DuelError(f"Limits are made as in Limits(move_time=0.5); {shown(limits)} is not that.")
    move_time, clock, memory_mb, cpu_seconds, options, _ = limits
    _check("move_time", move_time, "seconds", _is_number(move_time, 0))
    pair = isinstance(clock, tuple) and len(clock) == 2 and _is_number(clock[0], 0) and _is_number(clock[1], -1)
    _check("clock", clock, "seconds for a game and what each move adds, as in (60, 0.5)", clock is None or pair)
    least = LEAST_MEMORY_MB - 1
    _check("memory_mb", memory_mb, f"whole megabytes from {LEAST_MEMORY_MB} on", _whole_or_none(memory_mb, least))
    _check("cpu_seconds", cpu_seconds, "whole seconds from 1 on", _whole_or_none(cpu_seconds, 0))
    pairs = isinstance(options, tuple) and all(isinstance(each, tuple) and len(each) == 2 for each in options)
    texts = pairs and all(isinstance(word, str) and word.isprintable() for each in options for word in each)
    _check("options", options, 'pairs of texts, as in (("depth", "4"),)', texts)


def _check(name: str, value: object, wanted: str, good: bool) -> None:
    if not good:
        raise DuelError(f"The limit {name} takes {wanted}; {shown(value)} is not that.")


def _is_number(value: object, above: float) -> bool:
    return isinstance(value, int | float) and above < value < inf


def _whole_or_none(value: object, above: int) -> bool:
    return value is None or (isinstance(value, int) and value > above)


def usual_limits() -> Limits:
    return Limits(around=_usual)
