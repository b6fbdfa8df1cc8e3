"""Showdown: both choose at once to load, to shoot or to shield.

Everybody starts with an empty gun. Loading adds a bullet, shooting needs one and uses it up. A shot costs the other a
life if they were loading; two shots meet in the air, and a shield stops everything. Whoever has no life left loses.
"""

from enum import IntEnum
from typing import NamedTuple

from duelbook.core import Knob, Turn


class Rules(NamedTuple):
    lives: int = 2
    bullets: int = 3


KNOBS = {
    "lives": Knob("the lives that each player has", 1, 5),
    "bullets": Knob("the bullets that a gun holds", 1, 6),
}


class Move(IntEnum):
    LOAD = 0
    SHOOT = 1
    SHIELD = 2


class State(NamedTuple):
    lives: tuple[int, int]
    bullets: tuple[int, int] = (0, 0)


def start(rules: Rules, first: int) -> State:
    return State((rules.lives, rules.lives), (0, 0))


def turn(rules: Rules, s: State) -> int:
    if s.lives[0] == 0 or s.lives[1] == 0:
        return Turn.OVER
    return Turn.BOTH


def legal(rules: Rules, s: State, me: int, move: int) -> bool:
    if move == Move.LOAD:
        return s.bullets[me] < rules.bullets
    return move == Move.SHIELD or s.bullets[me] > 0


def left(bullets: int, move: int) -> int:
    """The bullets of somebody who has done this."""
    if move == Move.LOAD:
        return bullets + 1
    return bullets - 1 if move == Move.SHOOT else bullets


def hit(mine: int, theirs: int) -> int:
    """1 for somebody who loads while the other shoots."""
    return 1 if mine == Move.LOAD and theirs == Move.SHOOT else 0


def resolve(rules: Rules, s: State, first: int, second: int) -> State:
    lives = (s.lives[0] - hit(first, second), s.lives[1] - hit(second, first))
    return State(lives, (left(s.bullets[0], first), left(s.bullets[1], second)))


def winner(rules: Rules, s: State) -> int:
    return 1 if s.lives[0] == 0 else 0
