"""Positions of Number Duel (deck): `LP1 LP2 mover cards-left`, then `:card` once one is drawn.

Three or more cards in a row are a range: `20 13 2 1-6,8-10`, `20 13 2 1-3,5,6,8-10:4`. `-` is an empty deck.
"""

from functools import cache

from duelbook.core import BadPosition, Part
from duelbook.games.deck.rules import Rules, State
from duelbook.speech import position_fields, position_mover, position_number, position_pair, quote


def write_position(rules: Rules, s: State) -> str:
    drawn = f":{s.card}" if s.card else ""
    return f"{s.lp[0]} {s.lp[1]} {s.mover + 1} {write_cards(s.left)}{drawn}"


@cache
def write_cards(left: int) -> str:
    cards = [card for card in range(1, left.bit_length()) if left >> card & 1]
    parts: list[str] = []
    while cards:
        run = 1
        while run < len(cards) and cards[run] == cards[0] + run:
            run += 1
        parts.extend([f"{cards[0]}-{cards[run - 1]}"] if run > 2 else map(str, cards[:run]))
        cards = cards[run:]
    return ",".join(parts) or "-"


def read_cards(rules: Rules, text: str) -> int:
    left = 0
    if text == "-":
        return left
    for part in text.split(","):
        low, dash, high = part.partition("-")
        first = position_number(low, "A card", 1, rules.cards)
        last = position_number(high, "A card", 1, rules.cards) if dash else first
        if last < first:
            raise BadPosition(f"The cards {quote(part)} run backwards.")
        for card in range(first, last + 1):
            if left >> card & 1:
                raise BadPosition(f"Card {card} is there twice.")
            left |= 1 << card
    return left


def read_position(rules: Rules, text: str) -> State:
    shape = "'20 13 2 1-6,8-10' (both LP, whose turn it is, the cards left), with ':4' after them once a 4 is drawn"
    one, two, mover, cards = position_fields(text, shape, 4)
    lp = position_pair((one, two), "LP", 1 - rules.cards, rules.lp)
    if max(lp) <= 0:
        raise BadPosition("Only one player can be at 0 LP or below: the game ends there.")
    deck, colon, drawn = cards.partition(":")
    left = read_cards(rules, deck)
    card = position_number(drawn, "The drawn card", 1, rules.cards) if colon else 0
    if card and left >> card & 1:
        raise BadPosition(f"The drawn card {card} cannot be in the deck as well.")
    if card and min(lp) <= 0:
        raise BadPosition("The game is over at 0 LP or below, so no card can be drawn.")
    return State(lp, position_mover(mover), left, card)


def _deck(rules: Rules, words: list[str], said: str) -> None:
    words[3] = said.strip()


def _card(rules: Rules, words: list[str], said: str) -> None:
    """The drawn card is no longer in the deck."""
    card = position_number(said.strip(), "The drawn card", 1, rules.cards)
    left = read_cards(rules, words[3].partition(":")[0])
    words[3] = f"{write_cards(left & ~(1 << card))}:{card}"


PARTS = {
    "deck": Part("the cards left; - for none", "1-6,8-10", _deck),
    "card": Part("the card that was just drawn", "7", _card),
}
