"""`duelbook engine`: our own players, for other programs to play with."""

from __future__ import annotations

import sys

import click

from duelbook.core import DuelError
from duelbook.match import LARGEST_SEED, Player, View
from duelbook.players import HUMAN, check_kind, seat_player


@click.command(short_help="let another program play with our players")
@click.option(
    "--player", metavar="KIND", default="perfect", show_default=True, help="random, level:1 to level:6 or perfect."
)
@click.option(
    "--seed",
    type=click.IntRange(-LARGEST_SEED, LARGEST_SEED),
    metavar="N",
    default=0,
    show_default=True,
    help="The seed of its choices.",
)
def command(player: str, seed: int) -> int:
    """Speak the engine protocol on standard input and output, so that another program can play with our players."""
    from duelbook.engine.protocol import Option
    from duelbook.engine.server import Server
    from duelbook.games import game_ids
    from duelbook.solve.levels import LEVELS

    kinds = ("random", *(f"level:{number}" for number in range(1, len(LEVELS) + 1)), "perfect")
    try:
        kind = check_kind(player)
        if kind not in kinds:
            raise DuelError(f"An engine can play as {', '.join(kinds)}; not as {kind}.")
    except DuelError as error:
        raise click.UsageError(str(error)) from None
    options = [
        Option("Player", "combo", kind, choices=kinds),
        Option("Seed", "spin", str(seed), -LARGEST_SEED, LARGEST_SEED),
    ]

    def make(values: dict[str, str]) -> Player:
        made = seat_player(values["Player"], int(values["Seed"]))
        assert made is not None, HUMAN
        return made

    def say(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    Server(f"Duelbook {kind}", game_ids(), options, make, say, _worth).run(sys.stdin.buffer)
    return 0


def _worth(player: Player, view: View) -> float | None:
    """What the position is worth to the seat, for a player that knows."""
    from duelbook.players.perfect import PerfectPlayer

    if not isinstance(player, PerfectPlayer):
        return None
    value = player.solution(view).value(view.state)
    return value if view.seat == 0 else -value
