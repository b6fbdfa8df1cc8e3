"""Positions of Showdown: `lives1 lives2 bullets1 bullets2`, as in `2 1 0 3`."""

from duelbook.core import BadPosition
from duelbook.speech import position_fields, position_number
from showdown.rules import Rules, State


def write_position(rules: Rules, s: State) -> str:
    return f"{s.lives[0]} {s.lives[1]} {s.bullets[0]} {s.bullets[1]}"


def read_position(rules: Rules, text: str) -> State:
    one, two, *guns = position_fields(text, "'2 1 0 3' (both players' lives, then their bullets)", 4)
    lives = position_number(one, "Wyatt's lives", 0, rules.lives), position_number(two, "Annie's lives", 0, rules.lives)
    if max(lives) == 0:
        raise BadPosition("Only one of the two can have no life left: the game ends there.")
    first, second = (position_number(word, "The bullets in a gun", 0, rules.bullets) for word in guns)
    return State(lives, (first, second))
