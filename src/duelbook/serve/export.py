"""Every game that a server keeps, as a file of its own; one that is not what was acknowledged is named instead."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from duelbook.core import DuelError
from duelbook.disk import write_atomically
from duelbook.record import writes
from duelbook.serve.chain import unbroken
from duelbook.serve.online import Online
from duelbook.serve.recorded import record_of
from duelbook.serve.store import Kept


class Exported(NamedTuple):
    written: int
    broken: list[str]
    """Games that are not what was acknowledged, each with what is wrong; they are not written."""


def export(games: Iterable[Kept], folder: Path) -> Exported:
    """Write every game that has begun as a file of its own, and say how many that are."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DuelError(f"Nothing can be written into {folder}: {error.strerror or error}.") from None
    count, broken = 0, []
    for kept in games:
        try:
            text = _text_of(kept)
        except Broken as error:
            broken.append(f"{kept.game} ({error})")
            continue
        if text:
            write_atomically(folder / f"{kept.game}.duel", text)
            count += 1
    return Exported(count, broken)


class Broken(DuelError):
    """A game on disk is not the one that was written there."""


def _text_of(kept: Kept) -> str:
    """The record of a game, empty where it has not begun. Raises Broken where its hashes or its rules do not hold."""
    if not (kept.game.isascii() and kept.game.isalnum()):
        raise Broken("that is no name of a game")
    if not unbroken(kept.events):
        at = next(at for at in range(1, len(kept.events) + 1) if not unbroken(kept.events[:at]))
        raise Broken(f"event {at} does not follow from those before it")
    if len(kept.events) != kept.last:
        raise Broken(f"{kept.last} events were acknowledged, and {len(kept.events)} are there")
    try:
        online = Online(kept.events)
        if online.id != kept.game:
            raise Broken(f"its events are those of {online.id}")
        return writes(record_of(online)) if online.match is not None else ""
    except (DuelError, KeyError, ValueError, AttributeError, AssertionError) as error:
        raise Broken(f"it cannot be read: {error}") from None
