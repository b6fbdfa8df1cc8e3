"""Rock, Paper, Scissors for hearts: both show a hand at once.

Rock beats scissors, scissors beat paper, paper beats rock. The loser of a round loses a heart, or two to a rock. Equal
hands do nothing. Whoever has no heart left has lost.
"""

from enum import IntEnum
from typing import NamedTuple

from duelbook.core import Knob, Turn


class Rules(NamedTuple):
    hearts: int = 4
    rock: int = 2


KNOBS = {
    "hearts": Knob("the hearts that each player starts with", 1, 9),
    "rock": Knob("the hearts that a rock takes", 1, 3),
}


class Move(IntEnum):
    ROCK = 0
    PAPER = 1
    SCISSORS = 2


class State(NamedTuple):
    hearts: tuple[int, int]


def start(rules: Rules, first: int) -> State:
    return State((rules.hearts, rules.hearts))


def turn(rules: Rules, s: State) -> int:
    if s.hearts[0] == 0 or s.hearts[1] == 0:
        return Turn.OVER
    return Turn.BOTH


def legal(rules: Rules, s: State, me: int, move: int) -> bool:
    return True


def beats(mine: int, theirs: int) -> bool:
    return (mine - theirs) % 3 == 1


def blow(rules: Rules, move: int) -> int:
    return rules.rock if move == Move.ROCK else 1


def resolve(rules: Rules, s: State, first: int, second: int) -> State:
    one, two = s.hearts
    if beats(first, second):
        two = max(0, two - blow(rules, first))
    if beats(second, first):
        one = max(0, one - blow(rules, second))
    return State((one, two))


def winner(rules: Rules, s: State) -> int:
    return 1 if s.hearts[0] == 0 else 0
