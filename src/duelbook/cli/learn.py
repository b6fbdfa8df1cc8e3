"""`duelbook learn`: a short guided game."""

from __future__ import annotations

import click

from duelbook.cli.options import a_duel, playing_plainly, say
from duelbook.cli.screen import Screen, by_line
from duelbook.core import Game
from duelbook.line.console import Console, EndOfInput, Quit
from duelbook.table.lesson import Guide


@click.command
@a_duel
@by_line
@playing_plainly
def command(game: Game, line: bool, plain: bool) -> int:
    """Be guided through a few turns of DUEL, which teach the one idea that matters in it.

    The coach says what to look at, and why a move is not the one; nothing can be lost, and nothing is saved. On the
    full screen, unless --line says otherwise or the terminal cannot show it.
    """
    guide = Guide(game)  # a duel without a lesson says so before anything is shown
    screen = Screen(wanted=not (line or plain))
    if screen.usable:
        from duelbook.tui.app import run
        from duelbook.tui.lesson import LessonScreen

        return run(lambda app: app.push_screen(LessonScreen(guide.game)))
    from duelbook.line.lesson import teach

    screen.explain()
    try:
        teach(game, Console(plain=plain))
    except Quit:
        return 0
    except EndOfInput:
        say("The input ended before the lesson did.", err=True)
        return 1
    return 0
