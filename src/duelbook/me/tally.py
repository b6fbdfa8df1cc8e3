"""Games added up: by duel, by opponent, by month."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import fsum
from typing import NamedTuple

from duelbook.me.played import DRAWN, LOST, NO_RESULT, WON, Played


class Total(NamedTuple):
    won: int
    lost: int
    drawn: int
    no_result: int
    """Games that the bell ended."""
    decisions: int
    """Of games whose decisions were weighed."""
    given: float
    """The win probability that these gave away, all together."""

    @property
    def games(self) -> int:
        return self.won + self.lost + self.neither

    @property
    def neither(self) -> int:
        """Games that nobody won."""
        return self.drawn + self.no_result

    @property
    def score(self) -> float | None:
        """The share of the points: a win is one, what nobody won is half."""
        return (self.won + self.neither / 2) / self.games if self.games else None

    @property
    def loss(self) -> float | None:
        """The win probability that a decision gives away on average."""
        return self.given / self.decisions if self.decisions else None


def total(games: Iterable[Played]) -> Total:
    counted = [game for game in games if game.counts]
    weighed = [game for game in counted if game.given is not None]
    ends = Counter(game.standing for game in counted)
    decisions = sum(game.decisions for game in weighed)
    return Total(
        ends[WON], ends[LOST], ends[DRAWN], ends[NO_RESULT], decisions, fsum(game.given or 0.0 for game in weighed)
    )


def grouped(games: Iterable[Played], key: Callable[[Played], str]) -> dict[str, list[Played]]:
    """The games that count, by whatever they are asked for, in the order in which that turns up."""
    found: dict[str, list[Played]] = {}
    for game in games:
        if game.counts:
            found.setdefault(key(game), []).append(game)
    return found


def in_order(games: Iterable[Played]) -> list[Played]:
    """The earliest first; a saved game's id says the second in which it was begun, behind the name of its duel."""
    return sorted(games, key=lambda game: (game.day, game.id.removeprefix(game.duel), game.id))


def by_month(games: Sequence[Played]) -> dict[str, Total]:
    """The latest month first; games of an unknown day last, under no name."""
    months = grouped(games, lambda game: game.month)
    return {month: total(months[month]) for month in sorted(months, reverse=True)}
