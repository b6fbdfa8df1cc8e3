"""Positions of Tower Defense Duel: `height1 height2 mover`, as in `5 8 1`."""

from duelbook.core import BadPosition
from duelbook.games.tower.rules import Rules, State
from duelbook.speech import position_fields, position_mover, position_pair


def write_position(rules: Rules, s: State) -> str:
    return f"{s.towers[0]} {s.towers[1]} {s.mover + 1}"


def read_position(rules: Rules, text: str) -> State:
    one, two, mover = position_fields(text, "'5 8 1' (both heights, then whose turn it is)", 3)
    highest = rules.goal + max(rules.builds) - 1
    towers = position_pair((one, two), "tower", 0, highest)
    if min(towers) >= rules.goal:
        raise BadPosition(f"Only one tower can reach {rules.goal}: the game ends there.")
    return State(towers, position_mover(mover))
