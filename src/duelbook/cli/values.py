"""What options take, refused in whole sentences: numbers within bounds, days."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime

import click

from duelbook.core import DuelError
from duelbook.speech import quote

LONGEST_NUMBER = 40
"""Letters of a number that are looked at: no bound of ours has so many."""


@contextmanager
def wrong_usage(kind: type[DuelError] = DuelError) -> Iterator[None]:
    """What is refused in here was asked for wrongly: it ends with exit code 2."""
    try:
        yield
    except kind as error:
        raise click.UsageError(str(error)) from None


class Typed(click.ParamType):  # type: ignore[type-arg]  # of what kind it is cannot be said to older versions of click
    """What a person types for an option, read by a function whose DuelError says why it cannot be."""

    def __init__(self, name: str, read: Callable[[str], object], missing: Callable[[], str] | None = None) -> None:
        """`name` stands for it in the help; `missing` says what it could be to somebody who left it out."""
        self.name, self.read, self.missing = name, read, missing

    def get_missing_message(self, *_: object, **__: object) -> str | None:
        return None if self.missing is None else self.missing()

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        if not isinstance(value, str):
            return value  # the default, or what another command hands on
        try:
            return self.read(value)
        except DuelError as error:
            self.fail(str(error), param, ctx)


def whole(low: int, high: int | None = None) -> Typed:
    """A whole number from one bound to another, or from one bound on."""

    def read(text: str) -> int:
        text = text.strip()
        digits = text.removeprefix("-")
        number = int(text) if digits.isascii() and digits.isdigit() and len(text) < LONGEST_NUMBER else None
        if number is None or number < low or (high is not None and number > high):
            raise DuelError(f"{quote(text)} is not a whole number {between(low, high)}.")
        return number

    return Typed("N", read)


def seconds(low: float, high: float) -> Typed:
    def read(text: str) -> float:
        number = number_within(text, low, high)
        if number is None:
            raise DuelError(f"{quote(text)} is not a number {between(low, high)}.")
        return number

    return Typed("SECONDS", read)


def number_within(text: str, low: float, high: float) -> float | None:
    """The number, if it lies there; `nan`, which is neither below nor above anything, does not."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if low <= number <= high else None


def between(low: float, high: float | None) -> str:
    return f"from {_shown(low)} on" if high is None else f"from {_shown(low)} to {_shown(high)}"


def _shown(bound: float) -> str:
    return f"{bound:,.0f}" if abs(bound) >= 1000 else f"{bound:g}"


def read_day(text: str) -> date:
    try:
        return datetime.strptime(text.strip(), "%Y-%m-%d").date()
    except ValueError:
        raise DuelError(f"{quote(text)} is not a day, written as 2026-11-15.") from None
