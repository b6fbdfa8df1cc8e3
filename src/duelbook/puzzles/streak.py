"""How you have done so far: streaks of daily puzzles, totals, and a rating of your own.

A day counts when its puzzle was solved at the first try, without a hint, on that day. A wrong first try ends the streak
at once and so does a day left out; doing a puzzle again later changes nothing.

Your rating is Elo's: it moves by STEP times what you scored (1 or 0) less what was expected, 1 / (1 + 10 ** ((puzzle -
yours) / 400)). Everybody begins with the rating of somebody who goes by looks alone. Nothing here looks at the clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import NamedTuple

from duelbook.puzzles.rating import BY_LOOKS, SCALE

STEP = 32
FURTHEST = 4000.0
"""Elo's formula hardly changes a rating that is so far from a puzzle's, and does not grow beyond all numbers."""
DAY = timedelta(days=1)


class Tally(NamedTuple):
    """What is remembered of one duel."""

    dailies: Mapping[date, bool] = {}
    """Every daily puzzle that was tried, and whether the day counts."""
    tried: int = 0
    solved: int = 0
    rating: float = BY_LOOKS


Progress = Mapping[str, Tally]
"""A tally for every duel that has one, by the duel's id."""


def tally(progress: Progress, id: str) -> Tally:
    return progress.get(id, Tally())


def expected(player: float, puzzle: float) -> float:
    """How likely a player of this rating solves a puzzle of that one."""
    apart = max(-FURTHEST, min(FURTHEST, puzzle - player))
    return float(1 / (1 + 10 ** (apart / SCALE)))


def answered(
    progress: Progress, id: str, rating: int, right: bool, *, today: date, daily: date | None = None
) -> Progress:
    """The progress after a puzzle was answered: the daily one of a day, or any other.

    Only the first try at a daily puzzle counts. Done on another day than its own, it counts for everything but the
    streak.
    """
    before = tally(progress, id)
    if daily is not None and daily in before.dailies:
        return progress
    dailies = before.dailies if daily is None else {**before.dailies, daily: right and daily == today}
    moved = before.rating + STEP * (right - expected(before.rating, rating))
    after = Tally(dailies, before.tried + 1, before.solved + right, round(moved, 1))
    return {**progress, id: after}


def streak(progress: Progress, today: date, id: str | None = None) -> int:
    """How many days in a row count, up to today or, while today's puzzle is open, up to yesterday.

    Without a duel's id a day counts when the daily puzzle of any duel does.
    """
    counted = _counted(progress, id)
    if id is not None and today in tally(progress, id).dailies and today not in counted:
        return 0
    last = today if today in counted else today - DAY
    length = 0
    while last - length * DAY in counted:
        length += 1
    return length


def best_streak(progress: Progress, id: str | None = None) -> int:
    """The longest streak there has been."""
    best = length = 0
    before: date | None = None
    for day in sorted(_counted(progress, id)):
        length = length + 1 if before is not None and day - before == DAY else 1
        best, before = max(best, length), day
    return best


def _counted(progress: Progress, id: str | None) -> set[date]:
    tallies = progress.values() if id is None else [tally(progress, id)]
    return {day for each in tallies for day, counts in each.dailies.items() if counts}
