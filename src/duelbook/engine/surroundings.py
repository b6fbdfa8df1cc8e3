"""What is around the programs of one command: a sandbox, what is hidden from them, who listens in."""

from __future__ import annotations

from typing import NamedTuple

from duelbook.engine.limits import START_LIMIT
from duelbook.engine.log import LogFile

AUTO, REQUIRE, OFF = "auto", "require", "off"
SANDBOXES = {
    AUTO: "a sandbox as good as this system has one",
    REQUIRE: "the whole sandbox or nothing",
    OFF: "none",
}


class Surroundings(NamedTuple):
    """Plain values: they are sent to workers, too."""

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


_usual = Surroundings()


def usual_surroundings() -> Surroundings:
    """What is around a program where nobody says otherwise."""
    return _usual


def surround(around: Surroundings) -> None:
    """Have this around every program that the command starts from now on: it is said once, where the command begins."""
    global _usual
    _usual = around
