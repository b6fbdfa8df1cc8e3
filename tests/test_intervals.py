"""Intervals hold their own estimates and never leave the range of what they estimate, whatever is counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duelbook.arena.judge.findings import findings
from duelbook.arena.judge.quality import loss, scores
from duelbook.arena.play.results import Result, Task
from duelbook.arena.play.tournament import Finished
from duelbook.arena.report.sections import score_span
from duelbook.coach.review import interval
from duelbook.intervals import Estimate, part, ratio, share, within
from verdicts_helper import held

LOSS = st.floats(0, 1)
CLUSTERS = st.lists(st.lists(LOSS, min_size=1, max_size=5), max_size=8)
"""What the decisions of some pairs or games lost."""


def sums(clusters: list[list[float]]) -> tuple[list[float], list[float]]:
    return [sum(each) for each in clusters], [float(len(each)) for each in clusters]


def holds(found: Estimate | None, low: float = 0.0, high: float = 1.0) -> bool:
    return found is None or low <= found.low <= found.value <= found.high <= high


@given(CLUSTERS)
def test_what_decisions_lose(clusters: list[list[float]]) -> None:
    assert holds(part(*sums(clusters)))
    assert holds(interval(clusters * 5))


@given(st.lists(st.tuples(st.floats(-3, 5), st.sampled_from([1.0, 2.0])), max_size=8))
def test_shares_of_points_with_and_without_luck(pairs: list[tuple[float, float]]) -> None:
    """Luck that is taken off can bring what was scored below nothing, or above everything."""
    assert holds(share([points for points, _ in pairs], [games for _, games in pairs]))


@given(st.lists(st.floats(-1e6, 1e6), max_size=8))
def test_ratios_of_anything(values: list[float]) -> None:
    assert holds(ratio(values, [2.0] * len(values)), float("-inf"), float("inf"))


@given(st.floats(-9, 9), st.floats(0, 9), st.floats(0, 9))
def test_a_range_takes_in_estimates_and_ends_alike(value: float, below: float, above: float) -> None:
    found = Estimate(value, value - below, value + above)
    assert holds(within(found))
    if 0 <= found.low <= found.high <= 1:
        assert within(found) == found


GAMES = st.lists(
    st.tuples(
        st.lists(LOSS, max_size=3), st.lists(LOSS, max_size=3), st.floats(-2, 2), st.sampled_from([0, 1, 2, None])
    ),
    max_size=12,
)


@given(GAMES)
def test_losses_and_scores_of_whole_games(played: list[tuple[list[float], list[float], float, int | None]]) -> None:
    results = [
        Result(
            Task(at, at // 2, "deck", (), (at % 2, 1 - at % 2), 0, 9), won, "", 9, None, (tuple(a), tuple(b)), luck=luck
        )
        for at, (a, b, luck, won) in enumerate(played)
    ]
    for entrant in (0, 1):
        found = loss(results, entrant)
        if found is not None and found.low is not None and found.high is not None:
            assert 0 <= found.low <= found.mean <= found.high <= 1
        assert holds(scores(results, entrant).counted)
        assert holds(scores(results, entrant).reduced)


def test_a_score_less_luck_is_never_more_than_all() -> None:
    """`101.4 (0 to 100)` was shown for a bot that won everything against the luck."""
    unlucky = [
        Result(
            Task(at, at // 2, "deck", (), (at % 2, 1 - at % 2), 0, 9), at % 2, "", 9, luck=-0.1 if at % 2 == 0 else 0.1
        )
        for at in range(8)
    ]
    found = scores(unlucky, 0).reduced
    assert found is not None
    assert found.value == found.high == 1
    assert score_span(found).startswith("100.0 (")


@pytest.mark.slow
def test_everything_that_a_tournament_shows_holds_its_own_estimate() -> None:
    finished = held(("level:5", "level:3", "random", "perfect"), ("tower", "deck"), 12, bots=2)
    for games in (finished.results, finished.results[:16], finished.results[:4]):
        found = findings(Finished(finished.programme, games))
        for quality in found.qualities:
            for each in (quality.overall, *quality.parts.values()):
                if each is not None and each.low is not None and each.high is not None:
                    assert 0 <= each.low <= each.mean <= each.high <= 1
        for score in found.scores:
            assert holds(score.counted)
            assert holds(score.reduced)
        for row in found.ratings.rows:
            assert row.low <= row.rating <= row.high
        for seat in found.ratings.seats.values():
            assert seat.low <= seat.value <= seat.high
