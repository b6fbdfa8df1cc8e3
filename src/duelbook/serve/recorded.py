"""An online game as a record: what `duelbook verify` proves, and every other command reads.

Who plays from a terminal needs it too, and has nothing installed that only a server needs.
"""

from __future__ import annotations

from datetime import UTC, datetime

from duelbook.honest.proof import Evidence, promised, tags
from duelbook.luck import Luck
from duelbook.match import Match
from duelbook.record import Record
from duelbook.serve.events import Refused
from duelbook.serve.online import Online


def record_of(online: Online) -> Record:
    """The game so far; the evidence of its luck comes with its end, when the secrets decide nothing any more."""
    match = online.match
    if match is None or online.last is None:
        raise Refused("The game has not begun.")
    date = datetime.fromtimestamp(online.last.at, UTC).strftime("%Y.%m.%d")
    kinds = (online.seats[0].kind, online.seats[1].kind)
    said = tags if online.over else promised
    return Record(_without_own_luck(match), kinds, date, said(evidence(online)))


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
