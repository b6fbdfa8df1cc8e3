"""Options of commands in which language models sit: how they are asked, said once and held for all of them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NotRequired, TypedDict, TypeVar

import click

from duelbook.cli.options import warn
from duelbook.cli.values import Typed, number_within, seconds, whole, wrong_usage
from duelbook.core import DuelError
from duelbook.disk import read_text
from duelbook.folders import named
from duelbook.llm.asking import (
    LONGEST_TIME,
    MOST_RETRIES,
    MOST_TOKENS,
    MOVE_TIME,
    RETRIES,
    Asking,
    Price,
    ask_so,
)
from duelbook.llm.kind import DEFAULT, LLM, THINKING, YES_OR_NO, Axes, checked_url, read_temperature, read_thinking
from duelbook.llm.prompt import read_prompt
from duelbook.players import usual_name
from duelbook.speech import either, plain, quote

Command = TypeVar("Command", bound=Callable[..., object])
MOST_MONEY = 1e9
LARGEST_FILE = 1 << 20


AXES = ("tell_rules", "tell_moves", "tell_history", "thinking", "temperature", "base_url")
"""What a game that goes on takes from its record."""


class Asked(TypedDict):
    """What these options say, by the names under which it comes to a command."""

    tell_rules: NotRequired[str]
    tell_moves: NotRequired[str]
    tell_history: NotRequired[str]
    thinking: NotRequired[str]
    temperature: NotRequired[float | None]
    base_url: NotRequired[str]
    prompt: str | None
    reply_time: float
    reply_tokens: int | None
    total_tokens: int | None
    total_money: float | None
    price: tuple[float, float] | None
    prices: str | None
    retries: int
    no_cache: bool
    transcripts: str | None


def _money(text: str) -> float:
    number = number_within(text, 0.0, MOST_MONEY)
    if number is None:
        raise DuelError(f"{quote(text)} is not an amount of money.")
    return number


def _price(text: str) -> tuple[float, float]:
    words = text.split(",")
    if len(words) != 2:
        raise DuelError(f"{quote(text)} is not a price: it is what a million tokens in and out cost, as in 0.25,2.")
    return _money(words[0]), _money(words[1])


_YES_NO = click.Choice(list(YES_OR_NO))
_AXES = (
    click.option("--tell-rules", type=_YES_NO, default="yes", help="Whether a model is told the rule book."),
    click.option("--tell-moves", type=_YES_NO, default="yes", help="Whether it is told which moves are legal."),
    click.option(
        "--tell-history", type=_YES_NO, default="no", help="Whether it is told what it was asked and played before."
    ),
    click.option(
        "--thinking",
        type=Typed("HOW", read_thinking),
        default=DEFAULT,
        help=f"How much a model thinks: {either(THINKING, 'or')}, or a number of tokens.",
    ),
    click.option(
        "--temperature",
        type=Typed("X", read_temperature),
        help="The temperature of a model, from 0 to 2.  [default: its own]",
    ),
    click.option(
        "--base-url",
        metavar="URL",
        type=Typed("URL", checked_url),
        default="",
        show_default=False,
        help="Where models are asked, as http://127.0.0.1:8080/v1.  [default: at their makers]",
    ),
)
_AROUND = (
    click.option("--prompt", metavar="FILE", help="What models are told.  [default: the prompt of Duelbook]"),
    click.option(
        "--reply-time",
        type=seconds(0.001, LONGEST_TIME),
        default=MOVE_TIME,
        show_default=False,
        help=f"How long a model may take for an answer.  [default: {MOVE_TIME:g}]",
    ),
    click.option("--reply-tokens", type=whole(1, MOST_TOKENS), help="How many tokens an answer may have."),
    click.option("--total-tokens", type=whole(1, MOST_TOKENS), help="How many tokens models may use altogether."),
    click.option("--total-money", type=Typed("AMOUNT", _money), help="What models may cost altogether."),
    click.option("--price", type=Typed("IN,OUT", _price), help="What a million tokens cost, in and out."),
    click.option("--prices", metavar="FILE", help="The same by model: lines such as 'openai/gpt-5-mini 0.25 2'."),
    click.option(
        "--retries",
        type=whole(0, MOST_RETRIES),
        default=RETRIES,
        help="How often a question is sent again when the line or the server fails.",
    ),
    click.option("--no-cache", is_flag=True, help="Ask models anew what they were asked before."),
    click.option("--transcripts", metavar="DIR", help="Write down what models are asked and answer, in this folder."),
)


def around_models(command: Command) -> Command:
    """The options that `models` reads, for a game that goes on: what its models are told stands in its record."""
    return _with(command, _AROUND)


def about_models(command: Command) -> Command:
    """All options that `models` reads; they come to the command under their own names."""
    return _with(command, (*_AXES, *_AROUND))


def _with(command: Command, options: Iterable[Callable[[Command], Command]]) -> Command:
    for option in reversed(list(options)):
        command = option(command)
    return command


def models(said: Asked, kinds: Iterable[str]) -> None:
    """Have models asked so from now on. In the end it is said what they used, where there were any."""
    with wrong_usage():
        prices = [Price("", *said["price"])] if said["price"] else []
        asking = Asking(
            Axes(
                YES_OR_NO[said.get("tell_rules", "yes")],
                YES_OR_NO[said.get("tell_moves", "yes")],
                YES_OR_NO[said.get("tell_history", "no")],
                said.get("thinking", DEFAULT),
                said.get("temperature"),
                said.get("base_url", ""),
            ),
            prompt=read_prompt(said["prompt"]) if said["prompt"] else "",
            move_time=said["reply_time"],
            move_tokens=said["reply_tokens"],
            total_tokens=said["total_tokens"],
            total_money=said["total_money"],
            prices=(*(read_prices(said["prices"]) if said["prices"] else ()), *prices),
            retries=said["retries"],
            cache=not said["no_cache"],
            transcripts=str(named(said["transcripts"]).absolute()) if said["transcripts"] else "",
        )
    if any(kind.strip().lower().startswith(LLM) for kind in kinds):
        asking = asking._replace(ledger=_ledger())
    ask_so(asking)


def read_prices(file: str) -> tuple[Price, ...]:
    """What models cost, from a file that somebody wrote: on each line a model and two amounts, # before a remark."""
    try:
        lines = read_text(named(file), LARGEST_FILE).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise DuelError(f"The prices in {plain(file)} cannot be read: {why}.") from None
    found = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if len(words) == 3:
            found.append(Price(words[0], _money(words[1]), _money(words[2])))
        elif words:
            raise DuelError(
                f"Line {number} of {plain(file)} is no price: a line has a model and what a million tokens cost, in "
                "and out, as in openai/gpt-5-mini 0.25 2."
            )
    return tuple(found)


def _ledger() -> str:
    """A file in which all players of this command note what they use. In the end that is told, and the file is gone."""
    from duelbook.llm.usage import by_kind

    folder = tempfile.TemporaryDirectory(prefix="duelbook-")
    file = str(Path(folder.name) / "used")

    def tell() -> None:
        for kind, used in by_kind(file).items():
            warn(f"{plain(usual_name(kind))}: {used.words}.")
        folder.cleanup()

    click.get_current_context().call_on_close(tell)
    return file
