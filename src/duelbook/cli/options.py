"""Options and arguments that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any, TypeVar

import click

from duelbook.core import DuelError, Game
from duelbook.games import load
from duelbook.speech import amount, plain, plain_json, plain_lines

Thing = TypeVar("Thing")


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


class NumberRange(click.FloatRange):
    """A range of numbers without `nan`, which click lets through: it is neither below nor above anything."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{value} is no number from {self.min} to {self.max}.", param, ctx)
        return number


def chosen(games: Sequence[Thing], number: int, file: str) -> Thing:
    """The game of a file that `--game` names, from 1."""
    if number > len(games):
        raise DuelError(f"{plain(file)} holds {amount(len(games), 'game')}; there is no number {number}.")
    return games[number - 1]


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def say(text: object, *, err: bool = False) -> None:
    """Print, with nothing in it that could steer a terminal: the one way in which commands speak, besides a Console.

    The ends of lines stay; text from outside that must stay on its line goes through `speech.plain` first.
    """
    click.echo(plain_lines(text), err=err)


def echo_json(value: Any) -> None:
    import json

    click.echo(plain_json(json.dumps(value, ensure_ascii=False, indent=2)))
