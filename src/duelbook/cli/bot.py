"""`duelbook bot`: a program of yours plays whoever comes, on a server."""

from __future__ import annotations

import click

from duelbook.cli.options import a_duel, warn
from duelbook.cli.values import whole
from duelbook.core import Game


@click.command
@click.argument("server", metavar="SERVER")
@a_duel
@click.option("--player", "kind", metavar="KIND", default="perfect", show_default=True, help="Who plays.")
@click.option("--name", metavar="NAME", default="Bot", show_default=True, help="What it is called there.")
@click.option("--games", metavar="N", type=whole(1, 1_000_000), default=1, show_default=True, help="How many games.")
def command(server: str, game: Game, kind: str, name: str, games: int) -> None:
    """Leave a game of DUEL open on SERVER, play whoever sits down, and open the next."""
    from duelbook.serve.bot import play_whoever_comes

    play_whoever_comes(server.rstrip("/"), game.id, kind, name, games, tell=warn)
