"""Intervals hold the truth as often as they say, and a bet against equals is rarely won."""

from __future__ import annotations

import pytest

from duelbook.exam.sure import Bet, bet, mean_of_duels, needed
from duelbook.luck import Stream


def test_a_mean_is_one_of_means() -> None:
    found = mean_of_duels([[0.0, 0.2], [0.4, 0.4, 0.4, 0.8]])
    assert found is not None
    assert found.value == pytest.approx(0.3)
    assert found.low < 0.3 < found.high


def test_nothing_is_known_of_nothing() -> None:
    assert mean_of_duels([]) is None
    assert mean_of_duels([[0.1], []]) is None


def test_answers_that_are_alike_are_no_certainty() -> None:
    """Three in all that were asked, as the rule of three has it."""
    found = mean_of_duels([[0.0] * 60] * 5)
    assert found is not None
    assert (found.value, found.low) == (0, 0)
    assert found.high == pytest.approx(3 / 300, rel=0.05)


def test_one_question_says_little() -> None:
    found = mean_of_duels([[0.5]])
    assert found == (0.5, 0.0, 1.0)


def test_what_is_needed_grows_with_the_square() -> None:
    few, many = needed(0.1, 0.2), needed(0.05, 0.2)
    assert few is not None
    assert many is not None
    assert many == pytest.approx(4 * few, rel=0.01)
    assert needed(0.0, 0.2) is None


def test_a_bet_is_looked_at_after_whole_laps_only() -> None:
    made = Bet(lap=10)
    heard = [made.hear(1.0) for _ in range(40)]
    assert True in heard
    assert (heard.index(True) + 1) % 10 == 0
    assert made.stands.lost_more == 0


def test_a_bet_says_who_loses_more() -> None:
    assert bet([-0.5] * 100, 2).lost_more == 1
    assert bet([0.5, -0.5] * 100, 2).lost_more is None


def test_within_a_lap_duels_may_lean_to_either_side() -> None:
    """Equal on the whole, and never in any one duel."""
    assert bet([0.9, -0.9] * 5000, 2).worth < 1


@pytest.mark.slow
def test_equals_are_told_apart_in_at_most_one_of_twenty_exams() -> None:
    """Two that lose alike on average over two duels, and never alike in one of them; looked at after every lap."""
    exams, wrong = 1000, 0
    for exam in range(exams):
        stream = Stream(exam, "equals")
        lean = (0.6, 0.2)
        differences = [
            (stream.number(2 * at) / 2**64 < lean[at % 2]) - float(stream.number(2 * at + 1) / 2**64 < lean[1 - at % 2])
            for at in range(600)
        ]
        wrong += bet(differences, 2).lost_more is not None
    assert wrong <= 0.05 * exams
    assert wrong > 0  # or it would be no test of anything


@pytest.mark.slow
@pytest.mark.parametrize("questions", [10, 20, 60])
@pytest.mark.parametrize("kind", ["random", "level:3", "level:6"])
def test_intervals_hold_the_truth_as_often_as_they_say(kind: str, questions: int) -> None:
    """Papers are drawn again and again as a paper draws; what they estimate is known exactly."""
    import numpy as np

    from duelbook.exam.editions import subjects_of
    from duelbook.exam.everything import decisions_of

    laid = [decisions_of(subject) for subject in subjects_of("book", ["conquer", "energy", "tower"])]
    lost = [each.losses(kind) for each in laid]
    truth = sum(each.mean(losses) for each, losses in zip(laid, lost, strict=True)) / len(laid)
    papers, random = 1000, np.random.default_rng(1)
    drawn = [
        random.choice(losses, (papers, questions), p=each.weights) for each, losses in zip(laid, lost, strict=True)
    ]
    held = 0
    for at in range(papers):
        found = mean_of_duels([rows[at].tolist() for rows in drawn])
        assert found is not None
        held += found.low <= truth <= found.high
    assert held >= 0.93 * papers  # 0.95, and what chance can do to a thousand
