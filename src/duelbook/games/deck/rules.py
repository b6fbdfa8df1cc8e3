"""Number Duel (deck): draw a card, see it, then spend it on an attack or a heal.

Both players start with 20 LP. A turn draws one card of a deck of 1 to 10: an attack takes its full number from the
other, a heal gives half of it, rounded down, never above 20. Drawn cards are out until the deck is empty; then all of
them are shuffled in again. The deck is the set of cards left, one bit a card: nothing here knows an order, so nothing
can peek.
"""

from enum import IntEnum
from typing import NamedTuple

from duelbook.core import Knob, Turn

FACES = range(1, 11)


class Rules(NamedTuple):
    lp: int = 20
    cards: int = 10


KNOBS = {
    "lp": Knob("the LP each player starts with and can have at most", 1, 99),
    "cards": Knob("the highest card: the deck holds 1 up to this number, one of each", 1, 10),
}


class Move(IntEnum):
    ATTACK = 0
    HEAL = 1


ATTACK, HEAL = map(int, Move)


class State(NamedTuple):
    lp: tuple[int, int]
    mover: int = 0
    left: int = 0
    """The cards left in the deck: bit n stands for card n."""
    card: int = 0
    """The card just drawn, 0 before the draw."""


def full_deck(rules: Rules) -> int:
    return (1 << (rules.cards + 1)) - 2


def start(rules: Rules, first: int) -> State:
    return State((rules.lp, rules.lp), first, full_deck(rules), 0)


def turn(rules: Rules, s: State) -> int:
    if s.lp[0] <= 0 or s.lp[1] <= 0:
        return Turn.OVER
    if s.card == 0:
        return Turn.LUCK
    return s.mover


def pile(rules: Rules, s: State) -> int:
    """The cards the next draw comes from: an empty deck is the whole discard, shuffled."""
    return s.left if s.left != 0 else full_deck(rules)


def odds(rules: Rules, s: State, face: int) -> int:
    return (pile(rules, s) >> face) & 1


def deal(rules: Rules, s: State, face: int) -> State:
    return State(s.lp, s.mover, pile(rules, s) ^ (1 << face), face)


def legal(rules: Rules, s: State, me: int, move: int) -> bool:
    return True


def apply(rules: Rules, s: State, move: int) -> State:
    mine, theirs = s.lp[s.mover], s.lp[1 - s.mover]
    if move == ATTACK:
        theirs -= s.card
    else:
        mine = min(rules.lp, mine + s.card // 2)
    return State((mine, theirs) if s.mover == 0 else (theirs, mine), 1 - s.mover, s.left, 0)


def winner(rules: Rules, s: State) -> int:
    return 1 if s.lp[0] <= 0 else 0
