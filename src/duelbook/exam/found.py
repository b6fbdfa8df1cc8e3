"""What an exam came to, edition by edition: for whoever tells of it in letters, as a page or as numbers."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from duelbook.exam.editions import BOOK, FRESH, Edition
from duelbook.exam.score import Score
from duelbook.exam.sure import Apart
from duelbook.exam.yardstick import Yardstick
from duelbook.intervals import Estimate
from duelbook.policies.levels import RANDOM


class Sat(NamedTuple):
    """One edition as it was taken."""

    edition: Edition
    asked: int
    """How many of its questions were asked; fewer than all where it stopped by itself."""
    scores: tuple[Score, ...]
    """Best first."""
    yardsticks: tuple[Yardstick, ...]
    """On the same questions."""
    apart: Apart | None
    """How the bet stands, where two were to be told apart."""

    def score_of(self, name: str) -> Score:
        return next(each for each in self.scores if each.candidate.name == name)

    def skill(self, name: str) -> float:
        """How far somebody is from random, where that is 0, to perfect, where it is 1, on these questions."""
        random = next(each.lost for each in self.yardsticks if each.name == RANDOM)
        return 1 - self.score_of(name).lost.value / random


class Gap(NamedTuple):
    """How much better somebody is by the book than by rules that nobody knows."""

    name: str
    book: Estimate
    fresh: Estimate
    edition: str
    skill: float
    """The same of the way from random to perfect, so that easier or harder rules make no difference."""


class Found(NamedTuple):
    """All editions that were taken."""

    sat: tuple[Sat, ...]
    repeats: int
    folder: Path | None

    @property
    def gaps(self) -> list[Gap]:
        """What memory does for each candidate, where the book and fresh rules were both taken."""
        book = [each for each in self.sat if each.edition.name == BOOK]
        fresh = [each for each in self.sat if each.edition.name.startswith(FRESH)]
        found = []
        for known in book:
            for new in fresh:
                for one in known.scores:
                    name = one.candidate.name
                    apart = known.skill(name) - new.skill(name)
                    found.append(Gap(name, one.lost, new.score_of(name).lost, new.edition.name, apart))
        return found
