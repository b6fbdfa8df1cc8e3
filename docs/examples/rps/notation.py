"""Positions of Rock, Paper, Scissors: `hearts1 hearts2`, as in `4 2`."""

from duelbook.core import BadPosition
from duelbook.speech import position_fields, position_number
from rps.rules import Rules, State


def write_position(rules: Rules, s: State) -> str:
    return f"{s.hearts[0]} {s.hearts[1]}"


def read_position(rules: Rules, text: str) -> State:
    one, two = position_fields(text, "'4 2' (the hearts of both players)", 2)
    hearts = (
        position_number(one, "Left's hearts", 0, rules.hearts),
        position_number(two, "Right's hearts", 0, rules.hearts),
    )
    if max(hearts) == 0:
        raise BadPosition("Only one of the two can have no heart left: the game ends there.")
    return State(hearts)
