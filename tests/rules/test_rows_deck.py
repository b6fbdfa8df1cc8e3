"""Number Duel (deck), row by row: a sentence of the rule book or a ruling, and what it means on the table."""

from __future__ import annotations

import pytest

from duelbook.core import IllegalMove
from duelbook.games import load
from duelbook.match import Match
from helpers import knob_ranges, opening, options, play, position, shown_to_matter, verdict

GAME = load("deck")

PLAYS = [
    # "Turns alternate between Player 1 and Player 2."
    ("20 20 1 1-10", "7:attack, 4:heal, 9:attack", "20 6 2 1-3,5,6,8,10"),
    ("20 20 2 1-10", "7:attack, 4:heal", "15 20 2 1-3,5,6,8-10"),
    # Draw Phase: "The active player draws the top number from the number deck."
    ("20 20 1 1-10", "7:", "20 20 1 1-6,8-10:7"),
    ("20 20 2 1-10", "1:", "20 20 2 2-10:1"),
    ("20 20 1 1-10", "10:", "20 20 1 1-9:10"),
    # Action Phase: "The player chooses to either: Attack the opponent. Heal themselves."
    # "The drawn number is used to execute the chosen action."
    ("20 13 1 1-6,8-10:7", "attack", "20 6 2 1-6,8-10"),
    ("12 13 1 1-6,8-10:7", "heal", "15 13 2 1-6,8-10"),
    ("13 20 2 1-6,8-10:7", "attack", "6 20 1 1-6,8-10"),
    ("13 12 2 1-6,8-10:7", "heal", "13 15 1 1-6,8-10"),
    # Discard Phase: "Place the used number into the discard pile": it does not come again from this deck.
    ("20 20 1 1-10", "7:attack, 7:attack", "refused"),
    ("20 20 1 1-3,5", "4:attack", "refused"),
    # End Phase: "If no player has won, the turn passes to the opponent."
    ("20 13 2 1-6,8-10", "4:heal", "20 15 1 1-3,5,6,8-10"),
    # "If the deck is empty: Shuffle the discard pile to form a new deck. Continue drawing from the new deck."
    ("14 7 2 8", "8:attack", "6 7 1 -"),
    ("6 7 1 -", "9:", "6 7 1 1-8,10:9"),
    ("6 7 1 -", "1:attack", "6 6 2 2-10"),
    ("20 20 1 8,9", "8:heal, 9:heal, 8:heal, 9:heal", "20 20 1 1-7,10"),
    # Attack: "Reduces the opponent's LP by the full value of the drawn number."
    ("20 20 1 1-10", "10:attack", "20 10 2 1-9"),
    ("20 20 1 1-10", "1:attack", "20 19 2 2-10"),
    # "If you draw a 7 and choose to attack, your opponent loses 7 LP."
    ("20 20 1 1-10", "7:attack", "20 13 2 1-6,8-10"),
    # Heal: "Increases your own LP by half of the drawn number's value, rounded down."
    ("10 20 1 1-10", "2:heal", "11 20 2 1,3-10"),
    ("10 20 1 1-10", "3:heal", "11 20 2 1,2,4-10"),
    ("10 20 1 1-10", "9:heal", "14 20 2 1-8,10"),
    ("10 20 1 1-10", "10:heal", "15 20 2 1-9"),
    # "If you draw a 5 and choose to heal, you gain 2 LP (since 5 / 2 = 2.5, rounded down to 2)."
    ("20 6 2 1-3,5,6,8,10", "5:heal", "20 8 1 1-3,6,8,10"),
    # "A player's LP cannot exceed 20 LP." "LP cannot exceed 20 LP at any time."
    ("16 20 1 1-10", "10:heal", "20 20 2 1-9"),
    ("15 20 1 1-10", "10:heal", "20 20 2 1-9"),
    ("14 20 1 1-10", "10:heal", "19 20 2 1-9"),
    # "If a player's LP falls to 0 LP or below, they lose the game immediately."
    ("20 7 1 1-10", "7:attack", "20 0 2 1-6,8-10: player 1 wins"),
    ("20 7 1 1-10", "9:attack", "20 -2 2 1-8,10: player 1 wins"),
    ("7 20 2 1-10", "7:attack", "0 20 1 1-6,8-10: player 2 wins"),
    ("7 20 2 1-10", "8:attack", "-1 20 1 1-7,9,10: player 2 wins"),
    ("20 7 1 1-10", "6:attack", "20 1 2 1-5,7-10"),
    ("20 7 1 1-10", "7:attack, 1:attack", "refused"),
    # "The game is lost if your own LP is reduced to zero or below."
    ("1 1 2 -", "1:attack", "0 1 1 2-10: player 2 wins"),
    # Ruling: the final number is shown as it falls, down to -9.
    ("20 1 1 1-10", "10:attack", "20 -9 2 1-9: player 1 wins"),
    ("1 20 2 1-10", "10:attack", "-9 20 1 1-9: player 2 wins"),
    # Ruling 2: an empty deck stands until the next draw, which comes from all ten cards. The tenth card is not the
    # first of the new deck.
    ("20 20 1 5", "5:", "20 20 1 -:5"),
    ("20 20 1 -:5", "heal", "20 20 2 -"),
    ("20 20 1 5", "5:heal, 5:heal", "20 20 1 1-4,6-10"),
    # Ruling 3: a heal with a 1, or at 20 LP, is legal and gains 0.
    ("10 20 1 1-10", "1:heal", "10 20 2 2-10"),
    ("20 20 1 1-10", "10:heal", "20 20 2 1-9"),
]

OPTIONS = [
    # "Create a deck containing numbers from 1 to 10, with each number appearing only once."
    ("20 20 1 1-10", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10"),
    # "A place to store numbers that have been used": they are out of the deck.
    ("20 20 1 1-6,8-10", "1, 2, 3, 4, 5, 6, 8, 9, 10"),
    ("20 20 2 1,10", "1, 10"),
    ("20 20 2 8", "8"),
    # "When the deck is depleted, shuffle the discard pile to form a new deck."
    ("20 20 1 -", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10"),
    # "Players must choose to either attack or heal each turn." "Skipping a turn is not allowed."
    ("20 20 1 1-6,8-10:7", "attack, heal"),
    ("20 20 2 1-6,8-10:7", "attack, heal"),
    # Ruling 3: a heal that gains nothing is legal, and so is the last card.
    ("20 20 1 2-10:1", "attack, heal"),
    ("20 20 1 -:10", "attack, heal"),
]

VERDICTS = [
    # "At the beginning of each turn, the player must draw one number from the top of the deck."
    ("20 20 1 1-10", "luck acts"),
    ("20 20 2 1-10", "luck acts"),
    ("20 20 2 -", "luck acts"),
    # Ruling 1: draw, see the number, then choose.
    ("20 20 1 2-10:1", "player 1 acts"),
    ("20 20 2 2-10:1", "player 2 acts"),
    ("20 20 2 -:10", "player 2 acts"),
    # "Victory: Achieved when the opponent's LP is reduced to 0 LP or below." 1 LP is alive.
    ("1 1 1 1-10", "luck acts"),
    ("1 1 1 2-10:1", "player 1 acts"),
    ("1 1 2 2-10:1", "player 2 acts"),
    ("20 0 2 1-10", "player 1 wins"),
    ("0 20 1 1-10", "player 2 wins"),
    ("1 0 2 1-9", "player 1 wins"),
    ("0 1 1 1-9", "player 2 wins"),
    ("20 -9 2 1-9", "player 1 wins"),
    ("-9 20 1 1-9", "player 2 wins"),
]

CHANGED = [
    ("lp=12", "10 12 1 1-10", "9:heal", "12 12 2 1-8,10"),
    ("lp=30", "18 20 1 1-10", "9:heal", "22 20 2 1-8,10"),
    ("cards=4", "20 20 1 -", "4:", "20 20 1 1-3:4"),
    ("cards=4", "20 20 1 1-4", "5:", "refused"),
    ("cards=4", "20 20 1 -", "5:", "refused"),
    ("cards=1", "20 20 1 1", "1:attack, 1:attack", "19 19 1 -"),
]


@pytest.mark.parametrize(("before", "line", "after"), PLAYS)
def test_what_a_turn_does(before: str, line: str, after: str) -> None:
    assert play(GAME, before, line) == after


@pytest.mark.parametrize(("before", "possible"), OPTIONS)
def test_what_can_happen(before: str, possible: str) -> None:
    assert options(GAME, before) == possible


@pytest.mark.parametrize(("text", "expected"), VERDICTS)
def test_who_acts_and_who_has_won(text: str, expected: str) -> None:
    assert verdict(GAME, text) == expected


# "Each player starts with 20 Life Points (LP)." "Initialize an empty discard pile": every card is in the deck.
# "Players decide who takes the first turn."
def test_both_start_with_20_lp_and_a_full_deck_and_either_may_go_first() -> None:
    assert opening(GAME) == "20 20 1 1-10"
    assert opening(GAME, first=1) == "20 20 2 1-10"
    assert opening(GAME, "lp=12") == "12 12 1 1-10"
    assert opening(GAME, "cards=4") == "20 20 1 1-4"
    assert opening(GAME, "cards=1") == "20 20 1 1"


# "Shuffle the deck thoroughly to ensure randomness": each card left is as likely as the next, and no other can come.
@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("20 20 1 1-10", [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
        ("20 20 1 2,3,9", [0, 1, 1, 0, 0, 0, 0, 0, 1, 0]),
        ("20 20 2 -", [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
    ],
)
def test_every_card_left_is_equally_likely(text: str, weights: list[int]) -> None:
    state = position(GAME, text)
    assert [GAME.odds(GAME.book, state, face) for face in range(1, 11)] == weights


# "At the beginning of each turn, the player must draw": nobody chooses without a card, and nobody draws two.
def test_a_turn_is_one_draw_and_then_one_choice() -> None:
    match = Match(GAME)
    with pytest.raises(IllegalMove):
        match.play(0, 0)
    match.deal(7)
    with pytest.raises(IllegalMove):
        match.deal(4)
    match.play(0, 0)
    assert match.state == position(GAME, "20 13 2 1-6,8-10")


# "The game continues until one player wins; there are no conditions for a draw." Ruling: unless the bell rings.
def test_the_bell_ends_endless_play_without_a_result() -> None:
    match = Match(GAME)
    for _ in range(200):
        assert match.outcome is None
        match.deal()
        match.play(match.turn, 1)
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.result, match.outcome.kind) == (None, "*", "bell")


@pytest.mark.parametrize(("setting", "before", "line", "after"), CHANGED)
def test_changed_rules_change_the_game(setting: str, before: str, line: str, after: str) -> None:
    assert play(GAME, before, line, setting) == after


def test_every_number_is_shown_to_matter() -> None:
    assert shown_to_matter(GAME, CHANGED) == set(GAME.book._fields)


def test_the_book_and_what_may_be_changed() -> None:
    assert GAME.book._asdict() == {"lp": 20, "cards": 10}
    assert knob_ranges(GAME) == {"lp": (1, 99), "cards": (1, 10)}
    assert GAME.faces == tuple(range(1, 11))
