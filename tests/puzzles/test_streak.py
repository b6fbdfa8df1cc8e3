"""How somebody has done so far: streaks, totals, a rating."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from duelbook.puzzles.rating import BY_LOOKS
from duelbook.puzzles.streak import (
    Progress,
    Tally,
    answered,
    best_streak,
    expected,
    streak,
    tally,
)

DAY_1 = date(2026, 1, 30)  # so that a month ends within the rows


def day(number: int) -> date:
    return DAY_1 + timedelta(days=number - 1)


def played(*rows: str) -> Progress:
    """Answers to daily puzzles: `3 right`, `3 wrong`, or `2 right on 3` where it was done on another day."""
    progress: Progress = {}
    for row in rows:
        number, how, *rest = row.split()
        when = int(rest[1]) if rest else int(number)
        progress = answered(progress, "tower", 1200, how == "right", today=day(when), daily=day(int(number)))
    return progress


STREAKS = [
    # answers, the day that is today, the streak, the best
    ([], 1, 0, 0),
    (["1 right"], 1, 1, 1),
    (["1 right"], 2, 1, 1),  # today's is still open
    (["1 right"], 3, 0, 1),  # a day was left out
    (["1 right", "2 right", "3 right"], 3, 3, 3),
    (["1 right", "2 right", "3 right"], 4, 3, 3),
    (["1 right", "2 wrong"], 2, 0, 1),  # a wrong first try ends it at once
    (["1 right", "2 wrong", "2 right"], 2, 0, 1),  # and the second try changes nothing
    (["1 right", "2 right", "2 wrong"], 2, 2, 2),
    (["1 right", "2 wrong", "3 right"], 3, 1, 1),
    (["1 right", "3 right"], 3, 1, 1),
    (["1 right", "2 right", "4 right"], 4, 1, 2),
    (["1 right", "3 right", "2 right on 3"], 3, 1, 1),  # a day is not made up for later
    (["2 right on 1", "1 right", "2 right"], 2, 0, 1),  # nor before
    (["1 wrong"], 2, 0, 0),
]


@pytest.mark.parametrize(("rows", "now", "current", "best"), STREAKS)
def test_streaks(rows: list[str], now: int, current: int, best: int) -> None:
    progress = played(*rows)
    assert streak(progress, day(now), "tower") == current
    assert best_streak(progress, "tower") == best
    assert streak(progress, day(now), "energy") == 0


def test_over_all_duels_a_day_counts_when_any_daily_does() -> None:
    progress = played("1 right", "2 wrong")
    progress = answered(progress, "energy", 1200, True, today=day(2), daily=day(2))
    assert (streak(progress, day(2)), best_streak(progress)) == (2, 2)
    assert streak(progress, day(2), "tower") == 0
    assert streak(progress, day(2), "energy") == 1
    assert streak(played("1 right", "2 wrong"), day(2)) == 1  # another duel's can still be solved today


def test_totals_and_rating() -> None:
    progress = played("1 right", "2 wrong", "2 right")
    assert tally(progress, "tower")[1:3] == (2, 1)
    one_more = answered(progress, "tower", 1200, True, today=day(2))
    assert tally(one_more, "tower")[1:3] == (3, 2)
    assert tally(one_more, "tower").dailies == tally(progress, "tower").dailies
    assert tally(progress, "tower")[1:3] == (2, 1), "what was there before is left as it was"
    assert tally(progress, "deck") == Tally()


def test_a_rating_moves_as_elo_says() -> None:
    assert expected(1200, 1200) == 0.5
    assert expected(1600, 1200) == pytest.approx(10 / 11)
    assert expected(1200, 1600) == pytest.approx(1 / 11)
    for puzzle, right, rating in [(1200, True, 1216), (1200, False, 1184), (1600, True, 1229.1), (800, True, 1202.9)]:
        after = answered({}, "tower", puzzle, right, today=day(1))
        assert tally(after, "tower").rating == rating
    assert Tally().rating == BY_LOOKS
