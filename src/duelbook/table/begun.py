"""Whether there is anything in a game that is worth keeping."""

from __future__ import annotations

from duelbook.core import BOTH, LUCK
from duelbook.players import people_in
from duelbook.record import Record


def is_begun(record: Record) -> bool:
    """Whether a person has decided or drawn anything in it, or, between programs, anybody has. What was only opened and
    left need not be kept, and is nothing to go on with."""
    match, whose = record.match, people_in(record.seats) or (0, 1)
    if match.outcome is not None or any(step.turn in (*whose, BOTH) for step in match.steps):
        return True
    return bool(match.steps) and match.steps[-1].turn == LUCK and match.next_seat() in whose
