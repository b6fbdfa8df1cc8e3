"""Number Duel (secret): both pick a number from 1 to 10 in secret; the higher one deals the difference.

Both start with 100 HP, which never fall below 0. Equal numbers do nothing. Nobody may pick their own last number
again: a repeat is against the rules, and yet it counts, because it forfeits the game before any damage is dealt.
Sealed picks are no part of the state; both arrive here at once.
"""

from enum import IntEnum
from typing import NamedTuple

from duelbook.core import DRAW, Knob, Turn


class Rules(NamedTuple):
    hp: int = 100
    highest: int = 10
    double_forfeit: int = 0


KNOBS = {
    "hp": Knob("the HP each player starts with", 1, 200),
    "highest": Knob("the highest number that may be picked", 2, 10),
    "double_forfeit": Knob(
        "what it means when both repeat at once: a draw, or a void round that is picked again", choices=("draw", "void")
    ),
}


class DoubleForfeit(IntEnum):
    DRAW = 0
    VOID = 1


class Move(IntEnum):
    """Move n picks the number n + 1."""

    PICK_1 = 0
    PICK_2 = 1
    PICK_3 = 2
    PICK_4 = 3
    PICK_5 = 4
    PICK_6 = 5
    PICK_7 = 6
    PICK_8 = 7
    PICK_9 = 8
    PICK_10 = 9


class State(NamedTuple):
    hp: tuple[int, int]
    last: tuple[int, int] = (0, 0)
    """Each player's last number, 0 for none yet."""
    forfeit: tuple[int, int] = (0, 0)
    """1 for a player who repeated their last number and has forfeited."""


def start(rules: Rules, first: int) -> State:
    return State((rules.hp, rules.hp), (0, 0), (0, 0))


def turn(rules: Rules, s: State) -> int:
    if s.hp[0] == 0 or s.hp[1] == 0 or s.forfeit[0] == 1 or s.forfeit[1] == 1:
        return Turn.OVER
    return Turn.BOTH


def repeats(s: State, me: int, move: int) -> bool:
    return move + 1 == s.last[me]


def legal(rules: Rules, s: State, me: int, move: int) -> bool:
    return move < rules.highest and not repeats(s, me, move)


def foul(rules: Rules, s: State, me: int, move: int) -> bool:
    """A repeat is not legal, but it counts as played and costs the game."""
    return repeats(s, me, move)


def resolve(rules: Rules, s: State, first: int, second: int) -> State:
    one, two = first + 1, second + 1
    forfeit = (1 if repeats(s, 0, first) else 0, 1 if repeats(s, 1, second) else 0)
    if forfeit[0] + forfeit[1] == 2 and rules.double_forfeit == DoubleForfeit.VOID:
        return s
    if forfeit[0] + forfeit[1] > 0:
        return State(s.hp, (one, two), forfeit)
    hp = (max(0, s.hp[0] - max(0, two - one)), max(0, s.hp[1] - max(0, one - two)))
    return State(hp, (one, two), (0, 0))


def winner(rules: Rules, s: State) -> int:
    if s.forfeit[0] == 1 and s.forfeit[1] == 1:
        return DRAW
    return 1 if s.forfeit[0] == 1 or s.hp[0] == 0 else 0
