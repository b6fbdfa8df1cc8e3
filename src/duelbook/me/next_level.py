"""Whether the game that has just ended says that it is time for the next level."""

from __future__ import annotations

from duelbook.me.memory import recall
from duelbook.me.nudge import Nudge, nudge
from duelbook.me.played import played
from duelbook.record import Record


def next_level(record: Record) -> Nudge | None:
    """What the record says of this opponent now, with the game in it that was just saved. It is quick: nothing is
    weighed for it."""
    last = played("", record)
    if not last.counts:
        return None
    alike = [game for game in recall(weighed=False).games if (game.duel, game.rules) == (last.duel, last.rules)]
    said = nudge(alike)
    return said if said is not None and said.opponent == last.opponent else None
