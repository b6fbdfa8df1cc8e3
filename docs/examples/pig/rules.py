"""Pig: roll a die as often as you dare, and hold before a 1 takes everything.

On a turn a player rolls again and again. Each roll goes into a pot; holding adds the pot to the player's score and
ends the turn. A 1 empties the pot and ends the turn. Whoever holds with enough points wins at once.
"""

from enum import IntEnum
from typing import NamedTuple

from duelbook.core import Knob, Turn

FACES = range(1, 7)
BAD = 1


class Rules(NamedTuple):
    goal: int = 20
    sides: int = 6


KNOBS = {
    "goal": Knob("the points that win", 2, 30),
    "sides": Knob("how many sides the die has", 2, 6),
}


class Move(IntEnum):
    ROLL = 0
    HOLD = 1


class State(NamedTuple):
    points: tuple[int, int] = (0, 0)
    mover: int = 0
    pot: int = 0
    rolling: int = 0
    """1 while the die is in the air."""


def start(rules: Rules, first: int) -> State:
    return State((0, 0), first, 0, 0)


def turn(rules: Rules, s: State) -> int:
    if s.points[0] >= rules.goal or s.points[1] >= rules.goal:
        return Turn.OVER
    if s.rolling == 1:
        return Turn.LUCK
    return s.mover


def legal(rules: Rules, s: State, me: int, move: int) -> bool:
    enough = s.points[me] + s.pot >= rules.goal
    return s.pot > 0 if move == Move.HOLD else not enough


def apply(rules: Rules, s: State, move: int) -> State:
    if move == Move.ROLL:
        return State(s.points, s.mover, s.pot, 1)
    mine = min(rules.goal, s.points[s.mover] + s.pot)
    theirs = s.points[1 - s.mover]
    return State((mine, theirs) if s.mover == 0 else (theirs, mine), 1 - s.mover, 0, 0)


def odds(rules: Rules, s: State, face: int) -> int:
    return 1 if face <= rules.sides else 0


def deal(rules: Rules, s: State, face: int) -> State:
    if face == BAD:
        return State(s.points, 1 - s.mover, 0, 0)
    return State(s.points, s.mover, min(s.pot + face, rules.goal - s.points[s.mover]), 0)


def winner(rules: Rules, s: State) -> int:
    return 0 if s.points[0] >= rules.goal else 1
