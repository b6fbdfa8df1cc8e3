"""What is looked at before the first game of a tournament, so that hours of games are not played for nothing."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from duelbook import folders
from duelbook.arena.play.exact import tabular
from duelbook.arena.play.results import Entrant
from duelbook.arena.play.schedule import Duel
from duelbook.arena.play.tournament import Programme
from duelbook.cli.options import say
from duelbook.core import DuelError, variant
from duelbook.disk import SaveError, check_writable
from duelbook.engine.fault import EngineFault
from duelbook.games import load
from duelbook.players import ENGINE
from duelbook.solving.library import solution_for
from duelbook.speech import either, plain, quote

FILES = ("out", "report", "pgnout", "log")


def check_files(said: Mapping[str, Any]) -> None:
    """Files that overwrite each other, and places where nothing can be written."""
    named: dict[Path, str] = {}
    for option in FILES:
        if not said[option]:
            continue
        path = folders.named(said[option])
        where = path.resolve()
        if where in named:
            raise click.UsageError(
                f"--{named[where]} and --{option} both name {plain(path)}; each needs a file of its own."
            )
        named[where] = option
        if option != "out":
            _check_place(path, option)


def _check_place(path: Path, option: str) -> None:
    if path.suffix == ".duel":
        raise click.UsageError(
            f"--{option} does not go into a .duel file such as {plain(path)}: games are kept in those."
        )
    try:
        check_writable(path)
    except SaveError as error:
        raise SaveError(f"{error} Nothing was played.") from None


def check_solutions(work: Programme) -> None:
    """Solve once what every worker will look up. Random and programs can do without; those who know it all cannot."""
    for duel, meetings in _by_duel(work).items():
        game = load(duel.game)
        try:
            solution_for(game, variant(game, duel.rules))
        except DuelError as error:
            seated = [work.plan.entrants[number] for seats in meetings for number in seats]
            if any(tabular(entrant) and entrant.kind != "random" for entrant in seated):
                raise
            say(f"{error} Decisions in {duel} are not weighed.", err=True)


def _by_duel(work: Programme) -> dict[Duel, list[tuple[int, int]]]:
    """Which entrants meet in each duel that is played."""
    found: dict[Duel, list[tuple[int, int]]] = {}
    for at in work.tasks.played:
        duel, seats = work.tasks.meetings[at]
        found.setdefault(duel, []).append(seats)
    return found


def check_programs(work: Programme) -> None:
    """Start every program once: is it there, does it play what it is to play, does it know its options?

    One that fails in any other way loses its games by that, which is what a tournament may be held to find out.
    """
    for number, entrant in enumerate(work.plan.entrants):
        duels = [duel for duel, met in _by_duel(work).items() if any(number in seats for seats in met)]
        if entrant.kind.startswith(ENGINE) and duels:
            _check_program(entrant, [duel.game for duel in duels])


def _check_program(entrant: Entrant, wanted: list[str]) -> None:
    from duelbook.arena.play.seats import engine_player

    player = engine_player(entrant)
    program = player.command[0]
    if shutil.which(program) is None:
        from duelbook.engine.process import why_not

        raise DuelError(f"{entrant.name} cannot play: {quote(program)} cannot be started: {why_not(Path(program))}")
    try:
        identity = player.meet()
    except EngineFault as fault:
        say(f"{entrant.name} does not start well, and will lose its games if it goes on so: {fault}", err=True)
        return
    except DuelError as error:
        raise click.UsageError(f"{entrant.name} cannot play: {error}") from None
    finally:
        player.close()
    unknown = [id for id in dict.fromkeys(wanted) if not identity.plays(load(id))]
    if unknown:
        raise click.UsageError(
            f"{entrant.name} does not play {either(unknown, 'or')}. "
            f"Say --games {','.join(identity.games)}, or leave it out."
        )


__all__ = ["check_files", "check_programs", "check_solutions"]
