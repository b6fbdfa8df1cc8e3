"""Losses and results with the luck taken off: exact, unbiased, and as sure as they say."""

from __future__ import annotations

from math import fsum

import pytest
from bench.rehearsal import needed, table_of

from duelbook.arena.judge.quality import loss, qualities, reduced_score, scores
from duelbook.arena.play.results import Result, Task, counted
from duelbook.core import DRAW, FIRST, SECOND
from duelbook.intervals import Estimate, ratio, share, student
from duelbook.luck import mix
from duelbook.policies.levels import score
from slow_helper import slow_if
from verdicts_helper import held

GAMES = ("conquer", "deck", "energy", "secret", "tower")


def game(number: int, first: tuple[float, ...], second: tuple[float, ...] = (), winner: int = 0) -> Result:
    """A game of entrant 0 in the first seat in even games, in the second seat in odd ones."""
    seats = (0, 1) if number % 2 == 0 else (1, 0)
    return Result(Task(number, number // 2, "tower", (), seats, 1, 200), winner, "", 9, losses=(first, second))


# Intervals


@pytest.mark.parametrize(
    ("freedom", "known"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (10, 2.2281), (30, 2.0423), (10_000, 1.9602)],
)
def test_student_is_as_in_the_tables(freedom: int, known: float) -> None:
    assert student(freedom) == pytest.approx(known, abs=0.001)


def test_a_mean_of_one_has_no_interval() -> None:
    assert ratio([0.5], [1.0]) is None
    assert ratio([0.5, 0.5], [1.0, 1.0]) == Estimate(0.5, 0.5, 0.5)


def test_a_ratio_weighs_clusters_by_what_they_hold() -> None:
    found = ratio([1.0, 0.0, 3.0], [2.0, 1.0, 3.0])
    assert found is not None
    assert found.value == pytest.approx(4 / 6)
    assert ratio([1.0, 2.0], [0.0, 0.0]) is None


def test_intervals_of_clusters_hold_the_truth_as_often_as_they_say() -> None:
    """Decisions of a pair go together, and the interval must know it: 25 pairs of 8 that are much alike."""
    inside = 0
    for repeat in range(400):
        sums, counts = [], []
        for pair in range(25):
            often = mix(3, repeat, pair) / 2**64  # what this pair is like
            lost = [mix(4, repeat, pair, at) / 2**64 < often for at in range(8)]
            sums.append(float(sum(lost)))
            counts.append(8.0)
        found = ratio(sums, counts)
        assert found is not None
        inside += found.low <= 0.5 <= found.high
    assert 0.92 <= inside / 400 <= 0.98


# Losses


def test_loss_is_over_decisions_and_its_interval_over_pairs() -> None:
    found = loss([game(0, (0.0, 0.2)), game(1, (), (0.1,)), game(2, (0.0, 0.0, 0.3)), game(3, (), (0.0,))], 0)
    assert found is not None
    assert found.mean == pytest.approx(0.6 / 7)
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low < found.mean < found.high
    assert (found.decisions, found.games) == (7, 4)
    assert found.perfect == pytest.approx(4 / 7)


def test_one_pair_has_no_interval_and_unsolved_games_have_no_loss() -> None:
    alone = loss([game(0, (0.0, 0.2))], 0)
    assert alone is not None
    assert (alone.low, alone.high) == (None, None)
    assert loss([game(0, ())], 0) is None


def test_who_never_lost_anything_may_still_lose_something_some_day() -> None:
    found = loss([game(number, (0.0,) * 3, (0.0,) * 3) for number in range(20)], 0)
    assert found is not None
    assert (found.mean, found.low, found.perfect) == (0, 0, 1)
    assert found.high == pytest.approx(3 / 10)  # three in ten pairs, and those may lose everything
    assert not found.exact


def test_long_games_are_not_more_games() -> None:
    """What a pair says about the next one does not depend on how many decisions it had."""
    alone = loss([game(0, (0.0,) * 30), game(1, (), (0.0,) * 30)], 0)
    assert alone is not None
    assert (alone.low, alone.high, alone.decisions) == (None, None, 60)
    short, long = (loss([game(at, (0.0,) * each, (0.0,) * each) for at in range(20)], 0) for each in (1, 50))
    assert short is not None
    assert long is not None
    assert short.high == long.high


def test_losses_that_do_not_vary_are_measured_all_the_same() -> None:
    found = loss([game(at, (0.1,), (0.1,)) for at in range(20)], 0)
    assert found is not None
    assert found.mean == pytest.approx(0.1)
    assert not found.exact
    # Other pairs are rarer than three in ten; they may lose nothing, or everything.
    assert (found.low, found.high) == pytest.approx((0.07, 0.37))


def test_no_interval_leaves_the_range_of_losses() -> None:
    found = loss([game(0, (1.0, 0.9)), game(2, (0.1,)), game(4, (1.0,))], 0)
    assert found is not None
    assert (found.low, found.high) == (0.0, 1.0)


@pytest.mark.slow
def test_losses_are_those_of_the_exact_table() -> None:
    """What real games lost, by duel and seat, against what the ladder says that they lose."""
    finished = held(("level:4", "level:3"), ("tower", "energy", "deck"), 200, bots=2)
    for quality, kind, other in zip(
        qualities(finished.programme.plan.entrants, finished.results),
        ("level:4", "level:3"),
        ("level:3", "level:4"),
        strict=True,
    ):
        assert len(quality.parts) == 6
        for (duel, seat), found in quality.parts.items():
            table = table_of(duel)
            exact = table[(kind, other) if seat == 0 else (other, kind)].loss_per_decision(seat)
            assert found.low is not None
            assert found.high is not None
            margin = (found.high - found.low) / 2
            assert abs(found.mean - exact) < 2 * margin  # four standard errors


# Results with the luck taken off


@pytest.mark.slow
@pytest.mark.parametrize("id", [slow_if(id == "secret", id) for id in GAMES])
def test_start_luck_guess_and_losses_add_up_to_the_result(id: str) -> None:
    finished = held(("level:4", "level:3"), (id,), 4 if id == "secret" else 30, bots=2)
    for result in counted(finished.results):
        if result.winner is None:
            continue
        worth = {FIRST: 1.0, SECOND: -1.0, DRAW: 0.0}[result.winner]
        given = 2 * (fsum(result.losses[1]) - fsum(result.losses[0]))
        assert result.start + result.luck + result.guess + given == pytest.approx(worth, abs=1e-9)


def test_without_luck_nothing_is_taken_off() -> None:
    finished = held(("level:4", "level:3"), ("tower",), 30, bots=2)
    assert all(reduced_score(result, 0) == result.score(0) for result in finished.results)


@pytest.mark.slow
def test_both_seats_share_what_there_is() -> None:
    finished = held(("level:4", "level:3"), ("deck",), 150, bots=2)
    for result in finished.results:
        assert reduced_score(result, 0) + reduced_score(result, 1) == pytest.approx(1)


@pytest.mark.slow
def test_the_score_less_luck_is_unbiased_and_surer() -> None:
    """Real games of deck against the exact score: both ways are right on average, one of them with less noise."""
    finished = held(("level:4", "level:3"), ("deck",), 800, bots=2, seed=5)
    exact = score(table_of("deck"), "level:4", "level:3")
    found = scores(finished.results, 0)
    assert found.counted is not None
    assert found.reduced is not None
    for estimate in (found.counted, found.reduced):
        assert abs(estimate.value - exact) < 1.5 * estimate.margin  # three standard errors
    assert found.counted.margin > 1.14 * found.reduced.margin  # a third more games to be as sure


@pytest.mark.slow
def test_the_guess_is_no_luck() -> None:
    """In secret nothing is taken off a result: the guess has a mean of its own between players who err."""
    finished = held(("level:4", "level:3"), ("secret",), 4, bots=2)
    assert any(result.guess for result in finished.results)
    assert all(reduced_score(result, 0) == result.score(0) for result in finished.results)


# How many games


@pytest.mark.slow
def test_in_a_duel_with_luck_losses_need_fewer_games_than_wins() -> None:
    finished = held(("level:4", "level:3"), ("deck",), 800, bots=2, seed=5)
    table = table_of("deck")
    found = needed(finished.results, score=score(table, "level:4", "level:3") - 0.5)
    assert found.wins.games is not None
    assert found.reduced.games is not None
    assert found.loss.games is not None
    assert found.reduced.games < 0.8 * found.wins.games
    assert found.loss.games < 0.8 * found.wins.games
    assert found.wins.games % 2 == 0


@pytest.mark.parametrize(
    ("better", "worse", "duel"), [("level:5", "level:4", "energy"), ("level:5", "level:3", "tower")]
)
@pytest.mark.slow
def test_the_needed_number_of_games_is_enough_nineteen_times_in_twenty(better: str, worse: str, duel: str) -> None:
    """Held against itself: matches of that length, drawn from the games that were played. Where two are wide apart, a
    few pairs are enough, and those know little of their own spread."""
    finished = held((better, worse), (duel,), 400, bots=2)
    games = needed(finished.results).wins.games
    assert games is not None
    pairs = [finished.results[at : at + 2] for at in range(0, len(finished.results), 2)]
    shown = 0
    for repeat in range(300):
        drawn = [pairs[mix(6, repeat, at) % len(pairs)] for at in range(games // 2)]
        points = [fsum(each.score(each.seat_of(0)) for each in pair) / 2 for pair in drawn]
        found = ratio(points, [1.0] * len(points))
        assert found is not None
        shown += found.low > 0.5
    assert 0.9 <= shown / 300 <= 0.99


def test_where_there_is_no_difference_no_number_of_games_shows_it() -> None:
    assert needed([game(number, (0.1,), (0.1,), winner=0) for number in range(8)]).wins.games is None


@pytest.mark.parametrize(
    ("points", "low", "high"), [([1.0, 1.0], 0.0, 1.0), ([1.0] * 10, 0.36, 0.64), ([2.0] * 40, 0.92, 1.0)]
)
def test_a_few_scores_that_are_alike_are_no_certainty(points: list[float], low: float, high: float) -> None:
    found = share(points, [2.0] * len(points))
    assert found is not None
    assert found.value == points[0] / 2
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.01)


def test_a_share_lies_between_none_and_all() -> None:
    assert share([2.0], [2.0]) is None
    for points in ([0.0, 2.0], [0.0, 0.0], [-0.2, 0.1, 0.0], [2.3, 1.9, 2.1]):
        found = share(points, [2.0] * len(points))
        assert found is not None
        assert 0 <= found.low <= found.high <= 1
