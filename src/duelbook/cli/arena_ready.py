"""What the command looks at before the first game of a tournament: its files, and what its players need."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from duelbook import folders
from duelbook.arena.play.ready import CannotPlay, check_programs, check_solutions
from duelbook.arena.play.tournament import Programme
from duelbook.cli.options import warn
from duelbook.cli.values import wrong_usage
from duelbook.disk import SaveError, check_writable
from duelbook.speech import plain

MADE_AGAIN = ("report", "pgnout")
"""What a tournament that goes on makes again. Otherwise nothing is written over; a log is added to."""


def check_files(files: Mapping[str, str | None], *, resume: bool) -> None:
    """Files, by the option that names them, that overwrite each other, and places where nothing can be written."""
    named: dict[Path, str] = {}
    for option, name in files.items():
        if not name:
            continue
        path = folders.named(name)
        where = path.resolve()
        if where in named:
            raise click.UsageError(
                f"--{named[where]} and --{option} both name {plain(path)}; each needs a file of its own."
            )
        named[where] = option
        if option != "out":
            _check_place(path, option)
        if option in MADE_AGAIN and path.is_file() and not resume:
            raise click.UsageError(f"{plain(path)} exists already; choose another name for --{option}.")


def _check_place(path: Path, option: str) -> None:
    if path.suffix == ".duel":
        raise click.UsageError(
            f"--{option} does not go into a .duel file such as {plain(path)}: games are kept in those."
        )
    try:
        check_writable(path)
    except SaveError as error:
        raise SaveError(f"{error} Nothing was played.") from None


def check_players(work: Programme, *, programs: bool) -> None:
    """What the players need before the first game; what is only a pity is said."""
    check_solutions(work, warn)
    if programs:
        with wrong_usage(CannotPlay):
            check_programs(work, warn)
