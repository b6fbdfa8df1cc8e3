"""Tower Defense Duel, row by row: a sentence of the rule book or a ruling, and what it means on the table."""

from __future__ import annotations

import pytest

from duelbook.games import load
from duelbook.match import Match
from helpers import follow, knob_ranges, opening, options, play, shown_to_matter, verdict

GAME = load("tower")

PLAYS = [
    # "Be the first player to build your tower to exactly 15 units tall."
    ("11 11 1", "build 4", "15 11 2: player 1 wins"),
    ("11 11 2", "build 4", "11 15 1: player 2 wins"),
    ("13 0 1", "build 2", "15 0 2: player 1 wins"),
    ("14 0 1", "build 1", "15 0 2: player 1 wins"),
    ("0 14 2", "build 1", "0 15 1: player 2 wins"),
    # "Overshooting the height will result in a loss."
    ("12 0 1", "build 4", "16 0 2: player 2 wins"),
    ("0 12 2", "build 4", "0 16 1: player 1 wins"),
    # "Units can be added to increase your tower's height or removed to decrease your opponent's tower height."
    ("5 8 1", "build 1", "6 8 2"),
    ("5 8 1", "attack", "5 5 2"),
    # "Players alternate turns." "After performing your action, the turn passes to the other player."
    ("0 0 1", "build 1, build 2, build 4, build 1", "5 3 1"),
    ("0 0 2", "build 1, build 2, build 4, build 1", "3 5 2"),
    # "You may choose to add 1, 2, or 4 units to your own tower."
    ("0 0 1", "build 1", "1 0 2"),
    ("0 0 1", "build 2", "2 0 2"),
    ("0 0 1", "build 4", "4 0 2"),
    ("3 7 2", "build 1", "3 8 1"),
    ("3 7 2", "build 2", "3 9 1"),
    ("3 7 2", "build 4", "3 11 1"),
    # "If your tower exceeds a height of 15 units as a result of adding units, you lose the game immediately."
    ("14 14 1", "build 2", "16 14 2: player 2 wins"),
    ("13 14 1", "build 4", "17 14 2: player 2 wins"),
    ("14 14 1", "build 4", "18 14 2: player 2 wins"),
    ("14 14 2", "build 2", "14 16 1: player 1 wins"),
    ("14 13 2", "build 4", "14 17 1: player 1 wins"),
    ("14 14 2", "build 4", "14 18 1: player 1 wins"),
    ("14 14 1", "build 4, build 1", "refused"),
    # "Plan your additions to reach exactly 15 units": 14 is not there yet.
    ("10 0 1", "build 4", "14 0 2"),
    ("13 0 1", "build 1", "14 0 2"),
    # "You may choose to remove 3 units from your opponent's tower."
    ("4 8 1", "attack", "4 5 2"),
    ("8 4 2", "attack", "5 4 1"),
    ("0 14 1", "attack", "0 11 2"),
    # "You can only remove units if your opponent's tower has 3 or more units."
    ("0 3 1", "attack", "0 0 2"),
    ("3 0 2", "attack", "0 0 1"),
    # "If the opponent's tower has less than 3 units, you cannot perform an attack and must choose to build instead."
    ("9 2 1", "attack", "refused"),
    ("2 9 2", "attack", "refused"),
    ("9 0 1", "attack", "refused"),
    # "If your opponent reaches exactly 15 units first, you lose."
    ("11 14 1", "build 4", "15 14 2: player 1 wins"),
    ("14 11 1", "attack, build 4", "14 12 1"),
    # Ruling 1: reaching exactly 15 wins at once; nobody answers it.
    ("11 14 1", "build 4, build 1", "refused"),
    # Ruling 4: Player 1 sees 5 against 8 and builds 4.
    ("5 8 1", "build 4", "9 8 2"),
]

OPTIONS = [
    # "On your turn, you must choose one of the following actions: Build, Attack." "You must perform an action each
    # turn; skipping is not allowed."
    ("5 8 1", "build 1, build 2, build 4, attack"),
    ("5 8 2", "build 1, build 2, build 4, attack"),
    # "You can only remove units if your opponent's tower has 3 or more units."
    ("0 3 1", "build 1, build 2, build 4, attack"),
    ("3 0 2", "build 1, build 2, build 4, attack"),
    ("9 2 1", "build 1, build 2, build 4"),
    ("2 9 2", "build 1, build 2, build 4"),
    ("0 0 1", "build 1, build 2, build 4"),
    # One's own tower limits no attack.
    ("0 3 2", "build 1, build 2, build 4"),
    # Ruling 1: overshooting is a legal move.
    ("14 0 1", "build 1, build 2, build 4"),
    ("14 14 2", "build 1, build 2, build 4, attack"),
]

VERDICTS = [
    ("0 0 1", "player 1 acts"),
    ("0 0 2", "player 2 acts"),
    # "Be the first to reach a tower height of exactly 15 units."
    ("14 14 1", "player 1 acts"),
    ("14 14 2", "player 2 acts"),
    ("15 14 2", "player 1 wins"),
    ("14 15 1", "player 2 wins"),
    # "If your tower exceeds 15 units, you immediately lose."
    ("16 0 2", "player 2 wins"),
    ("17 0 2", "player 2 wins"),
    ("18 0 2", "player 2 wins"),
    ("0 16 1", "player 1 wins"),
    ("0 17 1", "player 1 wins"),
    ("0 18 1", "player 1 wins"),
]

CHANGED = [
    ("goal=8", "4 0 1", "build 4", "8 0 2: player 1 wins"),
    ("goal=8", "0 7 2", "build 2", "0 9 1: player 1 wins"),
    ("goal=21", "14 0 1", "build 1", "15 0 2"),
    ("builds=2,3,5", "0 0 1", "build 5", "5 0 2"),
    ("builds=2,3,5", "0 0 1", "build 3", "3 0 2"),
    ("builds=2,3,5", "11 0 1", "build 5", "16 0 2: player 2 wins"),
    ("knocked=2", "0 2 1", "attack", "0 0 2"),
    ("knocked=2", "9 5 2", "attack", "7 5 1"),
    ("knocked=5", "0 4 1", "attack", "refused"),
    ("knocked=5", "0 5 1", "attack", "0 0 2"),
]


@pytest.mark.parametrize(("before", "line", "after"), PLAYS)
def test_what_a_move_does(before: str, line: str, after: str) -> None:
    assert play(GAME, before, line) == after


@pytest.mark.parametrize(("before", "legal"), OPTIONS)
def test_what_is_legal(before: str, legal: str) -> None:
    assert options(GAME, before) == legal


@pytest.mark.parametrize(("text", "expected"), VERDICTS)
def test_who_acts_and_who_has_won(text: str, expected: str) -> None:
    assert verdict(GAME, text) == expected


# "Both players begin with a tower height of 0 units." "Decide who goes first by mutual agreement or a random method."
def test_both_start_at_0_and_either_may_go_first() -> None:
    assert opening(GAME) == "0 0 1"
    assert opening(GAME, first=1) == "0 0 2"


@pytest.mark.parametrize(("setting", "before", "line", "after"), CHANGED)
def test_changed_rules_change_the_game(setting: str, before: str, line: str, after: str) -> None:
    assert play(GAME, before, line, setting) == after


def test_every_number_is_shown_to_matter() -> None:
    assert shown_to_matter(GAME, CHANGED) == set(GAME.book._fields)


def test_changed_builds_and_attacks_show_on_the_menu() -> None:
    assert options(GAME, "0 2 1", "builds=2,3,5", "knocked=2") == "build 2, build 3, build 5, attack"


def test_the_book_and_what_may_be_changed() -> None:
    assert GAME.book._asdict() == {"goal": 15, "builds": (1, 2, 4), "knocked": 3}
    assert knob_ranges(GAME) == {"goal": (1, 99), "builds": (1, 20), "knocked": (1, 20)}


# "There are no tie conditions; the game continues until one player wins." Ruling: unless the bell rings.
# "Each player has access to an unlimited supply of tower units": here Player 1 builds 300 of them.
def test_the_bell_ends_endless_play_without_a_result() -> None:
    match = Match(GAME)
    while match.outcome is None:
        for word in ("build 4", "attack", "build 2", "attack"):
            follow(match, word)
    assert match.turns == 200
    assert (match.outcome.winner, match.outcome.result, match.outcome.kind) == (None, "*", "bell")
