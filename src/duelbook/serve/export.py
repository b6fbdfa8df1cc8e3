"""An online game as a record: what `duelbook verify` proves, and every other command reads."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from duelbook.core import DuelError
from duelbook.disk import write_atomically
from duelbook.honest.proof import Evidence, tags
from duelbook.luck import Luck
from duelbook.match import Match
from duelbook.record import Record, writes
from duelbook.serve.chain import unbroken
from duelbook.serve.events import Refused
from duelbook.serve.online import Online
from duelbook.serve.store import Kept


def record_of(online: Online) -> Record:
    """The game so far; the evidence of its luck comes with its end, when the secrets decide nothing any more."""
    match = online.match
    if match is None or online.last is None:
        raise Refused("The game has not begun.")
    date = datetime.fromtimestamp(online.last.at, UTC).strftime("%Y.%m.%d")
    kinds = (online.seats[0].kind, online.seats[1].kind)
    return Record(_without_own_luck(match), kinds, date, tags(evidence(online)) if online.over else {})


def evidence(online: Online) -> Evidence:
    one, two = online.seats
    anchors, links = (one.anchor, two.anchor), (one.links, two.links)
    kept = tuple(seat for seat in (0, 1) if online.seats[seat].kept)
    return Evidence(
        online.id, online.promise, online.secret, anchors, links, online.toss, online.seals, online.revealed, kept
    )


def _without_own_luck(match: Match) -> Match:
    """No card of this game came from a seed, so the record names none."""
    match.luck = Luck()
    return match


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
