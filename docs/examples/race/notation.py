"""Positions of Race to 21: `total mover`, as in `17 2`."""

from duelbook.speech import position_fields, position_mover, position_number
from race.rules import Rules, State


def write_position(rules: Rules, s: State) -> str:
    return f"{s.total} {s.mover + 1}"


def read_position(rules: Rules, text: str) -> State:
    total, mover = position_fields(text, "'17 2' (the total, then whose turn it is)", 2)
    return State(position_number(total, "The total", 0, rules.goal), position_mover(mover))
