"""`duelbook rules`: the rule books."""

from __future__ import annotations

import click

from duelbook.cli.options import a_duel, as_json, as_plain, echo_json
from duelbook.core import Game, rules_hash


@click.command
@a_duel
@as_plain
@as_json
def command(game: Game, plain: bool, as_json: bool) -> None:
    """Read the rule book of DUEL in our words, with how we read the places where the original is silent."""
    if as_json:
        from duelbook.games import rulebook

        echo_json(
            {
                "game": game.id,
                "name": game.name,
                "rules_hash": rules_hash(game, game.book),
                "rules": [
                    {
                        "name": name,
                        "value": knob.show(getattr(game.book, name)),
                        "allowed": knob.allowed(getattr(game.book, name)),
                        "meaning": knob.meaning,
                    }
                    for name, knob in game.knobs.items()
                ],
                "text": rulebook(game),
            }
        )
        return
    from duelbook.line.console import Console
    from duelbook.line.page import show_rulebook

    show_rulebook(game, Console(plain=plain), page_by_page=True)
