"""What was asked for, looked at before it is used: whatever makes no sense is refused with a sentence."""

from __future__ import annotations

from reprlib import repr as shown
from typing import Any

from duelbook.core import DuelError, Game, settings, variant


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
