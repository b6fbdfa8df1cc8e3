"""How a game was begun: whether anything in it is worth keeping, and on which terms it is not the book's."""

from __future__ import annotations

from duelbook.core import FIRST, SECOND, settings
from duelbook.match import Match
from duelbook.record import Record


def is_begun(record: Record) -> bool:
    """Whether anything has happened in it: a move, a pick, a card. What was only opened and left need not be kept."""
    return record.match.outcome is not None or bool(record.match.steps)


def chosen_start(match: Match) -> str | None:
    """The position it began at, where that is none of the book's; whoever moves first is the book's."""
    game, rules = match.game, match.rules
    usual = match.start in (game.start(rules, seat) for seat in (FIRST, SECOND))
    return None if usual else game.write_position(rules, match.start)


def terms(match: Match) -> str:
    """What sets a game apart from one by the book, in a list of games: `lp=30, from 30 12 1 1-10`; mostly nothing."""
    start = chosen_start(match)
    return ", ".join([*settings(match.game, match.rules), *([] if start is None else [f"from {start}"])])
