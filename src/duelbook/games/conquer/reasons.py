"""Why a move of Command Line Conquer is good or bad: who can afford which blow.

Every function is one claim, the most telling first in CLAIMS. It looks at the rules and at what positions are worth
before it says anything, so whatever it says is so.
"""

from __future__ import annotations

from duelbook.core import Deed
from duelbook.games.conquer.rules import (
    ATTACK,
    COVERED,
    DEFEND,
    DEFENDING,
    EXPOSED,
    HEAL,
    READY,
    Rules,
    State,
    apply,
    attack_damage,
    legal,
)

VERB = ""
"""Its words are verbs: you attack."""
CONDITION = {READY: "", EXPOSED: "exposed by {} heal", COVERED: "healing under cover"}


def kills(rules: Rules, s: State, me: int) -> bool:
    """Whether an attack of this player, whose turn it is, would win at once."""
    return legal(rules, s, me, ATTACK) and attack_damage(rules, s.status[1 - me]) >= s.hp[1 - me]


def _over(d: Deed) -> bool:
    return bool(min(d.after.hp) <= 0)


def wins_now(d: Deed) -> str:
    """Said of the attack that does it, and of everything else that was played instead."""
    if not kills(d.rules, d.before, d.seat) or (d.move != ATTACK and not d.slip):
        return ""
    status, hp = d.before.status[d.foe], d.before.hp[d.foe]
    how = CONDITION[status].format("their")
    damage = attack_damage(d.rules, status)
    return f"They have {hp} HP{f' and are {how}' if how else ''}: an attack deals {damage} and wins at once."


def they_kill_you(d: Deed) -> str:
    if _over(d) or not kills(d.rules, d.after, d.foe):
        return ""
    status, hp = d.after.status[d.seat], d.after.hp[d.seat]
    how = CONDITION[status].format("your")
    damage = attack_damage(d.rules, status)
    return f"It leaves you with {hp} HP{f', {how}' if how else ''}: their next attack deals {damage} and wins."


def only_a_defend_stops_it(d: Deed) -> str:
    """Every other move that can be played dies to the next attack, or does not win."""
    if d.before.hp[d.seat] <= 0 or kills(d.rules, d.before, d.seat) or d.best != DEFEND:
        return ""
    if kills(d.rules, apply(d.rules, d.before, DEFEND), d.foe):
        return ""
    others = [apply(d.rules, d.before, move) for move in (ATTACK, HEAL) if legal(d.rules, d.before, d.seat, move)]
    if not all(kills(d.rules, after, d.foe) for after in others):
        return ""
    return "Their next attack would win; only a Defend stops it, and then it does nothing."


def an_attack_is_blocked(d: Deed) -> str:
    if d.move != ATTACK or d.before.status[d.foe] != DEFENDING:
        return ""
    return "They are defending, so an attack does nothing."


def a_defend_forbids_the_next_attack(d: Deed) -> str:
    """The tempo that a Defend costs."""
    if not d.slip or d.move != DEFEND:
        return ""
    return "A Defend costs the tempo too: on your next turn you may not attack."


def they_cannot_attack(d: Deed) -> str:
    """A turn in which nothing can happen to one's own HP."""
    if _over(d) or d.slip or d.before.status[d.foe] != DEFENDING:
        return ""
    return "They have just defended and cannot attack on their next turn."


def a_heal_is_covered(d: Deed) -> str:
    if d.slip or d.move != HEAL or d.after.status[d.seat] != COVERED:
        return ""
    usual, double = d.rules.damage, d.rules.exposed_damage
    return f"Straight after your Defend the heal is covered: an attack deals {usual} and not {double}."


def hits_while_exposed(d: Deed) -> str:
    if d.slip or _over(d) or d.move != ATTACK or d.before.status[d.foe] != EXPOSED:
        return ""
    if d.rules.exposed_damage <= d.rules.damage:
        return ""
    return f"They are exposed by their heal: an attack deals {d.rules.exposed_damage} now and not {d.rules.damage}."


def a_heal_exposes(d: Deed) -> str:
    """Why not to heal now, where it does not lose yet."""
    if d.move == HEAL or d.slip or _over(d) or DEFENDING in d.before.status:
        return ""
    gain, damage = min(d.rules.hp - d.before.hp[d.seat], d.rules.healing), d.rules.exposed_damage
    if damage <= d.rules.damage or damage <= gain:
        return ""
    return f"A heal now would gain {gain} HP and leave you exposed: their attack would deal {damage}."


CLAIMS = (
    wins_now,
    they_kill_you,
    only_a_defend_stops_it,
    an_attack_is_blocked,
    a_defend_forbids_the_next_attack,
    hits_while_exposed,
    a_heal_is_covered,
    they_cannot_attack,
    a_heal_exposes,
)
