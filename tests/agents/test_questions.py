"""What agents are answered by the rules alone: positions are texts, and errors are sentences."""

from __future__ import annotations

import pytest

from duelbook.agents.questions import LONGEST_POSITION, MOST_RULES, legal_moves, list_duels, play_move, read_rules
from duelbook.core import DuelError
from duelbook.games import game_ids, load


def test_every_duel_is_listed_with_where_it_begins() -> None:
    duels = list_duels().duels
    assert [each.duel for each in duels] == game_ids()
    for each in duels:
        game = load(each.duel)
        assert game.read_position(game.book, each.start) == game.start(game.book, 0)
        assert each.luck == bool(game.faces)


def test_a_rule_book_shows_the_rules_as_they_are_changed() -> None:
    book = read_rules("tower", ["goal=20"])
    (goal,) = (knob for knob in book.knobs if knob.name == "goal")
    assert (goal.value, goal.book) == ("20", "15")
    assert book.rules == ["goal=20"]
    assert "Position" in book.text


def test_a_move_leads_to_a_position_that_the_next_call_takes() -> None:
    first = play_move("tower", "build 4", None, [])
    assert (first.position, first.turn) == ("4 0 2", "player 2")
    second = play_move("tower", "attack", first.position, [])
    assert (second.position, second.turn) == ("1 0 1", "player 1")


def test_where_both_pick_two_picks_are_said() -> None:
    after = play_move("secret", "7/5", None, [])
    assert after.turn == "both"
    assert [each.player for each in after.choices] == [1, 2]
    with pytest.raises(DuelError, match="say both picks, Player 1's first, as in 7/5"):
        play_move("secret", "7", None, [])


def test_where_luck_acts_somebody_says_what_comes() -> None:
    before = legal_moves("deck", None, [])
    assert before.turn == "luck"
    assert sum(face.chance for face in before.faces) == pytest.approx(1)
    assert play_move("deck", "7", before.position, []).turn == "player 1"
    with pytest.raises(DuelError, match=r"must be drawn here: one of 1, 2, .* is none"):
        play_move("deck", "attack", before.position, [])
    with pytest.raises(DuelError, match="cannot be drawn now"):
        play_move("deck", "99", before.position, [])


def test_an_end_is_told_and_nothing_follows_it() -> None:
    end = play_move("tower", "build 4", "11 3 1", [])
    assert (end.turn, end.result, end.choices) == ("over", "1-0", [])
    assert end.reason
    with pytest.raises(DuelError, match="The game is over"):
        play_move("tower", "build 4", end.position, [])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("towers", None, []), "There is no duel called 'towers'"),
        (("tower", "nonsense", []), "nonsense"),
        (("tower", None, ["height=3"]), "has no rule called 'height'"),
        (("tower", "9" * (LONGEST_POSITION + 1), []), "A position has at most 2,000 letters"),
        (("tower", None, ["goal=20"] * (MOST_RULES + 1)), "At most 100 rules"),
        (("t" * 300, None, []), "at most 200 letters"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(asked: tuple[str, str | None, list[str]], said: str) -> None:
    with pytest.raises(DuelError, match=said):
        legal_moves(*asked)


def test_a_move_that_is_not_legal_is_answered_with_those_that_are() -> None:
    with pytest.raises(DuelError, match="build 1"):
        play_move("tower", "attack", "0 0 1", [])
