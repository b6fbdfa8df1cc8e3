"""What a tournament says in a sentence, for every kind of report: who is better than whom, by how much, how surely."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from duelbook.arena.judge.ratings import Ratings
from duelbook.intervals import CONFIDENCE, Estimate


class Verdict(NamedTuple):
    """The best two of those whom games have rated. The ladder's own places are no question."""

    name: str
    other: str
    chance: float
    """That the first is really better."""
    difference: Estimate
    """In Elo."""

    @property
    def clear(self) -> bool:
        return self.chance > CONFIDENCE

    def sentence(self, shown: Callable[[str], str] = str) -> str:
        """`A is better than B with a chance of 98.2 %: +130 Elo (+95 to +165).` Numbers are written by `shown`."""
        doubt = "" if self.clear else "It is not clear which of the programs is best. "
        better = f"{self.name} is better than {self.other} with a chance of {percent(self.chance)}"
        return f"{doubt}{better}: {shown(signed(self.difference, ' Elo'))}."


def verdict(ratings: Ratings) -> Verdict | None:
    """None where games rated fewer than two players, or where nothing ties the best two to each other."""
    rated = [row for row in ratings.rows if row.games and not row.exact][:2]
    if len(rated) < 2 or not ratings.connected(*rated):
        return None
    one, two = rated
    return Verdict(one.name, two.name, ratings.better(one, two), ratings.difference(one, two))


def signed(estimate: Estimate, unit: str = "") -> str:
    """`+130 (+95 to +165)`; a zero has a plus."""
    value, low, high = (f"{round(each):+d}" for each in estimate)
    return f"{value}{unit} ({low} to {high})"


def percent(chance: float) -> str:
    """A chance in percent. What is not quite certain is not called so."""
    shown = f"{100 * chance:.1f}"
    shown = {"0.0": "<0.1", "100.0": ">99.9"}.get(shown, shown) if 0 < chance < 1 else f"{100 * chance:.0f}"
    return f"{shown} %"
