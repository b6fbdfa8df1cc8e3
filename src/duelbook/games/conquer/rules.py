"""Command Line Conquer: bring the other's HP from 10 to 0.

Each turn a player attacks (2 damage), defends or heals (1 HP, never above 10). A player's last action is their status
until they act again: defending stops an attack, healing doubles it to 4, unless that heal came straight after the
healer's own Defend, which covers it. Whoever has just defended may not attack.
"""

from enum import IntEnum
from typing import NamedTuple

from duelbook.core import Knob, Turn


class Rules(NamedTuple):
    hp: int = 10
    damage: int = 2
    exposed_damage: int = 4
    healing: int = 1
    covered_heal: int = 1


KNOBS = {
    "hp": Knob("the HP each player starts with and can have at most", 1, 99),
    "damage": Knob("what an attack takes from a player who neither defends nor heals exposed", 0, 99),
    "exposed_damage": Knob("what an attack takes from a player who is healing", 0, 99),
    "healing": Knob("the HP a heal restores", 0, 99),
    "covered_heal": Knob(
        "whether a heal straight after one's own Defend is safe from double damage", choices=("false", "true")
    ),
}


class Move(IntEnum):
    ATTACK = 0
    DEFEND = 1
    HEAL = 2


ATTACK, DEFEND, HEAL = map(int, Move)


class Status(IntEnum):
    READY = 0
    DEFENDING = 1
    EXPOSED = 2
    COVERED = 3


READY, DEFENDING, EXPOSED, COVERED = map(int, Status)


class State(NamedTuple):
    hp: tuple[int, int]
    status: tuple[int, int] = (0, 0)
    mover: int = 0


def start(rules: Rules, first: int) -> State:
    return State((rules.hp, rules.hp), (0, 0), first)


def turn(rules: Rules, s: State) -> int:
    if s.hp[0] <= 0 or s.hp[1] <= 0:
        return Turn.OVER
    return s.mover


def legal(rules: Rules, s: State, me: int, move: int) -> bool:
    return move != ATTACK or s.status[me] != DEFENDING


def attack_damage(rules: Rules, target: int) -> int:
    """What an attack takes from a player with the status `target`."""
    if target == DEFENDING:
        return 0
    if target == EXPOSED:
        return rules.exposed_damage
    return rules.damage


def apply(rules: Rules, s: State, move: int) -> State:
    me = s.mover
    mine, theirs = s.hp[me], s.hp[1 - me]
    if move == ATTACK:
        theirs -= attack_damage(rules, s.status[1 - me])
        status = READY
    elif move == DEFEND:
        status = DEFENDING
    else:
        mine = min(rules.hp, mine + rules.healing)
        status = COVERED if s.status[me] == DEFENDING and rules.covered_heal == 1 else EXPOSED
    if me == 0:
        return State((mine, theirs), (status, s.status[1]), 1)
    return State((theirs, mine), (s.status[0], status), 0)


def winner(rules: Rules, s: State) -> int:
    return 1 if s.hp[0] <= 0 else 0
