"""Why a move of Energy Duel is good or bad: what it costs, what a defense saves, and who is broke.

Every function is one claim, the most telling first in CLAIMS. It looks at the rules and at what positions are worth
before it says anything, so whatever it says is so.
"""

from __future__ import annotations

from duelbook.core import OVER, Deed
from duelbook.games.energy.rules import (
    ATTACK,
    DEFEND,
    PASS,
    Rules,
    State,
    Zero,
    apply,
    attack_damage,
    legal,
    turn,
    winner,
)

VERB = ""
"""Its words are verbs: you attack."""
NAMED = {ATTACK: "An attack", DEFEND: "A defense", PASS: "A pass"}
"""How a sentence names the move that it is about: another one may have been named just before it."""


def finishes(rules: Rules, s: State) -> bool:
    """Whether an attack of the player whose turn it is takes all that the other has, and wins by it at once."""
    if s.energy[1 - s.mover] == 0 or not legal(rules, s, s.mover, ATTACK):
        return False
    after = apply(rules, s, ATTACK)
    return after.energy[1 - s.mover] == 0 and turn(rules, after) == OVER and winner(rules, after) == s.mover


def _over(d: Deed) -> bool:
    return turn(d.rules, d.after) == OVER


def wins_now(d: Deed) -> str:
    """Said of the attack that does it, and of everything else that was played instead."""
    if not finishes(d.rules, d.before) or (d.move != ATTACK and not d.slip):
        return ""
    theirs, taken = d.before.energy[d.foe], attack_damage(d.rules, d.before)
    through = " through their defense" if d.before.guarded else ""
    return f"They have {theirs} energy and an attack takes {taken}{through}: it empties them and wins at once."


def they_have_nothing_left(d: Deed) -> str:
    """Their own costs used it up, so nothing need be taken from them."""
    if d.before.energy[d.foe] != 0 or not _over(d) or winner(d.rules, d.after) != d.seat:
        return ""
    return "They have 0 energy, and whoever begins a turn with 0 has lost."


def spends_the_last(d: Deed) -> str:
    """Costs consume: what was paid for the move was all there was."""
    if d.after.energy[d.seat] != 0 or d.after.energy[d.foe] == 0 or d.worth(d.after) != -1:
        return ""
    paid = d.before.energy[d.seat]
    when = "and that loses at once" if d.rules.zero == Zero.NOW else "and whoever begins a turn with 0 has lost"
    return f"Paying {paid} leaves you with 0 energy, {when}."


def they_finish_you(d: Deed) -> str:
    if _over(d) or not finishes(d.rules, d.after):
        return ""
    mine, taken = d.after.energy[d.seat], attack_damage(d.rules, d.after)
    through = ", even through your defense" if d.after.guarded else ""
    told = f"{NAMED[d.move]} leaves you with {mine} energy"
    return f"{told}, and their attack takes {taken}{through}: they empty you next turn."


def a_defense_would_have_saved_you(d: Deed) -> str:
    if not d.slip or d.best != DEFEND or not they_finish_you(d):
        return ""
    taken = _through_a_defense(d.rules)
    if taken == d.rules.damage or apply(d.rules, d.before, DEFEND).energy[d.seat] <= taken:
        return ""
    return f"Behind a defense their attack takes {_only(taken)}, and you live through it."


def _only(taken: int) -> str:
    return f"only {taken}" if taken else "nothing"


def _through_a_defense(rules: Rules) -> int:
    return max(0, rules.damage - rules.guard)


def is_broke(d: Deed) -> str:
    mine, cost = d.after.energy[d.seat], d.rules.attack_cost
    if _over(d) or not 0 < mine < cost or d.worth(d.after) == 1:
        return ""
    cannot = "can no longer" if d.before.energy[d.seat] >= cost else "cannot"
    return f"With {mine} energy you {cannot} attack, which costs {cost}."


def makes_them_broke(d: Deed) -> str:
    theirs, cost = d.after.energy[d.foe], d.rules.attack_cost
    if _over(d) or d.slip or theirs >= cost or d.before.energy[d.foe] < cost:
        return ""
    return f"{NAMED[d.move]} leaves them {theirs} energy, and theirs costs {cost}: they are too broke to attack."


def _taken(rules: Rules, s: State) -> int:
    """What an attack really takes now: nobody loses more than there is."""
    return min(attack_damage(rules, s), s.energy[1 - s.mover])


def does_not_pay_through_a_defense(d: Deed) -> str:
    taken, cost = _taken(d.rules, d.before), d.rules.attack_cost
    if not d.slip or d.move != ATTACK or not d.before.guarded or taken >= cost:
        return ""
    return f"Through their defense an attack costs you {cost} and takes {_only(taken)}."


def a_defense_spoils_their_attack(d: Deed) -> str:
    """What a defense saves, where the best move is one, and there is as much to take as an attack would."""
    kept = _through_a_defense(d.rules)
    if d.best != DEFEND or (d.move != DEFEND and not d.slip) or kept >= d.rules.attack_cost:
        return ""
    then, saved = apply(d.rules, d.before, DEFEND), d.rules.damage - kept
    if turn(d.rules, then) == OVER or not legal(d.rules, then, d.foe, ATTACK):
        return ""
    if saved == 0 or d.before.energy[d.seat] < d.rules.damage or then.energy[d.seat] < kept:
        return ""
    return (
        f"A defense costs {d.rules.defend_cost} and saves {saved}: attacking into it they pay {d.rules.attack_cost} "
        f"and take {kept}."
    )


def an_open_attack_pays(d: Deed) -> str:
    if d.best != ATTACK or d.before.guarded or (d.move != ATTACK and not d.slip) or finishes(d.rules, d.before):
        return ""
    taken, cost = _taken(d.rules, d.before), d.rules.attack_cost
    if taken <= cost:
        return ""
    return f"No defense of theirs stands: an attack costs {cost} and takes {taken}."


def another_balance_is_better(d: Deed) -> str:
    """What is always left to say: the two amounts after this move and after the best one."""
    then = apply(d.rules, d.before, d.best)
    if not d.slip or _over(d) or turn(d.rules, then) == OVER:
        return ""
    fate = {-1: "loses", 0: "holds", 1: "wins"}
    now, better = (
        f"{each.energy[d.seat]}{' behind a defense' if each.guarded else ''} against their {each.energy[d.foe]} "
        f"{fate[round(d.worth(each))]}"
        for each in (d.after, then)
    )
    return f"With their turn to come, {now}; {better}."


CLAIMS = (
    wins_now,
    they_have_nothing_left,
    spends_the_last,
    they_finish_you,
    a_defense_would_have_saved_you,
    makes_them_broke,
    is_broke,
    does_not_pay_through_a_defense,
    an_open_attack_pays,
    a_defense_spoils_their_attack,
    another_balance_is_better,
)
MERITS = (
    wins_now,
    makes_them_broke,
    an_open_attack_pays,
    a_defense_spoils_their_attack,
)
"""Those that speak for the move that they are made of."""
