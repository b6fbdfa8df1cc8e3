"""What was asked for, looked at before it is used: whatever makes no sense is refused with a sentence."""

from __future__ import annotations

from operator import index
from reprlib import repr as shown
from typing import Any

from duelbook.core import DuelError, Game, settings, variant
from duelbook.games import load


def duel_of(game: Any) -> Game:
    """The duel that a name, or a duel itself, stands for."""
    if isinstance(game, Game):
        return game
    if isinstance(game, str):
        return load(game)
    raise DuelError(f"A duel is named as in 'tower', or loaded as in load('tower'); {shown(game)} is neither.")


def rules_of(game: Game, rules: Any) -> Any:
    """The rules, once it is sure that they are this duel's and hold values that it can have; None is the book."""
    if rules is None:
        return game.book
    wanted = f"Rules of {game.name} are made as in variant(load('{game.id}'), ['{_example(game)}'])"
    if type(rules) is not type(game.book):
        raise DuelError(f"{wanted}; {shown(rules)} is not that.")
    try:
        same = variant(game, settings(game, rules)) == rules
    except (TypeError, IndexError):  # not even values that could be shown
        same = False
    if not same:
        raise DuelError(f"{wanted}; {shown(rules)} holds what they cannot be.")
    return rules


def _example(game: Game) -> str:
    name, knob = next(iter(game.knobs.items()))
    return f"{name}={knob.show(getattr(game.book, name))}"


def whole(value: Any, what: str) -> int:
    """A whole number, also one of NumPy's."""
    try:
        return index(value)
    except TypeError:
        raise DuelError(f"{what} must be a whole number; {shown(value)} is not one.") from None
