"""A match: the referee, what sits in the seats, what happens, and luck that was fixed beforehand."""

from duelbook.core import DRAW
from duelbook.match.events import (
    Dealt,
    Ended,
    Event,
    Outcome,
    Played,
    Revealed,
    Sealed,
    Step,
    TakenBack,
    last_picks,
    resigned,
)
from duelbook.match.fixed_luck import read_stack
from duelbook.match.referee import BELL, LATEST_BELL, TIMES, Match, read_move
from duelbook.match.seats import ILLEGAL, Closable, Player, PlayerFault, Prepared, View, move_number

__all__ = [
    "BELL",
    "DRAW",
    "ILLEGAL",
    "LATEST_BELL",
    "TIMES",
    "Closable",
    "Dealt",
    "Ended",
    "Event",
    "Match",
    "Outcome",
    "Played",
    "Player",
    "PlayerFault",
    "Prepared",
    "Revealed",
    "Sealed",
    "Step",
    "TakenBack",
    "View",
    "last_picks",
    "move_number",
    "read_move",
    "read_stack",
    "resigned",
]
