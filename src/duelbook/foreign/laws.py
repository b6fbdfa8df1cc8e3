"""The five laws of each duel, as data that lies beside its rules, and what can be said of one: kept, broken, open."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import NamedTuple

from duelbook.core import DuelError, Game
from duelbook.games import room

KEEPS, BREAKS, CANNOT_TELL = "keeps", "breaks", "cannot tell"
MOVES, SIGHT, ENDLESS, OPPONENT, END = "moves", "sight", "endless", "opponent", "end"
EFFECT = "effect"
"""No law of its own, and yet everything else rests on it: what a move does to the numbers."""
FILE = "laws.toml"


class Law(NamedTuple):
    name: str
    question: str
    law: str
    """The answer of the rule book, in a sentence."""
    book: str
    """The words of the book that it rests on."""
    ruling: str
    """The heading under which our page of rulings speaks of it; empty where the book needs none."""


class Finding(NamedTuple):
    """What was found of one law."""

    law: Law
    verdict: str
    seen: str
    """What was seen, or why it cannot be told, in a sentence."""
    lines: tuple[str, ...] = ()
    """The line of play that shows it, from the start, in our words; two where two are to be compared."""


def laws_of(game: Game) -> Mapping[str, Law]:
    """The laws of a duel. One that somebody else wrote has some only if they wrote the file."""
    path = room(game) / FILE
    if not path.is_file():
        raise DuelError(f"{game.name} has no {FILE} beside its rules, so there are no laws to hold an environment to.")
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: Law(name=name, **texts) for name, texts in found.items()}
