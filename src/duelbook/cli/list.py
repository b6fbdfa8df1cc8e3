"""`duelbook list`: the duels."""

from __future__ import annotations

import click

from duelbook.cli.options import as_json, echo_json, say
from duelbook.games import load_all


@click.command
@as_json
def command(as_json: bool) -> None:
    """List the duels that can be played."""
    games = load_all()
    if as_json:
        echo_json([{"id": game.id, "name": game.name, "pitch": game.pitch} for game in games])
    else:
        widest = max(len(game.id) for game in games)
        say(*(f"{game.id:{widest}}  {game.name}: {game.pitch}" for game in games))
