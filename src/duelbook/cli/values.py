"""What options take, refused in whole sentences: numbers within bounds, days."""

from __future__ import annotations

from datetime import date, datetime

import click

from duelbook.speech import quote

LONGEST_NUMBER = 40
"""Letters of a number that are looked at: no bound of ours has so many."""


class Whole(click.ParamType[int]):
    """A whole number from one bound to another, or from one bound on."""

    name = "number"

    def __init__(self, low: int, high: int | None = None) -> None:
        self.low, self.high = low, high

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        text = str(value).strip()
        digits = text.removeprefix("-")
        number = int(text) if digits.isascii() and digits.isdigit() and len(text) < LONGEST_NUMBER else None
        if number is None or number < self.low or (self.high is not None and number > self.high):
            self.fail(f"{quote(text)} is not a whole number {between(self.low, self.high)}.", param, ctx)
        return number


class NumberRange(click.ParamType[float]):
    """A number from one bound to another; `nan`, which is neither below nor above anything, is none."""

    name = "number"

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = float(str(value))
        except ValueError:
            number = float("nan")
        if not self.low <= number <= self.high:
            self.fail(f"{quote(str(value))} is not a number {between(self.low, self.high)}.", param, ctx)
        return number


def between(low: float, high: float | None) -> str:
    return f"from {_shown(low)} on" if high is None else f"from {_shown(low)} to {_shown(high)}"


def _shown(bound: float) -> str:
    return f"{bound:,.0f}" if abs(bound) >= 1000 else f"{bound:g}"


class Day(click.ParamType[date]):
    """A day, written as 2026-11-15."""

    name = "date"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        try:
            return datetime.strptime(str(value).strip(), "%Y-%m-%d").date()
        except ValueError:
            self.fail(f"{quote(str(value))} is not a day, written as 2026-11-15.", param, ctx)
