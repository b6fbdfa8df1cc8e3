"""Energy Duel: energy is both what you spend and what you lose when you are hit.

Both start with 10. Attack costs 2 and takes 3 from the other, or 1 through a standing defense; Defend costs 1 and
stands through exactly one opposing turn. Costs consume, attacks reduce: paying the last unit does not end the game at
once, but whoever begins a turn with 0 has lost. Pass is there only for a player who cannot afford to attack, and two
passes in a row are a stand-off, the one draw there is.
"""

from enum import IntEnum
from typing import NamedTuple

from duelbook.core import DRAW, Knob, Turn


class Rules(NamedTuple):
    energy: int = 10
    attack_cost: int = 2
    damage: int = 3
    defend_cost: int = 1
    guard: int = 2
    zero: int = 0
    both_empty: int = 0
    may_pass: int = 0


KNOBS = {
    "energy": Knob("the energy each player starts with", 1, 99),
    "attack_cost": Knob("what an attack costs", 0, 99),
    "damage": Knob("what an attack takes", 0, 99),
    "defend_cost": Knob("what a defense costs", 0, 99),
    "guard": Knob("how much a standing defense takes off the damage", 0, 99),
    "zero": Knob(
        "when a player whose own costs used up the last energy loses: at the start of their turn, or now",
        choices=("turn", "now"),
    ),
    "both_empty": Knob("who wins when an attack leaves both with nothing", choices=("attacker", "defender", "draw")),
    "may_pass": Knob(
        "who may pass: a player too broke to attack, anybody always, nobody ever", choices=("broke", "always", "never")
    ),
}


class Zero(IntEnum):
    TURN = 0
    NOW = 1


class BothEmpty(IntEnum):
    ATTACKER = 0
    DEFENDER = 1
    DRAW = 2


class MayPass(IntEnum):
    BROKE = 0
    ALWAYS = 1
    NEVER = 2


class Move(IntEnum):
    ATTACK = 0
    DEFEND = 1
    PASS = 2


ATTACK, DEFEND, PASS = map(int, Move)


class State(NamedTuple):
    energy: tuple[int, int]
    mover: int = 0
    guarded: int = 0
    """1 while the defense of the player who just moved stands."""
    passes: int = 0
    """How many turns in a row were passed; two are a stand-off."""


def start(rules: Rules, first: int) -> State:
    return State((rules.energy, rules.energy), first, 0, 0)


def legal(rules: Rules, s: State, me: int, move: int) -> bool:
    if move == ATTACK:
        return s.energy[me] >= rules.attack_cost
    if move == DEFEND:
        return s.energy[me] >= rules.defend_cost
    return rules.may_pass == MayPass.ALWAYS or (rules.may_pass == MayPass.BROKE and s.energy[me] < rules.attack_cost)


def stuck(rules: Rules, s: State) -> bool:
    """Nothing left to act with: no energy, or (where costs were changed) not enough of it for anything."""
    me = s.mover
    return s.energy[me] == 0 or not (
        legal(rules, s, me, ATTACK) or legal(rules, s, me, DEFEND) or legal(rules, s, me, PASS)
    )


def turn(rules: Rules, s: State) -> int:
    if s.passes == 2 or stuck(rules, s):
        return Turn.OVER
    if rules.zero == Zero.NOW and s.energy[1 - s.mover] == 0:
        return Turn.OVER
    return s.mover


def attack_damage(rules: Rules, s: State) -> int:
    """What an attack takes now."""
    return max(0, rules.damage - rules.guard) if s.guarded == 1 else rules.damage


def apply(rules: Rules, s: State, move: int) -> State:
    mine, theirs = s.energy[s.mover], s.energy[1 - s.mover]
    guarded, passes = 0, 0
    if move == ATTACK:
        mine -= rules.attack_cost
        theirs = max(0, theirs - attack_damage(rules, s))
    elif move == DEFEND:
        mine -= rules.defend_cost
        guarded = 1
    else:
        passes = s.passes + 1
    return State((mine, theirs) if s.mover == 0 else (theirs, mine), 1 - s.mover, guarded, passes)


def emptied_both(s: State) -> bool:
    """Both have nothing left, and nobody is guarded: only an attack leaves that."""
    return s.energy[0] == 0 and s.energy[1] == 0 and s.guarded == 0


def winner(rules: Rules, s: State) -> int:
    if s.passes == 2:
        return DRAW
    attacker = 1 - s.mover
    if emptied_both(s):
        if rules.both_empty == BothEmpty.DRAW:
            return DRAW
        return attacker if rules.both_empty == BothEmpty.ATTACKER else s.mover
    if rules.zero == Zero.NOW and s.energy[attacker] == 0:
        return s.mover
    return attacker
