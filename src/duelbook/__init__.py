"""Duelbook: two-player duels, exactly by the book.

This is the front door for people who write Python; docs/python.md shows all of it. Every name is loaded when it is
first asked for, so that importing costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duelbook.arena.held import Held as Held
    from duelbook.arena.held import tournament as tournament
    from duelbook.arena.play.schedule import Entry as Entry
    from duelbook.coach.hint import Hint as Hint
    from duelbook.coach.review import Review as Review
    from duelbook.coach.review import averages as averages
    from duelbook.coach.review import review as review
    from duelbook.conformance import check_game as check_game
    from duelbook.core import DRAW as DRAW
    from duelbook.core import BadPosition as BadPosition
    from duelbook.core import BadRules as BadRules
    from duelbook.core import DuelError as DuelError
    from duelbook.core import Game as Game
    from duelbook.core import IllegalMove as IllegalMove
    from duelbook.core import Knob as Knob
    from duelbook.core import Misread as Misread
    from duelbook.core import Turn as Turn
    from duelbook.core import assemble as assemble
    from duelbook.core import variant as variant
    from duelbook.duel import Duel as Duel
    from duelbook.engine.check import check_engine as check_engine
    from duelbook.engine.limits import Limits as Limits
    from duelbook.exam.examiner import Examiner as Examiner
    from duelbook.exam.examiner import Judged as Judged
    from duelbook.exam.refutation import Refutation as Refutation
    from duelbook.exam.refutation import refute as refute
    from duelbook.exam.taken import Taken as Taken
    from duelbook.exam.taken import examine as examine
    from duelbook.games import game_ids as game_ids
    from duelbook.games import load as load
    from duelbook.llm.asking import Asking as Asking
    from duelbook.llm.asking import Price as Price
    from duelbook.llm.kind import Axes as Axes
    from duelbook.maps.atlas import Grid as Grid
    from duelbook.maps.image import draw_map as draw_map
    from duelbook.match import Match as Match
    from duelbook.match import Outcome as Outcome
    from duelbook.match import Player as Player
    from duelbook.match import PlayerFault as PlayerFault
    from duelbook.match import View as View
    from duelbook.players import seat_player as seat_player
    from duelbook.puzzles.puzzle import Puzzle as Puzzle
    from duelbook.record import Record as Record
    from duelbook.record import reads as reads
    from duelbook.record import writes as writes
    from duelbook.solving.solution import Solution as Solution
    from duelbook.table.listing import saved_games as saved_games
    from duelbook.table.shelf import read_records as read_records
    from duelbook.table.shelf import write_record as write_record
    from duelbook.table.verify import Verified as Verified
    from duelbook.table.verify import verify as verify

__version__ = "0.6.0"

_ROOMS = {
    "duelbook.arena.held": "Held tournament",
    "duelbook.arena.play.schedule": "Entry",
    "duelbook.coach.hint": "Hint",
    "duelbook.coach.review": "Review averages review",
    "duelbook.conformance": "check_game",
    "duelbook.core": "DRAW BadPosition BadRules DuelError Game IllegalMove Knob Misread Turn assemble variant",
    "duelbook.duel": "Duel",
    "duelbook.engine.check": "check_engine",
    "duelbook.engine.limits": "Limits",
    "duelbook.exam.examiner": "Examiner Judged",
    "duelbook.exam.refutation": "Refutation refute",
    "duelbook.exam.taken": "Taken examine",
    "duelbook.games": "game_ids load",
    "duelbook.llm.asking": "Asking Price",
    "duelbook.llm.kind": "Axes",
    "duelbook.maps.atlas": "Grid",
    "duelbook.maps.image": "draw_map",
    "duelbook.match": "Match Outcome Player PlayerFault View",
    "duelbook.players": "seat_player",
    "duelbook.puzzles.puzzle": "Puzzle",
    "duelbook.record": "Record reads writes",
    "duelbook.solving.solution": "Solution",
    "duelbook.table.listing": "saved_games",
    "duelbook.table.shelf": "read_records write_record",
    "duelbook.table.verify": "Verified verify",
}
"""Where each name comes from. Checkers of types read the same above."""
_WHERE = {name: room for room, names in _ROOMS.items() for name in names.split()}

if not TYPE_CHECKING:
    __all__ = sorted(_WHERE)  # checkers of types know from the imports above what is for others


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'duelbook' has no attribute {name!r}")
    found = getattr(import_module(_WHERE[name]), name)
    globals()[name] = found  # the next time Python finds it without asking here
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})
