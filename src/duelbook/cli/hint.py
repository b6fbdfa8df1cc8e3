"""`duelbook hint`: the best move at a position, what each choice is worth, and why."""

from __future__ import annotations

from typing import Any

import click

from duelbook.cli.options import GameName, as_json, echo_json
from duelbook.core import BOTH, DuelError, Game, check_beginning, settings, variant


@click.command(short_help="the best move at a position, and why")
@click.argument("game", type=GameName())
@click.option("--at", "position", metavar="POSITION", help="This position instead of the start.")
@click.option("--rule", multiple=True, metavar="NAME=VALUE", help="Change a rule; can be given several times.")
@as_json
def command(game: Game, position: str | None, rule: tuple[str, ...], as_json: bool) -> int:
    """Say what to play in GAME at a position: the best move, what each choice is worth, and why."""
    from duelbook.coach.hint import hint
    from duelbook.line.console import Console
    from duelbook.solving.library import solution_at

    try:
        rules = variant(game, rule)
        if position is None:
            check_beginning(game, rules)
        state = game.start(rules, 0) if position is None else game.read_position(rules, position)
    except DuelError as error:
        raise click.UsageError(str(error)) from None
    solution = solution_at(game, rules, state)
    both = game.turn(rules, state) == BOTH
    hints = [hint(solution, state, seat) for seat in ((0, 1) if both else (None,))]
    if as_json:
        echo_json(
            {
                "game": game.id,
                "rules": settings(game, rules),
                "at": game.write_position(rules, state),
                "value": hints[0].value,
                "hints": [_as_json(each) for each in hints],
            }
        )
        return 0
    console = Console(plain=True)
    for each in hints:
        console.say(f"{game.seats[each.seat]}, at {game.write_position(rules, state)}:", *each.lines())
    return 0


def _as_json(each: Any) -> dict[str, Any]:
    return {
        "player": each.seat + 1,
        "wins": each.wins,
        "why": each.why,
        "best_play": list(each.line),
        "choices": [choice._asdict() for choice in each.choices],
    }
