"""`duelbook bot`: a program of yours plays whoever comes, on a server."""

from __future__ import annotations

from typing import Unpack

import click

from duelbook.cli import completing
from duelbook.cli.models import Asked, about_models, models
from duelbook.cli.options import warn
from duelbook.cli.programs import Around, around_programs, surroundings
from duelbook.cli.values import whole, wrong_usage
from duelbook.core import DuelError
from duelbook.games import game_ids, load
from duelbook.players import ENGINE, check_kind, usual_name


class Told(Around, Asked):
    """What is said of programs and models, by the names of the options."""


@click.command
@click.argument("server", metavar="SERVER")
@click.option("--engine", metavar="COMMAND", help="Your program, which speaks the engine protocol.")
@click.option(
    "--player",
    "kind",
    metavar="KIND",
    shell_complete=completing.players,
    help="Another player than a program of yours: level:3, perfect, llm:PROVIDER/MODEL ...",
)
@click.option("--duels", metavar="DUEL,...", help="What it plays.  [default: all that it can]")
@click.option("--name", metavar="NAME", help="What it is called there.  [default: as it calls itself]")
@click.option("--games", metavar="N", type=whole(1, 1_000_000), help="How many games.  [default: until you stop it]")
@around_programs
@about_models
def command(
    server: str,
    engine: str | None,
    kind: str | None,
    duels: str | None,
    name: str | None,
    games: int | None,
    **around: Unpack[Told],
) -> int:
    """Let a program play whoever comes on SERVER.

    It waits there at a table of every duel, is shown in the lobby as a program, and opens the next game when one
    begins. Ctrl-C stops it and resigns nothing: the same command comes back to the same seats.
    """
    from duelbook.serve.bot import FOR_EVER, Bot, play_whoever_comes
    from duelbook.serve.connection import read_address
    from duelbook.table.keeper import command_name

    models(around, [kind or ""])
    with wrong_usage():
        place = read_address(server)
        if place.game:
            raise DuelError(f"A bot goes to a server, not to a game: duelbook bot {place.server}")
        if (engine is None) == (kind is None):
            raise DuelError("Say who plays: --engine COMMAND for a program of yours, or --player level:3.")
        player = check_kind(f"{ENGINE}{engine}" if engine is not None else str(kind))
        wanted = [load(id.strip()).id for id in duels.split(",")] if duels else []
    surroundings(around, programs=player.startswith(ENGINE))
    called, plays = _meet(player)
    bot = Bot(place.server, tuple(dict.fromkeys(wanted)) or plays, player, name or called)
    try:
        play_whoever_comes(bot, games or FOR_EVER, tell=warn)
    except KeyboardInterrupt:
        warn(
            f"\n{bot.name} has stopped and resigned nothing. The same command brings it back: {command_name()} bot ..."
        )
        return 130
    return 0


def _meet(player: str) -> tuple[str, tuple[str, ...]]:
    """What it calls itself, and which of the duels here it plays."""
    if not player.startswith(ENGINE):
        return usual_name(player), tuple(game_ids())
    from duelbook.players.engine import EnginePlayer

    program = EnginePlayer(player.removeprefix(ENGINE))
    try:
        identity = program.meet()
    finally:
        program.close()
    plays = tuple(id for id in game_ids() if id in identity.games or "*" in identity.games)
    if not plays:
        raise DuelError(f"{identity.name} plays none of the duels here.")
    return identity.name, plays
