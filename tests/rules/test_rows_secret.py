"""Number Duel (secret), row by row: a sentence of the rule book or a ruling, and what it means on the table."""

from __future__ import annotations

import pytest

from duelbook.core import IllegalMove, variant
from duelbook.games import load
from duelbook.match import Event, Match, Sealed
from helpers import follow, knob_ranges, opening, options, play, position, shown_to_matter, verdict

GAME = load("secret")

PLAYS = [
    # "Damage calculations are performed based on the revealed numbers." "Players' HP are adjusted according to the
    # damage dealt."
    ("100 100 - -", "7/5", "100 98 7 5"),
    ("100 98 7 5", "6/8", "98 98 6 8"),
    # "Players update their attack history to ensure they do not repeat the same attack number in the next turn."
    ("50 50 3 4", "1/10", "41 50 1 10"),
    ("50 50 3 4", "10/1", "50 41 10 1"),
    # "If one player's attack number is higher than the opponent's, they deal damage equal to the difference between the
    # numbers."
    ("100 100 - -", "10/1", "100 91 10 1"),
    ("100 100 - -", "1/10", "91 100 1 10"),
    ("100 100 - -", "2/1", "100 99 2 1"),
    ("100 100 - -", "9/10", "99 100 9 10"),
    # "If both players choose the same number, no damage is dealt."
    ("100 100 - -", "1/1", "100 100 1 1"),
    ("60 40 - -", "10/10", "60 40 10 10"),
    # "Damage is subtracted from the opponent's HP."
    ("60 40 1 1", "8/3", "60 35 8 3"),
    ("60 40 1 1", "3/8", "55 40 3 8"),
    # "HP cannot go below 0; once it reaches 0, the player loses."
    ("5 5 - -", "9/2", "5 0 9 2: player 1 wins"),
    ("5 5 - -", "2/9", "0 5 2 9: player 2 wins"),
    ("5 7 - -", "9/2", "5 0 9 2: player 1 wins"),
    ("7 5 - -", "2/9", "0 5 2 9: player 2 wins"),
    ("5 8 - -", "9/2", "5 1 9 2"),
    ("8 5 - -", "2/9", "1 5 2 9"),
    ("1 1 - -", "10/1", "1 0 10 1: player 1 wins"),
    ("1 1 - -", "10/1, 1/2", "refused"),
    # "Players must select a different attack number from their previous turn. Violation of this rule results in an
    # automatic forfeit of the game."
    ("98 96 9 7", "9/6", "98 96 9x 6: player 2 wins"),
    ("98 96 9 7", "5/7", "98 96 5 7x: player 1 wins"),
    # "Players cannot choose the same attack number they used in the immediate previous turn": the one before is
    # free again.
    ("100 100 - -", "7/5, 6/8, 7/5", "98 96 7 5"),
    # "The game ends when a player's HP is reduced to 0 or below. The opposing player is declared the winner."
    ("3 90 - -", "1/4", "0 90 1 4: player 2 wins"),
    ("90 3 - -", "4/1", "90 0 4 1: player 1 wins"),
    # Ruling 2: a repeat forfeits before any damage, even a blow that would have won or lost.
    ("98 1 9 7", "9/6", "98 1 9x 6: player 2 wins"),
    ("1 98 7 9", "6/9", "1 98 6 9x: player 1 wins"),
    ("1 98 1 9", "1/8", "1 98 1x 8: player 2 wins"),
    # Ruling 3: both repeat at once, and nobody wins.
    ("98 96 9 7", "9/7", "98 96 9x 7x: draw"),
    ("1 1 9 1", "9/1", "1 1 9x 1x: draw"),
    ("50 50 4 4", "4/4", "50 50 4x 4x: draw"),
    ("98 96 9 7", "9/7, 1/2", "refused"),
    # Ruling 4: the ban is on one's own last number only. The other's last number may be picked by both.
    ("50 50 9 7", "7/9", "48 50 7 9"),
    ("50 50 9 7", "7/2", "50 45 7 2"),
    # It holds after equal picks as well.
    ("50 50 6 6", "6/1", "50 50 6x 1: player 2 wins"),
    ("50 50 6 6", "1/6", "50 50 1 6x: player 1 wins"),
    ("50 50 6 6", "5/5", "50 50 5 5"),
]

OPTIONS = [
    # "Players have access to attack numbers ranging from 1 to 10."
    ("100 100 - -", 0, "1, 2, 3, 4, 5, 6, 7, 8, 9, 10"),
    ("100 100 - -", 1, "1, 2, 3, 4, 5, 6, 7, 8, 9, 10"),
    # "Players cannot select the same attack number in two consecutive turns."
    ("98 96 9 7", 0, "1, 2, 3, 4, 5, 6, 7, 8, 10"),
    ("98 96 9 7", 1, "1, 2, 3, 4, 5, 6, 8, 9, 10"),
    ("98 96 1 10", 0, "2, 3, 4, 5, 6, 7, 8, 9, 10"),
    ("98 96 1 10", 1, "1, 2, 3, 4, 5, 6, 7, 8, 9"),
    # Ruling 4: equal picks ban one number for each.
    ("50 50 6 6", 0, "1, 2, 3, 4, 5, 7, 8, 9, 10"),
    ("50 50 6 6", 1, "1, 2, 3, 4, 5, 7, 8, 9, 10"),
]

FOULS = [
    # Ruling 2: the repeat is the one number that counts as played though it is against the rules.
    ("98 96 9 7", 0, ["9"]),
    ("98 96 9 7", 1, ["7"]),
    ("98 96 1 10", 0, ["1"]),
    ("98 96 1 10", 1, ["10"]),
    ("100 100 - -", 0, []),
    ("100 100 - -", 1, []),
]

VERDICTS = [
    # "Both players secretly choose an attack number." "Chosen numbers are revealed simultaneously."
    ("100 100 - -", "both act"),
    ("98 96 9 7", "both act"),
    # "Steps 1-4 are repeated in each turn until a player's HP is reduced to 0 or below": 1 HP is alive.
    ("1 1 9 7", "both act"),
    ("0 1 2 3", "player 2 wins"),
    ("1 0 3 2", "player 1 wins"),
    # Forfeits.
    ("98 96 9x 7", "player 2 wins"),
    ("98 96 9 7x", "player 1 wins"),
    ("1 1 9x 7", "player 2 wins"),
    ("1 1 9 7x", "player 1 wins"),
    ("98 96 9x 7x", "draw"),
]

CHANGED = [
    ("hp=5", "5 5 - -", "1/10", "0 5 1 10: player 2 wins"),
    ("hp=200", "200 120 - -", "10/1", "200 111 10 1"),
    ("highest=4", "100 100 - -", "4/1", "100 97 4 1"),
    ("highest=4", "100 100 - -", "5/1", "refused"),
    ("highest=4", "100 100 4 1", "4/2", "100 100 4x 2: player 2 wins"),
    ("highest=4", "100 100 1 4", "2/10", "refused"),
    # Ruling 3's other reading: the round is void, and both pick again.
    ("double_forfeit=void", "98 96 9 7", "9/7", "98 96 9 7"),
    ("double_forfeit=void", "98 96 9 7", "9/7, 9/7, 1/7", "98 96 1 7x: player 1 wins"),
    ("double_forfeit=void", "98 96 9 7", "9/6", "98 96 9x 6: player 2 wins"),
    ("double_forfeit=void", "98 96 9 7", "5/7", "98 96 5 7x: player 1 wins"),
    ("double_forfeit=void", "98 96 9 7", "10/1", "98 87 10 1"),
]


@pytest.mark.parametrize(("before", "line", "after"), PLAYS)
def test_what_a_round_does(before: str, line: str, after: str) -> None:
    assert play(GAME, before, line) == after


@pytest.mark.parametrize(("before", "seat", "legal"), OPTIONS)
def test_what_is_legal(before: str, seat: int, legal: str) -> None:
    assert options(GAME, before, seat=seat) == legal


@pytest.mark.parametrize(("before", "seat", "fouls"), FOULS)
def test_what_is_a_foul(before: str, seat: int, fouls: list[str]) -> None:
    state = position(GAME, before)
    assert [str(move + 1) for move in GAME.moves if GAME.foul(GAME.book, state, seat, move)] == fouls


@pytest.mark.parametrize(("text", "expected"), VERDICTS)
def test_who_acts_and_who_has_won(text: str, expected: str) -> None:
    assert verdict(GAME, text) == expected


# "Both players start with 100 Health Points (HP)." Ruling: there is no first player.
def test_both_start_with_100_hp_and_nobody_goes_first() -> None:
    assert opening(GAME) == opening(GAME, first=1) == "100 100 - -"
    assert opening(GAME, "hp=5") == "5 5 - -"


# "On each turn, players select an attack number (1 to 10) without knowledge of the opponent's choice." Ruling 1: a
# pick is nowhere before both are in, and whoever picks second picks from the same position.
@pytest.mark.parametrize("early", [0, 1])
def test_a_pick_stays_sealed_until_both_are_in(early: int) -> None:
    match = Match(GAME)
    heard: list[Event] = []
    match.listen(heard.append)
    match.play(early, 6)
    assert heard == [Sealed(early)]
    assert match.state == match.view(1 - early).state == position(GAME, "100 100 - -")
    assert match.to_act() == (1 - early,)
    assert match.steps == []
    with pytest.raises(IllegalMove):
        match.play(early, 5)
    match.play(1 - early, 4)
    assert match.state == position(GAME, "100 98 7 5" if early == 0 else "98 100 5 7")


# Ruling 2: out of range is no foul; the referee refuses it and the same player is still asked.
def test_a_number_out_of_range_is_refused_and_nothing_changes() -> None:
    match = Match(GAME, variant(GAME, ["highest=4"]))
    for number in (5, 10, 11, 0):
        with pytest.raises(IllegalMove):
            match.play(0, number - 1)
    assert match.to_act() == (0, 1)
    assert match.turns == 0


# Ruling: endless play is possible (equal picks deal no damage) and has no result.
def test_the_bell_ends_endless_play_without_a_result() -> None:
    match = Match(GAME)
    for turn in range(200):
        assert match.outcome is None
        follow(match, ("10/10", "9/9")[turn % 2])
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.result, match.outcome.kind) == (None, "*", "bell")


@pytest.mark.parametrize(("setting", "before", "line", "after"), CHANGED)
def test_changed_rules_change_the_game(setting: str, before: str, line: str, after: str) -> None:
    assert play(GAME, before, line, setting) == after


def test_every_number_and_option_is_shown_to_matter() -> None:
    assert shown_to_matter(GAME, CHANGED) == set(GAME.book._fields)


def test_a_lower_highest_number_shows_in_what_is_legal() -> None:
    assert options(GAME, "9 9 2 4", "hp=9", "highest=4", seat=0) == "1, 3, 4"
    assert options(GAME, "9 9 2 4", "hp=9", "highest=4", seat=1) == "1, 2, 3"


@pytest.mark.parametrize(
    ("setting", "warning"),
    [
        ("double_forfeit=draw", "repeating it forfeits the game."),
        (
            "double_forfeit=void",
            "repeating it forfeits the game, unless both repeat.",
        ),
    ],
)
def test_the_warning_says_what_a_repeat_comes_to(setting: str, warning: str) -> None:
    rules = variant(GAME, [setting])
    assert (
        GAME.dialogue.foul_warning(rules, GAME.read_position(rules, "98 96 9 7"), 0)
        == f"That is your previous number, and {warning}"
    )


def test_a_draw_is_the_books_double_forfeit() -> None:
    assert variant(GAME, ["double_forfeit=draw"]) == GAME.book


def test_the_book_and_what_may_be_changed() -> None:
    assert GAME.book._asdict() == {"hp": 100, "highest": 10, "double_forfeit": 0}
    assert knob_ranges(GAME) == {"hp": (1, 200), "highest": (2, 10), "double_forfeit": ("draw", "void")}
