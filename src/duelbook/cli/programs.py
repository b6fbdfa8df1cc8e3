"""Options of commands that start programs: what is around them, said once and held for all of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NotRequired, TypedDict, TypeVar

import click

from duelbook.cli.options import KEPT_FROM_PROGRAMS, warn
from duelbook.cli.values import seconds
from duelbook.engine.limits import AUTO, MOST_START_LIMIT, SANDBOXES, START_LIMIT, START_TIME, Surroundings, surround
from duelbook.engine.log import begin
from duelbook.folders import named

Command = TypeVar("Command", bound=Callable[..., object])


class Around(TypedDict):
    """What these options say, by the names under which it comes to a command."""

    sandbox: str
    variables: tuple[str, ...]
    start_limit: float
    log: str | None
    keep_info: NotRequired[bool]


def around_programs(command: Command) -> Command:
    """The options that `surroundings` reads; they come to the command under their own names."""
    options = (
        click.option(
            "--sandbox",
            type=click.Choice(SANDBOXES),
            default=AUTO,
            help="The sandbox around programs: the best that the system has, a whole one or no game, or none.",
        ),
        click.option(
            "--pass-env",
            "variables",
            multiple=True,
            metavar="NAME",
            help="Let programs in a sandbox see this variable of the environment; can be given several times.",
        ),
        click.option(
            "--start-limit",
            type=seconds(START_TIME, MOST_START_LIMIT),
            default=START_LIMIT,
            show_default=False,
            help=f"How long a program that says it is preparing may take to get ready.  [default: {START_LIMIT:g}]",
        ),
        click.option("--log", metavar="FILE", help="Write all that programs hear and say to this file, with times."),
    )
    for option in reversed(options):
        command = option(command)
    return command


keep_info = click.option(
    "--keep-info", is_flag=True, help="Keep what programs say of their thinking in the record, as comments."
)


def surroundings(said: Around, *, programs: bool = True) -> Surroundings:
    """What is around the programs of this command from now on. Where there are any, it is said in one line what holds
    on this system; a sandbox that is required and cannot be had is refused."""
    context = click.get_current_context()
    secret = context.meta.get(KEPT_FROM_PROGRAMS, [])
    files = tuple(str(Path(file).absolute()) for file in secret)
    around = Surroundings(
        said["sandbox"], files, said["variables"], said["start_limit"], keep_info=said.get("keep_info", False)
    )
    if said["log"]:
        asked = context.command_path  # without values that programs must not know
        log = begin(str(named(said["log"]).absolute()), f"{datetime.now():%Y-%m-%d %H:%M:%S} {asked}")
        around = around._replace(log=log)
    surround(around)
    if programs:
        from duelbook.engine.sandbox import means_for

        means = means_for(around)
        if said["sandbox"] == AUTO:
            warn(means.sentence)
    return around
