"""How you have done so far: streaks of daily puzzles, totals, and a rating of your own. Kept in one small file.

A day counts when its puzzle was solved at the first try, without a hint, on that day. A wrong first try ends the streak
at once and so does a day left out; doing a puzzle again later changes nothing.

Your rating is Elo's: it moves by STEP times what you scored (1 or 0) less what was expected, 1 / (1 + 10 ** ((puzzle -
yours) / 400)). Everybody begins with the rating of somebody who goes by looks alone. Nothing here looks at the clock.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, timedelta
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from duelbook.puzzles.rating import BY_LOOKS, SCALE
from duelbook.saves import SaveError, state_folder, write_atomically

STEP = 32
VERSION = 1
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
    return float(1 / (1 + 10 ** ((puzzle - player) / SCALE)))


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


# On disk


def place() -> Path:
    return state_folder().parent / "puzzles.json"


def load(path: Path | None = None) -> tuple[Progress, str]:
    """What is remembered, and a sentence where it could not be read. A damaged file is put aside, never lost."""
    path = path or place()
    try:
        return _from_json(json.loads(path.read_text(encoding="utf-8"))), ""
    except FileNotFoundError:
        return {}, ""
    except OSError as error:
        return {}, f"Your puzzle results in {path} cannot be read: {error.strerror}."
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        aside = path.with_name(f"{path.name}.broken")
        with suppress(OSError):
            path.replace(aside)
        return {}, f"Your puzzle results were damaged and begin anew. What was there is now in {aside}."


def save(progress: Progress, path: Path | None = None) -> None:
    path = path or place()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(_to_json(progress), indent=1) + "\n")
    except (OSError, SaveError):
        raise SaveError(f"Your puzzle results could not be written to {path}; this one is not remembered.") from None


def _to_json(progress: Progress) -> dict[str, Any]:
    games = {
        id: each._asdict() | {"dailies": {day.isoformat(): counts for day, counts in sorted(each.dailies.items())}}
        for id, each in sorted(progress.items())
    }
    return {"version": VERSION, "games": games}


def _from_json(data: Any) -> Progress:
    """Raises one of many errors where the file says something that we would never write."""
    if data["version"] != VERSION:
        raise ValueError("this file was written by another Duelbook")
    return {id: _tally_from_json(each) for id, each in data["games"].items()}


def _tally_from_json(data: Any) -> Tally:
    read = Tally(
        {date.fromisoformat(day): counts for day, counts in data["dailies"].items()},
        data["tried"],
        data["solved"],
        float(data["rating"]),
    )
    whole = all(type(number) is int for number in (read.tried, read.solved))
    if not (whole and 0 <= read.solved <= read.tried and isfinite(read.rating)):
        raise ValueError("these are no totals")
    if not all(isinstance(counts, bool) for counts in read.dailies.values()):
        raise ValueError("a day counts or it does not")
    return read
