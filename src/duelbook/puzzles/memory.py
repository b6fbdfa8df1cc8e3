"""What is remembered of puzzles between runs: one small file, which several programs may write at once.

Every answer is added under a lock, to what the file says at that moment, and the file is replaced in one step: no
answer is lost, and nobody reads half a file.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from duelbook import folders
from duelbook.disk import SaveError, read_text, write_atomically
from duelbook.locks import held
from duelbook.puzzles.streak import Progress, Tally
from duelbook.speech import plain

VERSION = 1
LARGEST = 10_000_000
"""Bytes of the file: a daily puzzle of every duel for centuries."""
MOST = 10**9
"""Nobody tries more puzzles than this, or has a rating that is further from 0."""


class Remembered(NamedTuple):
    before: Progress
    after: Progress
    complaint: str
    """What did not work, in a sentence or two."""


def place() -> Path:
    return folders.state() / "puzzles.json"


def load() -> tuple[Progress, str]:
    """What is remembered, and a sentence where it could not be read. A damaged file is put aside, never lost."""
    try:
        path = place()
    except folders.NoFolder:
        return {}, ""
    try:
        try:
            return _read(path), ""
        except _Damaged:
            with held(path) as free:  # whoever was writing meanwhile may have mended it
                return _read_or_put_aside(path, free)
    except OSError as error:
        return {}, f"{_unreadable(path, error)}."


def remember(change: Callable[[Progress], Progress]) -> Remembered:
    """Change what is remembered. What did not work is said; the answer counts for this once all the same."""
    try:
        path = place()
        path.parent.mkdir(parents=True, exist_ok=True)
    except folders.NoFolder as error:
        return Remembered({}, change({}), f"{error} So this puzzle is not remembered.")
    except OSError as error:
        return Remembered({}, change({}), _unwritten(path, error.strerror))
    with held(path) as free:
        try:
            before, complaint = _read_or_put_aside(path, free)
        except OSError as error:  # what cannot be read is not written over either
            return Remembered({}, change({}), f"{_unreadable(path, error)}; this one is not remembered.")
        after = change(before)
        if after is before:
            return Remembered(before, after, complaint)
        try:
            if not free:
                raise SaveError("Another program holds it.")
            write_atomically(path, json.dumps(_to_json(after), indent=1) + "\n")
        except SaveError:
            complaint = f"{complaint} {_unwritten(path)}".strip()
    return Remembered(before, after, complaint)


def _unreadable(path: Path, error: OSError) -> str:
    return f"Your puzzle results in {plain(path)} cannot be read: {error.strerror}"


def _unwritten(path: Path, reason: str | None = None) -> str:
    why = f" ({reason})" if reason else ""
    return f"Your puzzle results could not be written to {plain(path)}{why}; this one is not remembered."


class _Damaged(ValueError):
    """The file says something that we would never write."""


def _read(path: Path) -> Progress:
    try:
        return _from_json(json.loads(read_text(path, LARGEST)))
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise _Damaged from None


def _read_or_put_aside(path: Path, free: bool) -> tuple[Progress, str]:
    """Only whoever holds the file may put it aside."""
    try:
        return _read(path), ""
    except _Damaged:
        if not free:
            raise OSError(errno.EBUSY, "another program holds it") from None
        aside = _free_name(path)
        path.replace(aside)
        return {}, f"Your puzzle results were damaged and start again. What was there is now in {plain(aside)}."


def _free_name(path: Path) -> Path:
    """`puzzles.json.broken`, or with a number behind it: what was put aside once stays there."""
    names = [path.with_name(f"{path.name}.broken{count}") for count in ("", *(f"-{number}" for number in range(2, 99)))]
    return next((name for name in names if not name.exists()), names[0])


def _to_json(progress: Progress) -> dict[str, object]:
    return {"version": VERSION, "games": {id: _tally_to_json(each) for id, each in sorted(progress.items())}}


def _tally_to_json(each: Tally) -> dict[str, object]:
    return {
        "dailies": {day.isoformat(): counts for day, counts in sorted(each.dailies.items())},
        "tried": min(each.tried, MOST),
        "solved": min(each.solved, MOST),
        "rating": max(-MOST, min(each.rating, MOST)),
    }


def _from_json(data: Any) -> Progress:
    """Raises one of many errors where the file says something that we would never write."""
    if type(data["version"]) is not int or data["version"] != VERSION:
        raise ValueError("this file was written by another Duelbook")
    return {id: _tally_from_json(each) for id, each in data["games"].items()}


def _tally_from_json(data: Any) -> Tally:
    dailies = {date.fromisoformat(day): counts for day, counts in data["dailies"].items()}
    read = Tally(dailies, data["tried"], data["solved"], data["rating"])
    if not (type(read.tried) is type(read.solved) is int and 0 <= read.solved <= read.tried <= MOST):
        raise ValueError("these are not totals")
    if type(read.rating) not in (int, float) or not -MOST <= read.rating <= MOST:  # nan is neither
        raise ValueError("this is not a rating")
    if not all(isinstance(counts, bool) for counts in read.dailies.values()):
        raise ValueError("a day counts or it does not")
    return read
