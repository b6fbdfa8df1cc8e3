"""Duels for the tests of environments: those that ship, and the guests of the docs."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module

from duelbook import Game, game_ids, load
from guests_helper import EXAMPLES, GUESTS

SHIPPED = tuple(game_ids())
EVERY = (*SHIPPED, *GUESTS)

SMALL = {
    "conquer": ("hp=3",),
    "deck": ("lp=6", "cards=4"),
    "energy": ("energy=5",),
    "secret": ("hp=6", "highest=4"),
    "tower": ("goal=8",),
    "pig": ("goal=8", "sides=4"),
    "race": ("goal=9",),
    "rps": ("hearts=3",),
}
"""Rules under which every position can be gone to in a moment."""
LONG = {
    "conquer": ("hp=99",),
    "deck": ("lp=99",),
    "energy": ("energy=99",),
    "secret": ("hp=200",),
    "tower": ("goal=40",),
    "race": ("goal=99",),
    "rps": ("hearts=9",),
}
"""Rules under which no game is over within a few cycles, whatever is played; of pig there are none."""


@cache
def duel(name: str) -> Game:
    if name not in GUESTS:
        return load(name)
    sys.path.insert(0, str(EXAMPLES))
    try:
        found: Game = import_module(name).GAME
        return found
    finally:
        sys.path.remove(str(EXAMPLES))
