"""`duelbook resume`: go on with a saved game."""

from __future__ import annotations

import shlex
from typing import Unpack

import click

from duelbook import speech
from duelbook.cli import completing
from duelbook.cli.models import Asked, around_models, models
from duelbook.cli.options import playing_plainly
from duelbook.cli.programs import Around, around_programs, keep_info, surroundings
from duelbook.cli.screen import Screen, by_line
from duelbook.core import DuelError
from duelbook.players import ENGINE
from duelbook.table.shelf import take_up


class Told(Around, Asked):
    """What is said of programs and models, by the names of the options."""


@click.command
@click.argument("saved", required=False, shell_complete=completing.unfinished_games)
@click.option("--coach", is_flag=True, help="Say at once when a move gave something away, and offer it back.")
@click.option("--bar", is_flag=True, help="Show who is ahead after every turn.")
@around_programs
@keep_info
@around_models
@by_line
@playing_plainly
def command(saved: str | None, coach: bool, bar: bool, line: bool, plain: bool, **around: Unpack[Told]) -> int:
    """Go on with a saved game: the latest one, or the one whose id or file SAVED names."""
    from duelbook.table.keeper import make_ready

    save, record = take_up(saved)
    if record.match.outcome is not None:
        save.let_go()
        raise DuelError(
            f"{speech.plain(save.id)} is over: {record.match.outcome.reason} "
            f"See it again with: duelbook replay {shlex.quote(save.name)}"
        )
    surroundings(around, programs=any(kind.startswith(ENGINE) for kind in record.seats))
    models(around, record.seats)
    try:
        make_ready(record.match, record.seats)
    except BaseException:
        save.let_go()
        raise
    screen = Screen(wanted=not (line or plain))
    if screen.usable:
        from duelbook.tui.app import run

        return run(lambda app: app.sit_down(record, save, coach=coach or bar or None))
    from duelbook.line.console import Console
    from duelbook.line.play_out import play_out
    from duelbook.table.host import was_coached

    screen.explain()
    console = Console(plain=plain)
    console.say(f"Going on with {speech.plain(save.id)}, turn {record.match.turns + 1}.")
    return play_out(record, save, None, console, coaching=coach or bool(was_coached(record)), bar=bar)
