"""A mistake in a duel: which law it breaks, in which function, at which position, and what was seen."""

from __future__ import annotations

from typing import NamedTuple

from duelbook.core import Game
from duelbook.speech import plain

LONGEST_VALUE = 80


class Mistake(NamedTuple):
    law: str
    function: str
    """As an author finds it: `rules.apply`, `dialogue.words`."""
    position: str
    """The position's text; its state where no text can be had; nothing where the mistake is the same everywhere."""
    value: str
    sentence: str

    def __str__(self) -> str:
        at = f" at {self.position}" if self.position else ""
        return f"{self.function}{at}: {self.sentence}"


def mistake(function: str, value: object, sentence: str, position: str = "") -> Mistake:
    """A mistake whose law, and mostly also its position, is filled in by whoever asked for it."""
    return Mistake("", function, position, shown(value), sentence)


def shown(value: object) -> str:
    """Any value of a duel on one short line."""
    try:
        said = plain(repr(value))
    except Exception:  # noqa: BLE001 - a value whose own description fails is still a value
        said = f"a {type(value).__name__}"
    return said if len(said) <= LONGEST_VALUE else f"{said[: LONGEST_VALUE - 3]}..."


def where(game: Game, rules: object, state: object) -> str:
    """A position as people write it, or the state itself where the notation fails."""
    try:
        text = game.write_position(rules, state)
    except Exception:  # noqa: BLE001 - what is wrong with the notation is a mistake of its own
        return shown(state)
    return f"'{plain(text)}'" if isinstance(text, str) and text.strip() and text.isprintable() else shown(state)
