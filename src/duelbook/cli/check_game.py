"""`duelbook check-game`: does a duel keep every law?"""

from __future__ import annotations

import click

from duelbook.cli.options import a_duel, as_json, echo_json, say, waiting_plainly
from duelbook.cli.values import whole
from duelbook.core import Game
from duelbook.patience import patience
from duelbook.positions.size import NOT_HERE
from duelbook.speech import amount


@click.command(name="check-game")
@a_duel
@click.option("--positions", type=whole(1, 1_000_000), default=2_000, help="How many positions to look at, at most.")
@waiting_plainly
@as_json
def command(game: Game, positions: int, as_json: bool) -> int:
    """Try DUEL on every law that a duel must keep, and name each mistake with its function, position and value.

    It looks at the duel's files, at positions of games at random and of a walk from the start, at records of games, and
    at the ends of what its rules can be set to, and tries whether Numba, where there is one, can compile the rules.
    Exit code 1 if there is a mistake.
    """
    from duelbook.conformance import check_game
    from duelbook.games import hidden

    with patience(f"Looking at {game.name} ..."):
        seen = check_game(game, positions)
    if as_json:
        report = seen._asdict() | {"good": seen.good, "mistakes": [each._asdict() for each in seen.mistakes]}
        echo_json(report)
        return 0 if seen.good else 1
    for sentence in hidden():
        say(f"Note: {sentence}", err=True)
    for mistake in seen.mistakes:
        say(f"MISTAKE  {mistake}")
    looked = f"{'all ' if seen.complete else ''}{amount(seen.positions, 'position')}"
    others = f" and {amount(seen.variants, 'variant')}" if seen.variants else ""
    if seen.good:
        say(f"{game.name} keeps every law at {looked}{others}.")
        if not seen.compiled:
            say(f"Whether its rules can be compiled was not tried: that needs Numba, {NOT_HERE}.")
    else:
        say(f"{game.name} has {amount(len(seen.mistakes), 'mistake')}, found at {looked}.")
    return 0 if seen.good else 1
