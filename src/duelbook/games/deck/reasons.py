"""Why a move of Number Duel (deck) is good or bad: what the deck still holds.

Every function is one claim, the most telling first in CLAIMS. It looks at the rules and at the cards that can come
before it says anything, so whatever it says is so.
"""

from __future__ import annotations

from duelbook.core import Deed
from duelbook.games.deck.notation import write_cards
from duelbook.games.deck.rules import ATTACK, FACES, HEAL, Rules, State, apply, pile
from duelbook.speech import either

VERB = ""
"""Its words are verbs: you attack."""


def killing(rules: Rules, s: State, target: int) -> int:
    """The cards of the next draw that an attack on this player would kill with, one bit a card."""
    return sum(1 << face for face in FACES if pile(rules, s) >> face & 1 and face >= s.lp[target])


def _share(rules: Rules, s: State, cards: int) -> str:
    """`4 of the 9 cards left (7-10)`, `all 3 cards left`, `the only card left (9)`."""
    total = pile(rules, s).bit_count()
    whose = "cards left" if s.left else "cards of the new deck"
    if cards.bit_count() == total:
        every = "both" if total == 2 else f"all {total}"
        return f"{every} {whose}" if total > 1 else f"the only card left ({write_cards(cards)})"
    return f"{cards.bit_count()} of the {total} {whose} ({write_cards(cards)})"


def _over(d: Deed) -> bool:
    return bool(min(d.after.lp) <= 0)


def wins_now(d: Deed) -> str:
    """Said of the attack that does it, and of a heal instead."""
    if d.before.card < d.before.lp[d.foe]:
        return ""
    return f"They have {d.before.lp[d.foe]} LP, and your {d.before.card} is enough: an attack wins at once."


def they_may_kill_you(d: Deed) -> str:
    """How many of the cards that the other may draw next are enough; and how many fewer after the better move."""
    cards = killing(d.rules, d.after, d.seat)
    if _over(d) or not cards or the_heal_saves_from_nothing(d):
        return ""
    told = f"With {d.after.lp[d.seat]} LP you lose to {_share(d.rules, d.after, cards)} on their next turn"
    best = apply(d.rules, d.before, d.best)
    fewer = killing(d.rules, best, d.seat)
    if d.slip and fewer.bit_count() < cards.bit_count():
        return f"{told}; with {best.lp[d.seat]} LP it would be {fewer.bit_count() or 'none'}."
    return f"{told}."


def the_heal_saves_from_nothing(d: Deed) -> str:
    """The same cards kill, healed or not."""
    if _over(d) or not d.slip or d.move != HEAL or d.before.card >= d.before.lp[d.foe]:
        return ""
    cards = killing(d.rules, d.after, d.seat)
    if not cards or cards != killing(d.rules, apply(d.rules, d.before, ATTACK), d.seat):
        return ""
    told = _share(d.rules, d.after, cards)
    return f"Healed to {d.after.lp[d.seat]} LP you still lose to {told} on their next turn, just as if you attacked."


def the_heal_saves(d: Deed) -> str:
    """A heal that takes cards out of those that kill."""
    if _over(d) or d.slip or d.move != HEAL:
        return ""
    without = killing(d.rules, apply(d.rules, d.before, ATTACK), d.seat) if d.before.card < d.before.lp[d.foe] else 0
    now = killing(d.rules, d.after, d.seat)
    saved = without & ~now
    if not saved:
        return ""
    lp = d.after.lp[d.seat]
    return f"Healed to {lp} LP you live through {_cards(saved)}, which would win for them if you attacked."


def _pairs(cards: list[int], lp: int) -> int:
    return sum(one + two >= lp for at, one in enumerate(cards) for two in cards[at + 1 :])


def the_heal_outlasts_pairs(d: Deed) -> str:
    """Two of their draws together: with three cards or more left, the first and the third are of this deck."""
    cards = [face for face in FACES if d.before.left >> face & 1]
    if _over(d) or d.best != HEAL or (d.move != HEAL and not d.slip) or len(cards) < 3:
        return ""
    now, healed = d.before.lp[d.seat], apply(d.rules, d.before, HEAL).lp[d.seat]
    deadly, fewer = _pairs(cards, now), _pairs(cards, healed)
    if fewer >= deadly or min(cards) >= now:  # one attack is enough, with whatever card
        return ""
    total = len(cards) * (len(cards) - 1) // 2
    pairs = "every pair" if deadly == total else f"{deadly} of the {total} pairs"
    return f"Two of their attacks take {now} LP with {pairs} of cards left, and {healed} LP with {fewer or 'none'}."


def _cards(cards: int) -> str:
    return either((f"the {face}" for face in FACES if cards >> face & 1), "and")


def no_card_kills_you(d: Deed) -> str:
    """Nothing to fear on the next turn, so that a heal can wait."""
    if _over(d) or d.best != ATTACK or d.before.card >= d.before.lp[d.foe]:
        return ""
    if killing(d.rules, apply(d.rules, d.before, ATTACK), d.seat):
        return ""
    lp, cards = d.before.lp[d.seat], pile(d.rules, apply(d.rules, d.before, ATTACK))
    if cards.bit_count() == 1:
        return f"At {lp} LP {_cards(cards)}, the only card left, cannot kill you: a heal can wait."
    return f"No card of their next draw kills you at {lp} LP: a heal can wait."


def the_heal_gains_nothing(d: Deed) -> str:
    if d.move != HEAL or not d.slip or d.after.lp != d.before.lp:
        return ""
    if d.before.lp[d.seat] == d.rules.lp:
        return f"At {d.rules.lp} LP a heal gains nothing."
    return f"Half of {d.before.card}, rounded down, is 0: the heal gains nothing."


def the_attack_takes_more(d: Deed) -> str:
    """A race: what the card takes from them, against what it gives to you."""
    if d.best != ATTACK or (d.move != ATTACK and not d.slip) or d.before.card >= d.before.lp[d.foe]:
        return ""
    if the_heal_gains_nothing(d):
        return ""
    gain = apply(d.rules, d.before, HEAL).lp[d.seat] - d.before.lp[d.seat]
    return f"The {d.before.card} takes {d.before.card} LP from them as an attack and gives you {gain} as a heal."


def brings_them_into_reach(d: Deed) -> str:
    """Cards that would be enough on one's own next turn, if they are still there: the other draws one before."""
    if d.best != ATTACK or (d.move != ATTACK and not d.slip):
        return ""
    then = apply(d.rules, d.before, ATTACK)
    if d.before.left.bit_count() < 2 or then.lp[d.foe] <= 0:
        return ""
    fresh = killing(d.rules, then, d.foe) & ~killing(d.rules, d.before, d.foe)
    if not fresh:
        return ""
    too = " too" if killing(d.rules, d.before, d.foe) else ""
    return f"An attack brings them to {then.lp[d.foe]} LP, where {_cards(fresh)} in the deck would finish them{too}."


CLAIMS = (
    wins_now,
    the_heal_gains_nothing,
    the_heal_saves_from_nothing,
    they_may_kill_you,
    the_heal_saves,
    the_heal_outlasts_pairs,
    brings_them_into_reach,
    the_attack_takes_more,
    no_card_kills_you,
)
MERITS = (
    the_heal_saves,
    the_heal_outlasts_pairs,
    no_card_kills_you,
    the_attack_takes_more,
    brings_them_into_reach,
)
"""Those that speak for the move that they are made of."""
