"""What agents are answered by the solutions is what everybody else is told."""

from __future__ import annotations

from typing import Any

import pytest

from duelbook import Duel, reads, review
from duelbook.agents import advice
from duelbook.coach.data import reviews_as_json
from duelbook.core import DuelError
from duelbook.games import example, load
from slow_helper import one_of_each_kind


@pytest.mark.parametrize("id", one_of_each_kind())
def test_a_solved_position_says_what_the_front_door_says(id: str) -> None:
    duel = Duel(id)
    found = advice.solve(id, None, [])
    assert (found.value, found.plies, found.verdict) == (duel.value(), duel.plies(), duel.verdict())
    for each in found.players:
        options = duel.options(found.position, each.player - 1)
        assert {move.move: move.lost for move in each.moves} == {word: option.lost for word, option in options.items()}
        assert sum(move.share for move in each.moves) == pytest.approx(1)


@pytest.mark.parametrize("id", one_of_each_kind())
def test_a_hint_is_the_coachs(id: str) -> None:
    found, coach = advice.give_hint(id, None, []).hints[0], Duel(id).hint()
    assert (found.why, found.wins) == (coach.why, coach.wins)
    assert [each.move for each in found.choices] == [each.word for each in coach.choices]


def test_who_has_decided_nothing_has_no_average() -> None:
    text = '[Game "tower"]\n\n1. build 4 *\n'
    (game,) = advice.judge(text).games
    assert [each.average_loss for each in game.players] == [0.0, None]
    told: Any = reviews_as_json([("", review(reads(text)[0]))])["players"]
    assert [each["average_loss"] for each in told] == [0.0, None]


@pytest.mark.parametrize("id", one_of_each_kind())
def test_a_record_is_judged_as_a_review_judges_it(id: str) -> None:
    text = example(load(id)).read_text(encoding="utf-8")
    (game,) = advice.judge(text).games
    decisions = review(reads(text)[0]).decisions
    assert [each.lost for each in game.decisions] == [each.lost for each in decisions]
    assert sum(player.decisions for player in game.players) == len(decisions)


def test_a_review_gives_reasons_for_what_was_lost() -> None:
    text = '[Game "tower"]\n\n1. build 1 build 1 2. build 1 *\n'
    looked = advice.look_back(text, 1)
    assert looked.slips
    assert all(slip.better and slip.why for slip in looked.slips)
    assert looked.said[0].startswith("From the start to the last position")
    with pytest.raises(DuelError, match="holds 1 game; there is no number 2"):
        advice.look_back(text, 2)


def test_a_player_is_asked_by_the_position_alone_and_answers_with_its_plan() -> None:
    chosen = advice.choose("energy", "8 6d 1", [], "perfect", None, seed=1)
    assert Duel("energy").loss("8 6d 1", chosen.move) == 0
    with pytest.raises(DuelError, match="Player 2 has nothing to decide"):
        advice.choose("energy", "8 6d 1", [], "perfect", 1, seed=1)
    with pytest.raises(DuelError, match="a card comes first"):
        advice.choose("deck", None, [], "perfect", None, seed=1)


@pytest.mark.parametrize(
    "kind",
    ["human", "engine:./mybot", "ENGINE: sh -c true", " engine:x", "llm:openai/gpt-5", " LLM:anthropic/x", "python:x"],
)
def test_nobody_far_away_has_a_program_started_or_a_model_asked(kind: str) -> None:
    with pytest.raises(DuelError, match="cannot be asked from here"):
        advice.check_player(kind)


def test_what_would_be_large_to_solve_is_refused_before_it_is_tried() -> None:
    with pytest.raises(DuelError, match="is not solved yet, and it is large"):
        advice.solve("secret", None, ["hp=200"])


def test_what_is_too_long_to_be_read_is_not() -> None:
    with pytest.raises(DuelError, match="A record has at most 200,000 letters"):
        advice.judge("x" * 200_001)
    one = '[Game "tower"]\n\n*\n\n'
    with pytest.raises(DuelError, match="At most 200 games"):
        advice.judge(one * (advice.MOST_GAMES + 1))
