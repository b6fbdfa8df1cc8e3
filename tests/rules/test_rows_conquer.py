"""Command Line Conquer, row by row: a sentence of the rule book or a ruling, and what it means on the table."""

from __future__ import annotations

import pytest

from duelbook.core import variant
from duelbook.games import load
from duelbook.match import Match
from helpers import follow, knob_ranges, opening, options, play, shown_to_matter, verdict

GAME = load("conquer")

PLAYS = [
    # "Players take turns in an alternating fashion." "The turn passes to the opponent."
    ("10r 10r 1", "attack, attack, attack, attack", "6r 6r 1"),
    ("10r 10r 1", "defend, defend, defend, defend", "10d 10d 1"),
    ("9r 9r 1", "heal, heal, heal", "10h 10h 2"),
    # "The chosen action is executed, affecting the game state according to the rules."
    ("8r 7r 1", "attack", "8r 5r 2"),
    ("8r 7r 1", "defend", "8d 7r 2"),
    ("8r 7r 1", "heal", "9h 7r 2"),
    ("8r 7r 2", "attack", "6r 7r 1"),
    ("8r 7r 2", "defend", "8r 7d 1"),
    ("8r 7r 2", "heal", "8r 8h 1"),
    # Attack: "Deals 2 damage to the opponent's HP."
    ("10r 10r 1", "attack", "10r 8r 2"),
    ("10r 10r 2", "attack", "8r 10r 1"),
    # "If the opponent is Defending, the attack deals no damage."
    ("10r 8d 1", "attack", "10r 8d 2"),
    ("8d 10r 2", "attack", "8d 10r 1"),
    ("10r 1d 1", "attack", "10r 1d 2"),
    # "If the opponent is Healing, the attack deals double damage (4 damage)."
    ("10r 8h 1", "attack", "10r 4h 2"),
    ("8h 10r 2", "attack", "4h 10r 1"),
    # Defend: "Blocks incoming damage from the opponent's next attack."
    ("10r 8r 2", "defend, attack", "10r 8d 2"),
    # "While defending, the player cannot perform an Attack on their following turn."
    ("10d 8r 1", "attack", "refused"),
    ("8r 10d 2", "attack", "refused"),
    ("10r 10r 1", "defend, attack, attack", "refused"),
    # "On the turn after defending, the player may choose to Defend again or Heal, but not Attack."
    ("8d 10r 1", "defend", "8d 10r 2"),
    ("8d 10r 1", "heal", "9c 10r 2"),
    # Heal: "Restores 1 HP to the player, up to the maximum of 10 HP."
    ("1r 10r 1", "heal", "2h 10r 2"),
    ("9r 10r 1", "heal", "10h 10r 2"),
    # "If the opponent chooses to Attack while the player is healing, the player takes double damage (4 damage), unless
    # the player was Defending."
    ("10r 8r 2", "heal, attack", "10r 5h 2"),
    ("10r 8d 2", "heal, attack", "10r 7c 2"),
    # "Healing does not affect the opponent."
    ("5r 3d 1", "heal", "6h 3d 2"),
    ("5r 3h 1", "heal", "6h 3h 2"),
    # "A player's HP cannot exceed 10." Ranges "to a maximum of 10".
    ("10r 10r 1", "heal", "10h 10r 2"),
    ("10r 10d 2", "heal", "10r 10c 1"),
    # "If a player's HP drops to 0 or below, they lose the game."
    ("10r 2r 1", "attack", "10r 0r 2: player 1 wins"),
    ("10r 1r 1", "attack", "10r -1r 2: player 1 wins"),
    ("2r 10r 2", "attack", "0r 10r 1: player 2 wins"),
    ("1r 10r 2", "attack", "-1r 10r 1: player 2 wins"),
    ("10r 3r 1", "attack", "10r 1r 2"),
    # "Defending only blocks damage from an Attack." "It does not prevent other effects such as the opponent Healing."
    ("8d 5r 2", "heal", "8d 6h 1"),
    # "After defending, players are restricted from attacking on their next turn."
    ("10d 8d 1", "attack", "refused"),
    # "Occurs when a player Attacks an opponent who is Healing." "The opponent takes 4 damage instead of 2."
    ("9r 10r 1", "heal, attack", "6h 10r 1"),
    # "The game is won when a player reduces their opponent's HP to 0 or below", "declared the winner immediately".
    ("1r 4h 1", "attack", "1r 0h 2: player 1 wins"),
    ("1r 4h 1", "attack, attack", "refused"),
    # "A player loses when their own HP is reduced to 0 or below."
    ("4h 1r 2", "attack", "0h 1r 1: player 2 wins"),
    # Ruling: the final number is shown as it falls, and stays there.
    ("2h 6r 2", "attack", "-2h 6r 1: player 2 wins"),
    ("6r 2h 1", "attack", "6r -2h 2: player 1 wins"),
    ("6r 1h 1", "attack", "6r -3h 2: player 1 wins"),
    # Ruling 1: a heal straight after one's own Defend is covered, and an attack on it deals the ordinary 2.
    ("10r 5c 1", "attack", "10r 3c 2"),
    ("5c 10r 2", "attack", "3c 10r 1"),
    # It does not matter whether that Defend stopped anything.
    ("8r 8r 1", "defend, heal, heal, attack", "7c 9r 1"),
    ("8r 8r 1", "defend, attack, heal, attack", "7c 8r 1"),
    # Only the action immediately before counts: a second heal is exposed, and so is one after an attack.
    ("8c 10r 1", "heal", "9h 10r 2"),
    ("8h 10r 1", "heal", "9h 10r 2"),
    ("8r 8r 1", "defend, heal, heal, heal, heal, attack", "6h 10r 1"),
    # Ruling 2: Defending lasts through the opponent's next turn only; a Defend may follow a Defend.
    ("8d 10r 2", "heal, heal, attack", "7c 10r 1"),
    ("8d 10r 2", "attack, heal, attack, attack", "7r 8r 2"),
    ("8d 10r 2", "attack, defend, attack, defend, attack", "8d 10r 1"),
    # Ruling 3: after a Defend no Attack on the next turn, and on that one turn only.
    ("8d 10r 1", "heal, heal, attack", "9r 6h 2"),
    ("8d 10d 1", "defend, defend, attack", "refused"),
    # Ruling 4: a heal at 10 HP is legal, restores 0, and is exposed like any other.
    ("10r 10r 1", "heal, attack", "6h 10r 1"),
    # Once a player acts again, what they did before is over: an attacker is neither defending nor healing.
    ("8h 10r 1", "attack, attack", "6r 8r 1"),
    ("8c 10r 1", "attack, attack", "6r 8r 1"),
]

OPTIONS = [
    # "Both players have access to the same set of actions: Attack, Defend, Heal."
    ("10r 10r 1", "attack, defend, heal"),
    ("10r 10r 2", "attack, defend, heal"),
    # "A player who has just defended can only choose to Defend again or Heal on their next turn."
    ("10d 10r 1", "defend, heal"),
    ("10r 10d 2", "defend, heal"),
    # What the opponent did restricts nobody.
    ("10r 10d 1", "attack, defend, heal"),
    ("10d 10r 2", "attack, defend, heal"),
    # "Can attack again after healing."
    ("9h 10r 1", "attack, defend, heal"),
    ("9c 10r 1", "attack, defend, heal"),
    # Ruling 4: Heal at 10 HP is legal; and every action is at 1 HP.
    ("1r 1r 1", "attack, defend, heal"),
]

VERDICTS = [
    # "The player whose turn it is selects one of the available actions."
    ("10r 10r 1", "player 1 acts"),
    ("10r 10r 2", "player 2 acts"),
    # "Be the first player to reduce your opponent's Health Points (HP) from 10 to 0": 1 is not 0.
    ("1r 1r 1", "player 1 acts"),
    ("1r 1r 2", "player 2 acts"),
    ("1r 0r 2", "player 1 wins"),
    ("0r 1r 1", "player 2 wins"),
    # "If a player's HP drops to 0 or below, they lose the game."
    ("10r -3h 2", "player 1 wins"),
    ("-3h 10r 1", "player 2 wins"),
]

CHANGED = [
    ("hp=7", "7r 7r 1", "heal", "7h 7r 2"),
    ("hp=12", "10r 10r 1", "heal", "11h 10r 2"),
    ("damage=3", "10r 10r 1", "attack", "10r 7r 2"),
    ("damage=3", "10r 10c 1", "attack", "10r 7c 2"),
    ("damage=0", "10r 10r 1", "attack", "10r 10r 2"),
    ("exposed_damage=5", "10r 9h 1", "attack", "10r 4h 2"),
    ("exposed_damage=0", "10r 9h 1", "attack", "10r 9h 2"),
    ("healing=3", "5r 5r 1", "heal", "8h 5r 2"),
    ("healing=3", "8r 5r 1", "heal", "10h 5r 2"),
    ("healing=0", "5r 5r 1", "heal", "5h 5r 2"),
    # Ruling 1's other reading: no heal is covered.
    ("covered_heal=false", "8d 10r 1", "heal", "9h 10r 2"),
    ("covered_heal=false", "8d 10r 1", "heal, attack", "5h 10r 1"),
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


# "Each player begins with 10 HP." "Decide which player goes first": Player 1 unless they say otherwise.
def test_both_start_with_10_hp_and_either_may_go_first() -> None:
    assert opening(GAME) == "10r 10r 1"
    assert opening(GAME, first=1) == "10r 10r 2"
    assert opening(GAME, "hp=7", first=1) == "7r 7r 2"


@pytest.mark.parametrize(("setting", "before", "line", "after"), CHANGED)
def test_changed_rules_change_the_game(setting: str, before: str, line: str, after: str) -> None:
    assert play(GAME, before, line, setting) == after


@pytest.mark.parametrize(
    ("position", "move", "said"),
    [
        ("9r 9r 1", "defend", "blocks your opponent's next attack; you cannot attack on your next turn"),
        ("9r 9r 1", "heal", "you go from 9 HP to 10 HP; exposed, so an attack would deal 4"),
        ("8d 9r 1", "heal", "you go from 8 HP to 9 HP; covered by your Defend, so an attack would deal the ordinary 2"),
        # Whoever has just defended cannot attack: nothing is said of an attack that cannot come.
        (
            "9r 9d 1",
            "defend",
            "nothing to block: your opponent cannot attack next turn; you cannot attack on your next turn",
        ),
        ("9r 9d 1", "heal", "you go from 9 HP to 10 HP; your opponent cannot attack next turn"),
        ("9d 9d 2", "heal", "you go from 9 HP to 10 HP; your opponent cannot attack next turn"),
    ],
)
def test_what_an_action_does_speaks_of_an_attack_only_where_one_can_come(position: str, move: str, said: str) -> None:
    state = GAME.read_position(GAME.book, position)
    mover = GAME.turn(GAME.book, state)
    assert GAME.dialogue.effect(GAME.book, state, mover, GAME.dialogue.read(GAME.book, state, mover, move)) == said


def test_covered_heal_true_is_the_books_value() -> None:
    assert variant(GAME, ["covered_heal=true"]) == GAME.book


def test_every_number_and_option_is_shown_to_matter() -> None:
    assert shown_to_matter(GAME, CHANGED) == set(GAME.book._fields)


def test_the_book_and_what_may_be_changed() -> None:
    assert GAME.book._asdict() == {"hp": 10, "damage": 2, "exposed_damage": 4, "healing": 1, "covered_heal": 1}
    assert knob_ranges(GAME) == {
        "hp": (1, 99),
        "damage": (0, 99),
        "exposed_damage": (0, 99),
        "healing": (0, 99),
        "covered_heal": ("false", "true"),
    }


# Ruling: endless play has no result. Two players who only defend never end, and the bell rings after 200 turns.
def test_the_bell_ends_endless_play_without_a_result() -> None:
    match = Match(GAME)
    for _ in range(199):
        follow(match, "defend")
    assert match.outcome is None
    follow(match, "defend")
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.result, match.outcome.kind) == (None, "*", "bell")
