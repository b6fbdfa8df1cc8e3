"""`duelbook join`: sit down at a table on a server, from a terminal, or watch one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from duelbook.cli.online import my_name, show
from duelbook.cli.options import hand_over, playing_plainly
from duelbook.cli.screen import Screen, by_line
from duelbook.cli.values import wrong_usage
from duelbook.line.console import Console, EndOfInput, Quit

if TYPE_CHECKING:
    from duelbook.serve.arriving import Waiting


@click.command
@click.argument("link", metavar="LINK")
@click.option("--name", metavar="NAME", default="", help="What you are called there.")
@click.option("--watch", "watching", is_flag=True, help="Only watch, without a seat.")
@click.option("--save", "copy", metavar="FILE", help="Keep the game in this .duel file here, too.")
@by_line
@playing_plainly
def command(link: str, name: str, watching: bool, copy: str | None, line: bool, plain: bool) -> int:
    """Play at LINK, which a friend has sent or a server has printed.

    The same link brings you back to your seat. With the address of a server alone, see who waits there and choose.
    """
    from duelbook.serve.arriving import sit_down, watch, who_waits
    from duelbook.serve.connection import read_address

    with wrong_usage():
        place = read_address(link)
    screen = Screen(wanted=not (line or plain))
    console = Console(plain=plain)
    if not place.game:
        waiting = who_waits(place.server)
        if screen.usable:
            from duelbook.tui.app import run
            from duelbook.tui.meeting import Meeting

            return run(lambda app: app.push_screen(Meeting(place.server, waiting, my_name(name))))
        screen.explain()
        if not console.typing:
            for each in waiting:
                hand_over(place._replace(game=each.game).link, each.duel, each.words)
            return 0
        chosen = _choose(waiting, console)
        if chosen is None:
            return 0
        place = place._replace(game=chosen)
    wire = watch(place) if watching else sit_down(place, my_name(name))
    return show(wire, screen, console, copy)


def _choose(waiting: list[Waiting], console: Console) -> str | None:
    """The game that somebody wants to sit down at; None for none."""
    from duelbook.games import load
    from duelbook.line.menu import MenuLine, choose

    if not waiting:
        console.say("Nobody waits there. Leave a game open yourself: duelbook play DUEL --online SERVER --open")
        return None
    try:
        lines = [MenuLine(each.game, f"{each.words}: {load(each.duel).name}") for each in waiting]
        return choose(console, "Who waits? Choose whom you play; quit leaves.", lines)
    except (Quit, EndOfInput):
        return None
