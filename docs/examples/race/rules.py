"""Race to 21: one shared total, and whoever brings it to 21 wins.

The total starts at 0. Each turn a player adds 1, 2 or 3 to it, but never passes the goal. Nobody may skip.
"""

from enum import IntEnum
from typing import NamedTuple

from duelbook.core import Knob, Turn


class Rules(NamedTuple):
    goal: int = 21
    most: int = 3


KNOBS = {
    "goal": Knob("the total that wins when reached", 1, 99),
    "most": Knob("the most a player may add in one turn", 1, 3),
}


class Move(IntEnum):
    """Move n adds n + 1."""

    ADD_1 = 0
    ADD_2 = 1
    ADD_3 = 2


class State(NamedTuple):
    total: int = 0
    mover: int = 0


def start(rules: Rules, first: int) -> State:
    return State(0, first)


def turn(rules: Rules, s: State) -> int:
    if s.total >= rules.goal:
        return Turn.OVER
    return s.mover


def legal(rules: Rules, s: State, me: int, move: int) -> bool:
    return move < rules.most and s.total + move + 1 <= rules.goal


def apply(rules: Rules, s: State, move: int) -> State:
    return State(s.total + move + 1, 1 - s.mover)


def winner(rules: Rules, s: State) -> int:
    return 1 - s.mover
