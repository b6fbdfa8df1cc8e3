"""`duelbook check-engine`: does a program keep to the engine protocol?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Unpack

import click

from duelbook.cli.options import as_json, echo_json, say, waiting_plainly
from duelbook.cli.programs import Around, around_programs, surroundings
from duelbook.cli.values import seconds, whole, wrong_usage
from duelbook.engine.limits import LEAST_MEMORY_MB, MEMORY_MB, MOST_MEMORY_MB, MOVE_TIME, Limits
from duelbook.patience import patience

if TYPE_CHECKING:
    from duelbook.engine.check import Point


@click.command(name="check-engine", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("program", nargs=-1, required=True, metavar="COMMAND...", type=click.UNPROCESSED)
@click.option("--move-time", type=seconds(0.01, 3600), default=MOVE_TIME, help="How long a move may take.")
@click.option(
    "--memory",
    type=whole(LEAST_MEMORY_MB, MOST_MEMORY_MB),
    metavar="MB",
    default=MEMORY_MB,
    help="How much memory each process may use, as in play and arena.",
)
@click.option(
    "--slack",
    type=seconds(0, 3600),
    default=0.0,
    help="How much later every answer may come, on a machine that is busy.",
)
@around_programs
@waiting_plainly
@as_json
def command(
    program: tuple[str, ...], move_time: float, memory: int, slack: float, as_json: bool, **around: Unpack[Around]
) -> int:
    """Try a program on what a tournament asks of it and say what was seen. Exit code 1 if any point failed.

    Options of this command come before COMMAND, everything after it belongs to the program.
    """
    from duelbook.engine.check import Checker
    from duelbook.engine.launch import command_of

    with wrong_usage():
        words = command_of(program[0]) if len(program) == 1 else list(program)
    checker = Checker(words, Limits(move_time, memory_mb=memory, around=surroundings(around)), slack)
    points, attempts = [], checker.points()
    while (point := _waited_for(attempts)) is not None:
        points.append(point)
        if not as_json:
            say(f"{'passed' if point.passed else 'FAILED'}  {point.name}: {point.seen}")
    failed = sum(not point.passed for point in points)
    if as_json:
        echo_json({"command": words, "passed": not failed, "points": [point._asdict() for point in points]})
    else:
        say(f"{len(points) - failed} of {len(points)} points passed.")
    return 1 if failed else 0


def _waited_for(points: Iterator[Point]) -> Point | None:
    """The next point; a person who has to wait for it sees that."""
    with patience("Trying ..."):
        return next(points, None)
