"""Options and arguments that several commands share, and how commands speak."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import click

from duelbook.cli import completing
from duelbook.cli.values import Typed, wrong_usage
from duelbook.core import DuelError, Game, check_beginning, variant
from duelbook.games import game_ids, load
from duelbook.luck import LARGEST_SEED
from duelbook.patience import plainly
from duelbook.speech import amount, either, plain, plain_json, plain_lines, quote
from duelbook.window import fitted

Thing = TypeVar("Thing")
Command = TypeVar("Command", bound=Callable[..., object] | click.Command)

# Duels, their rules and positions


def _argument(metavar: str) -> Callable[[Command], Command]:
    required = not metavar.startswith("[")
    duel = Typed("DUEL", wrong_usage()(load), missing=lambda: f"The duels are {either(game_ids(), 'and')}.")
    return click.argument("game", type=duel, required=required, metavar=metavar, shell_complete=completing.duels)


a_duel, perhaps_a_duel = _argument("DUEL"), _argument("[DUEL]")
at_position = click.option(
    "--at",
    "--from",
    "position",
    metavar="POSITION",
    help="This position, not the start; 'duelbook rules DUEL' says how to write it.",
)
changed_rules = click.option(
    "--rule",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change a rule; can be given several times.",
    shell_complete=completing.rules,
)


@wrong_usage()
def rules_of(game: Game, rule: Iterable[str]) -> object:
    """The rules that `--rule` makes of the book's."""
    return variant(game, rule)


@wrong_usage()
def state_at(game: Game, rules: object, position: str | None, *, playable: bool = True) -> object:
    """The position that `--at` names, or the start; under rules that can be played, if that is asked for."""
    if position is not None:
        return game.read_position(rules, position)
    if playable:
        check_beginning(game, rules)
    return game.start(rules, 0)


def picture_options(what: str) -> Callable[[Command], Command]:
    """`--png` and `--svg`, whose names `pictures` takes."""
    as_png = click.option("--png", metavar="FILE", help=f"Draw {what} as a PNG file.")
    as_svg = click.option("--svg", metavar="FILE", help=f"Draw {what} as an SVG file.")
    return lambda command: as_png(as_svg(command))


def pictures(png: str | None, svg: str | None) -> list[tuple[Path, str]]:
    """Where to draw and as what; nothing is written over."""
    from duelbook.table.keeper import usable_path

    if png is not None and png == svg:
        raise DuelError("--png and --svg need two different names.")
    return [(usable_path(name), kind) for name, kind in ((png, "png"), (svg, "svg")) if name is not None]


def chosen(games: Sequence[Thing], number: int, file: str) -> Thing:
    """The game of a file that `--game` names, from 1."""
    if number > len(games):
        raise DuelError(f"{plain(file)} holds {amount(len(games), 'game')}; there is no number {number}.")
    return games[number - 1]


# Seeds

KEPT_FROM_PROGRAMS = "duelbook.kept_from_programs"
"""Where a command notes the files that it read and that no program in a seat may read."""
LONGEST_SEED = 60
"""Letters that are looked at in a file that holds a seed; the largest has 39."""


def _read_seed(text: str) -> int:
    where = ""
    if text.startswith("@"):
        file, where = text[1:], f" in {quote(text[1:])}"
        try:
            with click.open_file(file, encoding="ascii", errors="replace") as opened:
                text = opened.read(LONGEST_SEED)
        except OSError as error:
            raise DuelError(f"The seed{where} cannot be read: {error.strerror}.") from None
        click.get_current_context().meta.setdefault(KEPT_FROM_PROGRAMS, []).append(file)
    digits = text.strip().removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < LONGEST_SEED) or int(digits) > LARGEST_SEED:
        raise DuelError(f"{quote(text)}{where} is not a seed: that is a whole number of at most 38 digits.")
    return int(text)


SEED = Typed("N", _read_seed)
"""A seed: a number, or @FILE (@- for standard input) for one that the list of running programs does not show."""

# How it is told

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def _without_bars(ctx: click.Context, _param: click.Parameter, wanted: bool) -> bool:
    if wanted:
        ctx.with_resource(plainly())
    return wanted


def _plain_option(help: str, *, told: bool = True) -> Callable[[Command], Command]:
    return click.option("--plain", is_flag=True, callback=_without_bars, expose_value=told, help=help)


PLAIN = "No colours and no bars."
as_plain = _plain_option(PLAIN)
"""For commands that print in colours."""
waiting_plainly = _plain_option(PLAIN, told=False)
"""For commands that print plain text anyway, and show a bar only to somebody who has to wait."""
playing_plainly = _plain_option("Line by line, with no colours and no bars.")


def say(*lines: object, err: bool = False) -> None:
    """Print, with nothing in it that could steer a terminal: the one way in which commands speak, besides a Console.

    The ends of lines stay; text from outside that must stay on its line goes through `speech.plain` first. In a window
    long lines are folded between words.
    """
    for text in lines:
        click.echo(fitted(plain_lines(text), sys.stderr if err else sys.stdout), err=err)


def warn(sentence: str) -> None:
    """Say what is not data: something that does not work, or that whoever waits should know."""
    say(sentence, err=True)


def hand_over(*columns: object) -> None:
    """Print a line that another program reads: tabs between its columns, and never folded."""
    click.echo("\t".join(map(plain, columns)))


def echo_json(value: object) -> None:
    import json

    click.echo(plain_json(json.dumps(value, ensure_ascii=False, indent=2)))
