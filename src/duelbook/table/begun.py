"""How a game was begun: whether anything in it is worth keeping, and on which terms it is not the book's."""

from __future__ import annotations

from duelbook.core import BOTH, FIRST, LUCK, SECOND, settings
from duelbook.match import Match
from duelbook.players import people_in
from duelbook.record import Record


def is_begun(record: Record) -> bool:
    """Whether a person has decided or drawn anything in it, or, between programs, anybody has. What was only opened and
    left need not be kept, and is nothing to go on with."""
    match, whose = record.match, people_in(record.seats) or (0, 1)
    if match.outcome is not None or any(step.turn in (*whose, BOTH) for step in match.steps):
        return True
    return bool(match.steps) and match.steps[-1].turn == LUCK and match.next_seat() in whose


def chosen_start(match: Match) -> str | None:
    """The position it began at, where that is none of the book's; whoever moves first is the book's."""
    game, rules = match.game, match.rules
    usual = match.start in (game.start(rules, seat) for seat in (FIRST, SECOND))
    return None if usual else game.write_position(rules, match.start)


def terms(match: Match) -> str:
    """What sets a game apart from one by the book, in a list of games: `lp=30, from 30 12 1 1-10`; mostly nothing."""
    start = chosen_start(match)
    return ", ".join([*settings(match.game, match.rules), *([] if start is None else [f"from {start}"])])
