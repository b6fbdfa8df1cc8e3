"""What lies on the table in Number Duel (deck)."""

from __future__ import annotations

from duelbook.games.deck.rules import FACES, Rules, State, full_deck
from duelbook.scene import Gauge, Pile, Scene, Side

EMBLEM = (
    "┌─┬──┐",
    "│7│10│",
    "└─┴──┘",
)


def scene(rules: Rules, s: State) -> Scene:
    one, two = (Side(Gauge("LP", lp, rules.lp)) for lp in s.lp)
    cards = tuple(card for card in FACES if full_deck(rules) >> card & 1)
    return Scene((one, two), Pile(cards, frozenset(card for card in cards if s.left >> card & 1), s.card))
