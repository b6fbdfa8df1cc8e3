"""The ladder of opponents: its rungs, and what a table of exact chances between every two of them says."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from duelbook.core import DuelError
from duelbook.policies.meeting import Meeting


class Level(NamedTuple):
    name: str
    slips: float
    """The chance of any legal move instead of a perfect one: also the share of a random player's losses."""


LEVELS = (
    Level("novice", 0.87),
    Level("beginner", 0.75),
    Level("casual", 0.62),
    Level("club player", 0.48),
    Level("strong", 0.33),
    Level("expert", 0.17),
)
"""From the first rung to the last.

The slips are such that in each duel that ships every rung scores at least 55 % against the one below it, both seats
taken together. Deck asks for the widest steps: with so much luck perfect itself scores only 82 % against random.
"""

RUNGS = {"random": 1.0} | {f"level:{number}": level.slips for number, level in enumerate(LEVELS, 1)} | {"perfect": 0.0}
"""The whole ladder: every kind of player, with how often it slips."""


def level_plan(slips: float, perfect: Sequence[float], legal: Sequence[int]) -> list[float]:
    """How likely a player who slips this often makes each move."""
    any_move = slips / len(legal)
    return [(1 - slips) * share + (any_move if move in legal else 0.0) for move, share in enumerate(perfect)]


class Standings(dict[tuple[str, str], Meeting]):
    """For each pair of rungs what happens when the first of them is Player 1 and begins."""

    def __missing__(self, pair: object) -> Meeting:
        raise DuelError(f"The ladder has no meeting called {pair!r}: it has pairs of {', '.join(RUNGS)}.")


def score(table: Standings, one: str, two: str) -> float:
    """What a rung scores against another, half of the matches in each seat: wins, and half of what nobody won."""
    return (table[one, two].score + 1 - table[two, one].score) / 2


def steps(table: Standings) -> dict[str, float]:
    """What each rung scores against the one below it."""
    return {higher: score(table, higher, lower) for lower, higher in pairwise(RUNGS)}


def loss_per_decision(table: Standings, kind: str, against: str = "perfect") -> float:
    """How much win probability a decision of a rung loses on average, half of the matches in each seat."""
    first, second = table[kind, against], table[against, kind]
    decisions = first.decisions[0] + second.decisions[1]
    return (first.lost[0] + second.lost[1]) / decisions if decisions else 0.0
