"""Duelbook: two-player duels, exactly by the book.

This is the front door for people who write Python; docs/python.md shows all of it. Every name is loaded when it is
first asked for, so that importing costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duelbook.arena.held import Held, tournament
    from duelbook.arena.play.schedule import Entry
    from duelbook.coach.hint import Hint
    from duelbook.coach.review import Review, averages, review
    from duelbook.conformance import check_game
    from duelbook.core import (
        DRAW,
        BadPosition,
        BadRules,
        DuelError,
        Game,
        IllegalMove,
        Knob,
        Misread,
        Turn,
        assemble,
        variant,
    )
    from duelbook.duel import Duel
    from duelbook.engine.check import check_engine
    from duelbook.engine.limits import Limits
    from duelbook.games import game_ids, load
    from duelbook.maps.atlas import Grid
    from duelbook.maps.image import draw_map
    from duelbook.match import Match, Outcome, Player, PlayerFault, View
    from duelbook.players import seat_player
    from duelbook.puzzles.puzzle import Puzzle
    from duelbook.record import Record, reads, writes
    from duelbook.solving.solution import Solution
    from duelbook.table.listing import saved_games
    from duelbook.table.shelf import read_records, write_record
    from duelbook.table.verify import Verified, verify

__version__ = "0.6.0"

_ROOMS = {
    "duelbook.arena.held": ("Held", "tournament"),
    "duelbook.arena.play.schedule": ("Entry",),
    "duelbook.coach.hint": ("Hint",),
    "duelbook.coach.review": ("Review", "averages", "review"),
    "duelbook.conformance": ("check_game",),
    "duelbook.core": (
        "DRAW",
        "BadPosition",
        "BadRules",
        "DuelError",
        "Game",
        "IllegalMove",
        "Knob",
        "Misread",
        "Turn",
        "assemble",
        "variant",
    ),
    "duelbook.duel": ("Duel",),
    "duelbook.engine.check": ("check_engine",),
    "duelbook.engine.limits": ("Limits",),
    "duelbook.games": ("game_ids", "load"),
    "duelbook.maps.atlas": ("Grid",),
    "duelbook.maps.image": ("draw_map",),
    "duelbook.match": ("Match", "Outcome", "Player", "PlayerFault", "View"),
    "duelbook.players": ("seat_player",),
    "duelbook.puzzles.puzzle": ("Puzzle",),
    "duelbook.record": ("Record", "reads", "writes"),
    "duelbook.solving.solution": ("Solution",),
    "duelbook.table.listing": ("saved_games",),
    "duelbook.table.shelf": ("read_records", "write_record"),
    "duelbook.table.verify": ("Verified", "verify"),
}
"""Where each name comes from. Checkers of types read the same above."""
_WHERE = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "DRAW",
    "BadPosition",
    "BadRules",
    "Duel",
    "DuelError",
    "Entry",
    "Game",
    "Grid",
    "Held",
    "Hint",
    "IllegalMove",
    "Knob",
    "Limits",
    "Match",
    "Misread",
    "Outcome",
    "Player",
    "PlayerFault",
    "Puzzle",
    "Record",
    "Review",
    "Solution",
    "Turn",
    "Verified",
    "View",
    "assemble",
    "averages",
    "check_engine",
    "check_game",
    "draw_map",
    "game_ids",
    "load",
    "read_records",
    "reads",
    "review",
    "saved_games",
    "seat_player",
    "tournament",
    "variant",
    "verify",
    "write_record",
    "writes",
]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'duelbook' has no attribute {name!r}")
    found = getattr(import_module(_WHERE[name]), name)
    globals()[name] = found  # the next time Python finds it without asking here
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
