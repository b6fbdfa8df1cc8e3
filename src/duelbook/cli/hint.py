"""`duelbook hint`: the best move at a position, what each choice is worth, and why."""

from __future__ import annotations

import click

from duelbook.cli.options import (
    GameName,
    as_json,
    at_position,
    changed_rules,
    echo_json,
    rules_of,
    say,
    state_at,
    waiting_plainly,
)
from duelbook.core import BOTH, Game


@click.command(short_help="the best move at a position, and why")
@click.argument("game", type=GameName(), metavar="DUEL")
@at_position
@changed_rules
@waiting_plainly
@as_json
def command(game: Game, position: str | None, rule: tuple[str, ...], as_json: bool) -> int:
    """Say what to play in DUEL at a position: the best move, what each choice is worth, and why."""
    from duelbook.coach.data import hints_as_json
    from duelbook.coach.hint import hint
    from duelbook.solving.library import solution_at

    rules = rules_of(game, rule)
    state = state_at(game, rules, position)
    solution = solution_at(game, rules, state)
    both = game.turn(rules, state) == BOTH
    hints = [hint(solution, state, seat) for seat in ((0, 1) if both else (None,))]
    if as_json:
        echo_json(hints_as_json(solution, state, hints))
        return 0
    for each in hints:
        for line in (f"{game.seats[each.seat]}, at {game.write_position(rules, state)}:", *each.lines()):
            say(line)
    return 0
