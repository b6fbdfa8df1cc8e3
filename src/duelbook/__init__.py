"""Duelbook: five two-player duels, exactly by the book."""

from duelbook.core import DRAW, BadPosition, BadRules, DuelError, Game, IllegalMove, Misread, Turn, variant
from duelbook.games import game_ids, load
from duelbook.match import Match, Outcome, Player, View

__version__ = "0.5.0"

__all__ = [
    "DRAW",
    "BadPosition",
    "BadRules",
    "DuelError",
    "Game",
    "IllegalMove",
    "Match",
    "Misread",
    "Outcome",
    "Player",
    "Turn",
    "View",
    "game_ids",
    "load",
    "variant",
]
