"""`duelbook hint`: the best move at a position, what each choice is worth, and why."""

from __future__ import annotations

import click

from duelbook.cli import completing, options
from duelbook.cli.options import a_duel, as_json, at_position, changed_rules, echo_json, say, waiting_plainly
from duelbook.core import BOTH, Game


@click.command
@a_duel
@at_position
@changed_rules
@click.option(
    "--against",
    metavar="KIND",
    shell_complete=completing.our_players,
    help="Also the exact chance against this opponent, as level:3 or brawler.",
)
@waiting_plainly
@as_json
def command(game: Game, position: str | None, rule: tuple[str, ...], against: str | None, as_json: bool) -> None:
    """Say what to play in DUEL at a position: the best move, what each choice is worth, and why."""
    from duelbook.coach.data import hints_as_json
    from duelbook.coach.hint import hint
    from duelbook.coach.odds import odds_against
    from duelbook.patience import patience
    from duelbook.solving.library import solution_at

    rules = options.rules_of(game, rule)
    state = options.state_at(game, rules, position)
    solution = solution_at(game, rules, state, however_large=True)
    both = game.turn(rules, state) == BOTH
    hints = [hint(solution, state, seat) for seat in ((0, 1) if both else (None,))]
    with patience("Working out the chances against this opponent ..."):
        met = [None if against is None else odds_against(solution, against, each.seat, state) for each in hints]
    if as_json:
        echo_json(hints_as_json(solution, state, hints, met))
        return
    for each, odds in zip(hints, met, strict=True):
        told = [] if odds is None else [odds.sentence(solution, state)]
        say(f"{game.seats[each.seat]}, at {game.write_position(rules, state)}:", *each.lines(), *told)
