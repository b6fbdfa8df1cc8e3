"""Tower Defense Duel: be the first to stand exactly 15 units tall.

Each turn a player builds 1, 2 or 4 units on their own tower, or knocks exactly 3 off the other's, which must have 3 to
lose. Reaching the goal exactly wins at once; passing it loses at once. Nobody may skip.
"""

from enum import IntEnum
from typing import NamedTuple

from duelbook.core import Knob, Turn


class Rules(NamedTuple):
    goal: int = 15
    builds: tuple[int, int, int] = (1, 2, 4)
    knocked: int = 3


KNOBS = {
    "goal": Knob("the height that wins when reached exactly", 1, 99),
    "builds": Knob("the units a player may add in one turn", 1, 20),
    "knocked": Knob("the units an attack removes, and the least it needs to find", 1, 20),
}


class Move(IntEnum):
    BUILD_SMALL = 0
    BUILD_MEDIUM = 1
    BUILD_LARGE = 2
    ATTACK = 3


BUILD_SMALL, BUILD_MEDIUM, BUILD_LARGE, ATTACK = map(int, Move)


class State(NamedTuple):
    towers: tuple[int, int] = (0, 0)
    mover: int = 0


def start(rules: Rules, first: int) -> State:
    return State((0, 0), first)


def turn(rules: Rules, s: State) -> int:
    if s.towers[0] >= rules.goal or s.towers[1] >= rules.goal:
        return Turn.OVER
    return s.mover


def legal(rules: Rules, s: State, me: int, move: int) -> bool:
    return move != ATTACK or s.towers[1 - me] >= rules.knocked


def apply(rules: Rules, s: State, move: int) -> State:
    mine, theirs = s.towers[s.mover], s.towers[1 - s.mover]
    if move == ATTACK:
        theirs -= rules.knocked
    else:
        mine += rules.builds[move]
    return State((mine, theirs) if s.mover == 0 else (theirs, mine), 1 - s.mover)


def winner(rules: Rules, s: State) -> int:
    if s.towers[0] >= rules.goal:
        return 0 if s.towers[0] == rules.goal else 1
    return 1 if s.towers[1] == rules.goal else 0
