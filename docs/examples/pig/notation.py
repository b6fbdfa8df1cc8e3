"""Positions of Pig: `points1 points2 mover pot`, as in `11 8 1 5`; `r` behind the pot while the die is in the air."""

from duelbook.core import BadPosition
from duelbook.speech import position_fields, position_mover, position_number
from pig.rules import Rules, State


def write_position(rules: Rules, s: State) -> str:
    return f"{s.points[0]} {s.points[1]} {s.mover + 1} {s.pot}{'r' if s.rolling else ''}"


def read_position(rules: Rules, text: str) -> State:
    shape = "'11 8 1 5' (both scores, whose turn it is, the pot), with 'r' behind while the die is in the air"
    one, two, mover, pot = position_fields(text.lower(), shape, 4)
    points = (
        position_number(one, "Player 1's score", 0, rules.goal),
        position_number(two, "Player 2's score", 0, rules.goal),
    )
    me, rolling = position_mover(mover), int(pot.endswith("r"))
    over = max(points) == rules.goal
    if min(points) == rules.goal:
        raise BadPosition(f"Only one player can have {rules.goal} points: the game ends there.")
    kept = position_number(pot.removesuffix("r"), "The pot", 0, rules.goal - points[me])
    if over and (kept or rolling or points[me] == rules.goal):
        raise BadPosition("Whoever wins has held, so the pot is empty, the die lies still and the other is next.")
    if rolling and points[me] + kept == rules.goal:
        raise BadPosition("With enough points in the pot nobody rolls again.")
    return State(points, me, kept, rolling)
