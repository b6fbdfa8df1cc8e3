"""Energy Duel, row by row: a sentence of the rule book or a ruling, and what it means on the table."""

from __future__ import annotations

import pytest

from duelbook.core import variant
from duelbook.games import load
from duelbook.match import Match
from duelbook.tui.actions import actions_of
from helpers import knob_ranges, opening, options, play, shown_to_matter, verdict

GAME = load("energy")

PLAYS = [
    # "Players alternate turns throughout the game."
    ("10 10 1", "attack, attack, defend", "4d 5 2"),
    ("10 10 2", "attack, attack, defend", "5 4d 1"),
    # Attack: "Consumes 2 energy units from the attacker." "Reduces the opponent's energy by 3 units."
    ("10 10 1", "attack", "8 7 2"),
    ("10 10 2", "attack", "7 8 1"),
    # Defend: "Consumes 1 energy unit from the defender."
    ("8 7 2", "defend", "8 6d 1"),
    ("7 8 1", "defend", "6d 8 2"),
    # "Reduces damage from the opponent's next attack by 2 units."
    ("8 6d 1", "attack", "6 5 2"),
    ("6d 8 2", "attack", "5 6 1"),
    # "does not stack if multiple defenses are performed consecutively."
    ("9 9 1", "defend, defend, defend, attack", "6 6 1"),
    # "Players cannot perform an action if they lack sufficient energy units to pay its cost."
    ("1 9 1", "attack", "refused"),
    ("9 1 2", "attack", "refused"),
    ("2 9 1", "attack", "0 6 2"),
    ("1 9 1", "defend", "0d 9 2"),
    # "A player's energy cannot drop below zero; any excess damage or cost is disregarded."
    ("9 2 1", "attack", "7 0 2: player 1 wins"),
    ("9 1 1", "attack", "7 0 2: player 1 wins"),
    ("1 9 2", "attack", "0 7 1: player 2 wins"),
    # "If a player defends and the opponent does not attack on their next turn, the defense effect expires."
    ("9 9 1", "defend, defend, attack, attack", "3 5 1"),
    ("1 9d 1", "pass, defend, pass, attack", "0 6 1: player 2 wins"),
    # "Defense only applies to the immediate next attack."
    ("9 9d 1", "attack, attack, attack", "2 3 2"),
    # "The game ends immediately when a player's energy is reduced to zero."
    ("9 3 1", "attack", "7 0 2: player 1 wins"),
    ("3 9 2", "attack", "0 7 1: player 2 wins"),
    ("9 3 1", "attack, pass", "refused"),
    ("9 4 1", "attack", "7 1 2"),
    # A standing defence can be the difference.
    ("9 3d 1", "attack", "7 2 2"),
    ("9 1d 1", "attack", "7 0 2: player 1 wins"),
    # Turn 7: "Insufficient energy to perform attack (needs 2, has 1)." "Player must choose Defend or Pass."
    ("1 1 1", "attack", "refused"),
    ("1 1 1", "defend", "0d 1 2"),
    ("1 1 1", "pass", "1 1 2 p"),
    # Turn 8: "Pass (no energy cost)".
    ("0d 1 2", "pass", "0 1 1 p: player 2 wins"),
    # Ruling 1: costs consume, attacks reduce. Paying one's last unit does not end the game at once; beginning a turn
    # with 0 does.
    ("1 9 1", "defend, defend", "0 8d 1: player 2 wins"),
    ("2 9 1", "attack, attack", "0 4 1: player 2 wins"),
    ("9 1 2", "defend, attack", "7 0 2: player 1 wins"),
    ("9 2 2", "attack, defend", "5d 0 2: player 1 wins"),
    # Ruling 2: an attack that empties both is won by the attacker: "The player who reduces their opponent's energy to
    # zero wins the game."
    ("2 3 1", "attack", "0 0 2: player 1 wins"),
    ("3 2 2", "attack", "0 0 1: player 2 wins"),
    ("2 1 1", "attack", "0 0 2: player 1 wins"),
    ("2 1d 1", "attack", "0 0 2: player 1 wins"),
    # A Defend that leaves both with 0 is no such attack: the player whose turn begins with 0 has lost.
    ("0d 1 2", "defend", "0 0d 1: player 2 wins"),
    ("1 0d 1", "defend", "0d 0 2: player 1 wins"),
    # Ruling 3: Pass exists only when Attack is unaffordable.
    ("2 9 1", "pass", "refused"),
    ("10 10 1", "pass", "refused"),
    ("9 1 2", "pass", "9 1 1 p"),
    # Ruling 4: a player with 1 can pay for a Defend.
    ("0 1 2", "defend", "0 0d 1: player 2 wins"),
    # Ruling 5: two passes in a row are a stand-off, and that is a draw.
    ("1 1 1", "pass, pass", "1 1 1 pp: draw"),
    ("1 1 2", "pass, pass", "1 1 2 pp: draw"),
    ("1 1 1", "pass, pass, pass", "refused"),
    # Two passes that are not in a row are none.
    ("1 4 1", "pass, defend, pass", "1 3 2 p"),
    ("1 9d 1", "pass", "1 9 2 p"),
    # Ruling 6: a defence lives through exactly one opposing turn, used or not.
    ("9 9d 1", "defend", "8d 9 2"),
    ("9 9d 1", "attack", "7 8 2"),
    ("8 8 1", "defend, attack, attack, attack", "1 1 1"),
]

OPTIONS = [
    # "On their turn, a player chooses one action: Attack or Defend."
    ("10 10 1", "attack, defend"),
    ("10 10 2", "attack, defend"),
    # "Players cannot perform an action if they lack sufficient energy units to pay its cost."
    ("2 9 1", "attack, defend"),
    ("1 9 1", "defend, pass"),
    ("9 1 2", "defend, pass"),
    # What the other can afford is no matter, and neither is a standing defence or a pass.
    ("9 1 1", "attack, defend"),
    ("1 9 2", "attack, defend"),
    ("9 9d 1", "attack, defend"),
    ("1 9 2 p", "attack, defend"),
    ("1 1 2 p", "defend, pass"),
]

VERDICTS = [
    ("10 10 1", "player 1 acts"),
    ("10 10 2", "player 2 acts"),
    ("1 1 1", "player 1 acts"),
    ("1 1 2", "player 2 acts"),
    ("1 1 2 p", "player 2 acts"),
    # Turn 9: "Player 1 cannot prevent defeat." "Player 2 Wins".
    ("0 1 1 p", "player 2 wins"),
    # Ruling 1: a player who begins a turn with 0 has lost; the other one's 0 waits for their own turn.
    ("0 1 1", "player 2 wins"),
    ("1 0 2", "player 1 wins"),
    ("0 1 2", "player 2 acts"),
    ("1 0 1", "player 1 acts"),
    # Ruling 2, as positions: the attacker is the player who just moved.
    ("0 0 1", "player 2 wins"),
    ("0 0 2", "player 1 wins"),
    # Ruling 5: the only draw there is.
    ("1 1 1 pp", "draw"),
    ("1 1 2 pp", "draw"),
]

CHANGED = [
    ("energy=12", "12 12 1", "attack", "10 9 2"),
    ("attack_cost=3", "10 10 1", "attack", "7 7 2"),
    ("attack_cost=3", "2 10 1", "attack", "refused"),
    ("attack_cost=3", "2 10 1", "pass", "2 10 2 p"),
    ("attack_cost=0", "1 4 1", "attack", "1 1 2"),
    ("damage=5", "10 10 1", "attack", "8 5 2"),
    ("damage=5", "10 10d 1", "attack", "8 7 2"),
    ("defend_cost=2", "10 10 1", "defend", "8d 10 2"),
    ("defend_cost=2", "1 10 1", "defend", "refused"),
    ("defend_cost=0", "1 10 1", "defend", "1d 10 2"),
    ("guard=1", "10 10d 1", "attack", "8 8 2"),
    ("guard=3", "10 10d 1", "attack", "8 10 2"),
    # A guard that is stronger than the blow takes all of it and gives nothing back.
    ("guard=9", "10 5d 1", "attack", "8 5 2"),
    ("guard=0", "10 10d 1", "attack", "8 7 2"),
    # Ruling 1's other reading: whoever runs out has lost now, by whatever means.
    ("zero=now", "1 9 1", "defend", "0d 9 2: player 2 wins"),
    ("zero=now", "9 1 2", "defend", "9 0d 1: player 1 wins"),
    ("zero=now", "2 9 1", "attack", "0 6 2: player 2 wins"),
    ("zero=now", "9 2 2", "attack", "6 0 1: player 1 wins"),
    ("zero=now", "9 3 1", "attack", "7 0 2: player 1 wins"),
    ("zero=now", "3 9 2", "attack", "0 7 1: player 2 wins"),
    ("zero=now", "2 3 1", "attack", "0 0 2: player 1 wins"),
    ("zero=now", "3 9 1", "attack", "1 6 2"),
    ("zero=now", "1 1 1", "pass, pass", "1 1 1 pp: draw"),
    # Ruling 2's other readings: an attack that empties both.
    ("both_empty=defender", "2 3 1", "attack", "0 0 2: player 2 wins"),
    ("both_empty=defender", "3 2 2", "attack", "0 0 1: player 1 wins"),
    ("both_empty=defender", "9 3 1", "attack", "7 0 2: player 1 wins"),
    ("both_empty=defender", "2 9 1", "attack, attack", "0 4 1: player 2 wins"),
    ("both_empty=defender", "0d 1 2", "defend", "0 0d 1: player 2 wins"),
    ("both_empty=draw", "2 3 1", "attack", "0 0 2: draw"),
    ("both_empty=draw", "3 2 2", "attack", "0 0 1: draw"),
    ("both_empty=draw", "9 3 1", "attack", "7 0 2: player 1 wins"),
    ("both_empty=draw", "2 9 1", "attack, attack", "0 4 1: player 2 wins"),
    ("both_empty=draw", "1 0d 1", "defend", "0d 0 2: player 1 wins"),
    # It is enough that the attack leaves both with nothing, even where one of them had paid their last unit before.
    ("both_empty=attacker", "1 2 1", "defend, attack", "0 0 1: player 2 wins"),
    ("both_empty=defender", "1 2 1", "defend, attack", "0 0 1: player 1 wins"),
    ("both_empty=draw", "1 2 1", "defend, attack", "0 0 1: draw"),
    # Ruling 3's other readings: anybody may pass at any time, or nobody ever.
    ("may_pass=always", "10 10 1", "pass", "10 10 2 p"),
    ("may_pass=always", "10 10 1", "pass, pass", "10 10 1 pp: draw"),
    ("may_pass=always", "9 9 1", "pass, attack, pass", "6 7 2 p"),
    ("may_pass=always", "9 9 1", "pass, defend, pass, pass", "9 8 1 pp: draw"),
    ("may_pass=never", "1 1 1", "pass", "refused"),
    ("may_pass=never", "10 10 1", "pass", "refused"),
    ("may_pass=never", "1 1 1", "defend, defend", "0 0d 1: player 2 wins"),
]

CHANGED_OPTIONS = [
    ("may_pass=broke", "2 9 1", "attack, defend"),
    ("may_pass=broke", "1 9 1", "defend, pass"),
    ("may_pass=always", "2 9 1", "attack, defend, pass"),
    ("may_pass=always", "1 9 1", "defend, pass"),
    ("may_pass=never", "2 9 1", "attack, defend"),
    ("may_pass=never", "1 9 1", "defend"),
    ("defend_cost=2", "1 9 1", "pass"),
    ("attack_cost=1", "1 9 1", "attack, defend"),
    ("attack_cost=5", "4 9 1", "defend, pass"),
]

STUCK = [
    # Nobody is made to choose where nothing can be chosen: a player who can pay for nothing has lost.
    (["may_pass=never", "attack_cost=5", "defend_cost=4"], "3 9 1", "player 2 wins"),
    (["may_pass=never", "attack_cost=5", "defend_cost=4"], "9 3 2", "player 1 wins"),
    (["may_pass=never", "attack_cost=5", "defend_cost=4"], "3 9 2", "player 2 acts"),
    # One thing to do is enough.
    (["may_pass=never", "attack_cost=5", "defend_cost=3"], "3 9 1", "player 1 acts"),
    (["may_pass=never", "attack_cost=3", "defend_cost=4"], "3 9 1", "player 1 acts"),
    (["may_pass=broke", "attack_cost=5", "defend_cost=4"], "3 9 1", "player 1 acts"),
    # Free moves save nobody who begins a turn with 0.
    (["attack_cost=0", "defend_cost=0"], "0 9 1", "player 2 wins"),
    (["may_pass=always"], "9 0 2", "player 1 wins"),
    # With zero=now both kinds of 0 end the game.
    (["zero=now"], "0d 9 2", "player 2 wins"),
    (["zero=now"], "9 0d 1", "player 1 wins"),
    (["zero=now"], "9 0 2", "player 1 wins"),
    (["zero=now"], "1 1 1", "player 1 acts"),
    (["zero=now", "both_empty=draw"], "0 0 1", "draw"),
    (["zero=now", "both_empty=defender"], "0 0 1", "player 1 wins"),
    (["zero=now", "both_empty=defender"], "0 0 2", "player 2 wins"),
    (["zero=turn", "both_empty=attacker", "may_pass=broke"], "0 1 2", "player 2 acts"),
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


# "Each player begins the game with 10 energy units." "Determine which player goes first."
def test_both_start_with_10_energy_and_either_may_go_first() -> None:
    assert opening(GAME) == "10 10 1"
    assert opening(GAME, first=1) == "10 10 2"
    assert opening(GAME, "energy=5") == "5 5 1"
    assert opening(GAME, "energy=12", first=1) == "12 12 2"


@pytest.mark.parametrize(("setting", "before", "line", "after"), CHANGED)
def test_changed_rules_change_the_game(setting: str, before: str, line: str, after: str) -> None:
    assert play(GAME, before, line, setting) == after


@pytest.mark.parametrize(("setting", "before", "legal"), CHANGED_OPTIONS)
def test_changed_rules_change_what_is_legal(setting: str, before: str, legal: str) -> None:
    assert options(GAME, before, setting) == legal


@pytest.mark.parametrize(("settings", "text", "expected"), STUCK)
def test_who_has_lost_under_changed_rules(settings: list[str], text: str, expected: str) -> None:
    assert verdict(GAME, text, *settings) == expected


def test_every_number_and_option_is_shown_to_matter() -> None:
    assert shown_to_matter(GAME, CHANGED) == set(GAME.book._fields)


def test_the_books_options_are_the_rulings() -> None:
    assert variant(GAME, ["zero=turn", "both_empty=attacker", "may_pass=broke"]) == GAME.book


def test_the_book_and_what_may_be_changed() -> None:
    assert GAME.book._asdict() == {
        "energy": 10,
        "attack_cost": 2,
        "damage": 3,
        "defend_cost": 1,
        "guard": 2,
        "zero": 0,
        "both_empty": 0,
        "may_pass": 0,
    }
    assert knob_ranges(GAME) == {
        "energy": (1, 99),
        "attack_cost": (0, 99),
        "damage": (0, 99),
        "defend_cost": (0, 99),
        "guard": (0, 99),
        "zero": ("turn", "now"),
        "both_empty": ("attacker", "defender", "draw"),
        "may_pass": ("broke", "always", "never"),
    }


@pytest.mark.parametrize(
    ("position", "listed"),
    [
        ("10 10 1", ["Attack (Cost: 2 energy)", "Defend (Cost: 1 energy)"]),
        ("1 5 1", ["Attack (Cost: 2 energy)", "Defend (Cost: 1 energy)", "Pass (Cost: 0 energy)"]),
    ],
)
def test_pass_is_listed_only_where_it_is_legal_and_every_cost_is_shown(position: str, listed: list[str]) -> None:
    """On the full screen and in `help` as at the prompt of the book."""
    game = load("energy")
    match = Match(game, game.book, start=game.read_position(game.book, position))
    assert list(game.menu(game.book, match.state, 0).values()) == listed
    assert [action.word for action in actions_of(match, 0)] == listed


def test_what_an_attack_does_says_who_wins_by_it() -> None:
    """Both at 0 reads like a draw, and is one under one of the rules only."""

    def said(at: str, move: int, *settings: str) -> str:
        rules = variant(GAME, settings)
        state = GAME.read_position(rules, at)
        return GAME.dialogue.effect(rules, state, GAME.turn(rules, state), move)

    assert said("2 1 1", 0) == "you go from 2 to 0 energy, your opponent from 1 to 0: you win"
    assert said("2 1 1", 0, "both_empty=draw").endswith("to 0: the game is drawn")
    assert said("1 9 2", 0) == "you go from 9 to 7 energy, your opponent from 1 to 0: you win"
    assert said("10 10 1", 0) == "you go from 10 to 8 energy, your opponent from 10 to 7"
    assert said("1 9 1", 1) == "you go from 1 to 0 energy: with 0 at the start of your next turn you lose"
    assert said("1 9 1", 1, "zero=now") == "you go from 1 to 0 energy: you lose"
