"""The ladder of opponents: its rungs, and what a table of exact chances between every two of them says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from itertools import pairwise, takewhile
from typing import NamedTuple

from duelbook.core import DuelError, Game
from duelbook.policies.characters import CHARACTERS
from duelbook.policies.meeting import Meeting
from duelbook.solving.library import SHIPPED


class Level(NamedTuple):
    name: str
    about: str
    """What it is like to meet one, in a few words."""


LEVELS = (
    Level("novice", "falls for much of what looks good"),
    Level("beginner", "makes fewer mistakes than a novice"),
    Level("casual", "makes fewer mistakes than a beginner"),
    Level("club player", "makes fewer mistakes than a casual player"),
    Level("strong", "makes fewer mistakes than a club player"),
    Level("expert", "makes the fewest mistakes"),
)
"""From the first to the last."""
PROMISED = 4
"""From this level up nobody loses more than half of their matches to a pattern that is not best play itself."""
RANDOM, PERFECT = "random", "perfect"
RUNGS = (RANDOM, *(f"level:{number}" for number in range(1, len(LEVELS) + 1)), PERFECT)
"""The whole ladder, the weakest first."""
TABULAR = (*RUNGS, *CHARACTERS)
"""Every kind of player that is a table: how likely it makes each move is known at every position."""

FILE = SHIPPED / "mistakes.json"
USUALLY = (6.5, 4.2, 2.8, 1.8, 1.1, 0.55)
"""The mistakes of the levels in a duel for which nobody has found out what even steps ask for."""


def mistakes_of(game: Game) -> dict[str, float | None]:
    """How many temptations each rung has for one perfect move (see `temptation`); None for any move at all.

    `calibrate` has found them for conquer, energy and tower. Those of deck and secret were set by hand, since such a
    search goes through their ladders a hundred times. The steps of deck, energy and tower are even; in conquer they are
    so above level 4 and below it, where they are wider, for the promise asks for narrow ones above; in secret they are
    even above level 4 only. A duel that leaves much to luck needs more mistakes than one in which the first one loses.
    """
    return {RANDOM: None, **dict(zip(RUNGS[1:-1], mistakes_of_levels(game), strict=True)), PERFECT: 0.0}


def mistakes_of_levels(game: Game) -> Sequence[float]:
    """The same of the levels alone, the first level first."""
    return _shipped().get(game.id, USUALLY)


@cache
def _shipped() -> dict[str, list[float]]:
    found: dict[str, list[float]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


HALF = 0.5 - 1e-9
"""What is at least this is half, but for rounding."""


class Standings(dict[tuple[str, str], Meeting]):
    """For each pair of rungs and characters what happens when the first of them is Player 1 and begins."""

    def __missing__(self, pair: object) -> Meeting:
        raise DuelError(f"The ladder has no meeting called {pair!r}: it has pairs of {', '.join(TABULAR)}.")


def score(table: Standings, one: str, two: str) -> float:
    """What a rung scores against another, half of the matches in each seat: wins, and half of what nobody won."""
    return (table[one, two].score + 1 - table[two, one].score) / 2


def steps(table: Standings) -> dict[str, float]:
    """What each rung scores against the one below it."""
    return {higher: score(table, higher, lower) for lower, higher in pairwise(RUNGS)}


def place(table: Standings, kind: str) -> str | None:
    """The last rung up to which somebody scores at least half against every rung; None for who does not even so against
    the first."""
    held = list(takewhile(lambda rung: score(table, kind, rung) >= HALF, RUNGS))
    return held[-1] if held else None


def loss_per_decision(table: Standings, kind: str, against: str = PERFECT) -> float:
    """How much win probability a decision of a rung loses on average, half of the matches in each seat."""
    first, second = table[kind, against], table[against, kind]
    return _share(first.lost[0] + second.lost[1], first, second)


def slips_per_decision(table: Standings, kind: str, against: str = PERFECT) -> float:
    """How many of a rung's decisions lose anything, as a share of all, half of the matches in each seat."""
    first, second = table[kind, against], table[against, kind]
    return _share(first.slips[0] + second.slips[1], first, second)


def _share(counted: float, first: Meeting, second: Meeting) -> float:
    decisions = first.decisions[0] + second.decisions[1]
    return counted / decisions if decisions else 0.0


def write(game: Game, mistakes: list[float]) -> None:
    """Put the mistakes of a duel's levels into the file, which has one line for each duel."""
    every = _shipped() | {game.id: mistakes}
    lines = ",\n".join(f" {json.dumps(id)}: {json.dumps(many)}" for id, many in every.items())
    FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    _shipped.cache_clear()
