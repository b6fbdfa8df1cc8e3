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
NAMED = {ATTACK: "An attack", DEFEND: "A Defend", HEAL: "A heal"}
"""How a sentence names the move that it is about: another one may have been named just before it."""
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
    return f"They have {hp} HP{f' and are {how}' if how else ''}: your attack deals {damage} and wins at once."


def they_kill_you(d: Deed) -> str:
    if _over(d) or not kills(d.rules, d.after, d.foe):
        return ""
    status, hp = d.after.status[d.seat], d.after.hp[d.seat]
    how = CONDITION[status].format("your")
    damage = attack_damage(d.rules, status)
    told = f"{NAMED[d.move]} leaves you with {hp} HP{f', {how}' if how else ''}"
    return f"{told}: their next attack deals {damage} and wins."


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


def an_attack_waits(d: Deed) -> str:
    """An attack on a defender that costs nothing either, and what does as well."""
    if d.move != ATTACK or d.before.status[d.foe] != DEFENDING or d.slip:
        return ""
    if d.best != ATTACK:
        return "They are defending, so an attack only passes the turn."
    waits = "They are defending, so an attack only passes the turn; they cannot attack on their next one"
    healed = apply(d.rules, d.before, HEAL)
    gain = healed.hp[d.seat] - d.before.hp[d.seat]
    if gain <= 0 or d.worth(healed) < d.worth(d.after):
        return f"{waits}."
    return f"{waits}. A heal would hold as well, and gain {gain} HP."


def a_heal_gains_nothing(d: Deed) -> str:
    if d.move != HEAL or d.move == d.best or d.after.hp[d.seat] > d.before.hp[d.seat]:
        return ""
    if d.rules.healing == 0:
        return "By these rules a heal gives nothing back: the turn is gone."
    return f"With {d.before.hp[d.seat]} HP there is nothing to heal: the turn is gone."


def a_heal_leaves_you_exposed(d: Deed) -> str:
    """Said of a heal where something else is better; what it costs at once is `they_kill_you`."""
    if d.move != HEAL or d.move == d.best or d.after.status[d.seat] != EXPOSED:
        return ""
    if not legal(d.rules, d.after, d.foe, ATTACK) or kills(d.rules, d.after, d.foe):
        return ""
    if d.rules.exposed_damage <= d.rules.damage:
        return ""
    return f"A heal leaves you exposed: their next attack deals {d.rules.exposed_damage} and not {d.rules.damage}."


def a_defend_stops_nothing(d: Deed) -> str:
    if d.move != DEFEND or d.move == d.best or legal(d.rules, d.after, d.foe, ATTACK):
        return ""
    return (
        "They cannot attack on their next turn, so a Defend stops nothing; and on your own next one you may not attack."
    )


def a_defend_costs_the_tempo(d: Deed) -> str:
    """Of a Defend that holds, where something else is better."""
    if d.slip or d.move != DEFEND or d.move == d.best or not legal(d.rules, d.after, d.foe, ATTACK):
        return ""
    return "A Defend stops their next attack, but on your own next turn you may not attack."


def a_defend_forbids_the_next_attack(d: Deed) -> str:
    """The tempo that a Defend costs."""
    if not d.slip or d.move != DEFEND:
        return ""
    return "A Defend costs the tempo too: on your next turn you may not attack."


def they_cannot_attack(d: Deed) -> str:
    """A turn in which nothing can happen to one's own HP, so that it does not matter that a heal exposes."""
    if _over(d) or d.slip or d.move != HEAL or d.before.status[d.foe] != DEFENDING:
        return ""
    return "They have just defended and cannot attack on their next turn: a heal is safe now."


def a_heal_is_covered(d: Deed) -> str:
    if d.slip or d.move != HEAL or d.after.status[d.seat] != COVERED or not legal(d.rules, d.after, d.foe, ATTACK):
        return ""
    usual, double = d.rules.damage, d.rules.exposed_damage
    return f"Straight after your Defend the heal is covered: an attack deals {usual} and not {double}."


def a_heal_frees_the_attack(d: Deed) -> str:
    """Straight after one's own Defend there is nothing but another one beside it."""
    if d.slip or d.move != HEAL or d.before.status[d.seat] != DEFENDING or legal(d.rules, d.after, d.foe, ATTACK):
        return ""
    return "After a heal you may attack again; after another Defend you may not."


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
    an_attack_waits,
    a_heal_gains_nothing,
    a_heal_leaves_you_exposed,
    a_defend_stops_nothing,
    a_defend_costs_the_tempo,
    a_defend_forbids_the_next_attack,
    hits_while_exposed,
    a_heal_is_covered,
    a_heal_frees_the_attack,
    they_cannot_attack,
    a_heal_exposes,
)
MERITS = (
    only_a_defend_stops_it,
    hits_while_exposed,
    a_heal_is_covered,
    a_heal_frees_the_attack,
    they_cannot_attack,
)
"""Those that speak for the move that they are made of."""
