"""Options and arguments that several commands share."""

from __future__ import annotations

from typing import Any

import click

from duelbook.core import DuelError, Game
from duelbook.games import load


class GameName(click.ParamType[Game]):
    """The id of a game, turned into the game."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        if isinstance(value, Game):
            return value
        try:
            return load(value)
        except DuelError as error:
            raise click.UsageError(str(error), ctx) from None

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        from duelbook.games import game_ids

        return [CompletionItem(id) for id in game_ids() if id.startswith(incomplete)]


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def echo_json(value: Any) -> None:
    import json

    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
