"""The rules of a duel as a game's parameters in OpenSpiel: numbers, words, and truth values.

OpenSpiel writes a game as `duelbook_tower(goal=20,max_turns=50)` and reads it back by looking at each value, so there a
comma cannot stand within one: several numbers are written `1/2/4`. And "true" is not a word there but a truth value.
"""

from __future__ import annotations

from collections.abc import Mapping

from duelbook.core import BadRules, Game, Knob
from duelbook.match import BELL

BELL_NAME = "max_turns"
"""The parameter that is no rule: after so many turns the bell rings; 0 for no bell."""
BETWEEN = "/"
TRUTH = ("false", "true")

Value = bool | int | str


def parameters(game: Game) -> dict[str, Value]:
    """Every parameter with the book's value."""
    found = {_named(name): _told(knob, getattr(game.book, name)) for name, knob in game.knobs.items()}
    return {**found, BELL_NAME: BELL}


def settings_of(game: Game, given: Mapping[str, object]) -> list[str]:
    """The `name=value` words for rules that are given as parameters."""
    return [f"{name}={_typed(name, given[_named(name)])}" for name in game.knobs if _named(name) in given]


def _named(rule: str) -> str:
    """A rule that is called as the bell is gets another name."""
    return f"rule_{rule}" if rule == BELL_NAME else rule


def _told(knob: Knob, value: object) -> Value:
    if knob.choices == TRUTH:
        return bool(value)
    if isinstance(value, int) and not knob.choices:
        return value
    return knob.show(value).replace(",", BETWEEN)  # type: ignore[arg-type]  # a knob shows what its rule holds


def _typed(name: str, value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    if "," in text:
        raise BadRules(f"OpenSpiel cannot read {name}={text} back; write {name}={text.replace(',', BETWEEN)}.")
    return text.replace(BETWEEN, ",")
