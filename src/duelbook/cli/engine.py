"""`duelbook engine`: our own players, for other programs to play with."""

from __future__ import annotations

import sys

import click

from duelbook.cli import completing
from duelbook.cli.options import SEED
from duelbook.core import DuelError
from duelbook.luck import derive, new_seed
from duelbook.match import Player, View
from duelbook.players import HUMAN, UnknownPlayer, check_kind, seat_player
from duelbook.speech import either, quote

LARGEST_OPTION = 2**63 - 1
"""Numbers of the protocol fit 64 bits; programs in other languages read them."""


@click.command
@click.option(
    "--player",
    metavar="KIND",
    default="perfect",
    help="random, level:1 to level:6, perfect, hoarder, brawler, cautious or gambler.",
    shell_complete=completing.our_players,
)
@click.option(
    "--seed",
    type=SEED,
    default=0,
    show_default=False,
    help="The seed of its choices; without it, or with 0, every process draws one of its own and keeps it secret.",
)
def command(player: str, seed: int) -> None:
    """Speak the engine protocol on standard input and output, so that another program can play with our players."""
    from duelbook.engine.replies import EngineOption
    from duelbook.engine.server import Server
    from duelbook.games import game_ids
    from duelbook.policies.levels import TABULAR

    kind = _kind(player, TABULAR)
    if abs(seed) > LARGEST_OPTION:
        raise click.UsageError("That seed is too long for the engine protocol; at most 18 digits fit.")
    # Programs of one name may play in many processes at once: with one seed for all they would make the same choices.
    own = new_seed()
    options = [
        EngineOption("Player", "combo", kind, choices=TABULAR),
        EngineOption("Seed", "spin", str(seed), -LARGEST_OPTION, LARGEST_OPTION),
    ]

    def make(values: dict[str, str], number: int) -> Player:
        """The first game has the seed itself, as the same player elsewhere would; those that follow have others."""
        told = int(values["Seed"]) or own
        made = seat_player(values["Player"], derive(told, "game", number) if number > 0 else told)
        assert made is not None, HUMAN
        return made

    def stand_in(values: dict[str, str], number: int) -> Player:
        return make(values | {"Player": "random"}, number)

    def say(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    Server(f"Duelbook {kind}", game_ids(), options, make, stand_in, say, _worth).run(sys.stdin.buffer)


def _kind(player: str, kinds: tuple[str, ...]) -> str:
    """The tidy name of one of these kinds of player."""
    try:
        kind = check_kind(player)
    except UnknownPlayer:
        kind = ""
    except DuelError as error:
        raise click.UsageError(str(error)) from None
    if kind not in kinds:
        raise click.UsageError(f"An engine can play as {either(kinds)}; not as {quote(player)}.")
    return kind


def _worth(player: Player, view: View) -> float | None:
    """What the position is worth to the seat, for a player that knows."""
    from duelbook.players.perfect import PerfectPlayer

    if not isinstance(player, PerfectPlayer):
        return None
    value = player.solution(view).value(view.state)
    return value if view.seat == 0 else -value
