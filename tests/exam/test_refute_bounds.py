"""Bounds on a chance that was only seen a number of times: held against what they promise."""

from __future__ import annotations

from math import comb

import pytest

from duelbook.exam.refuting.bounds import WRONG, at_least, at_most


@pytest.mark.parametrize("of", [1, 5, 30, 200])
def test_bounds_hold_as_often_as_they_say_whatever_the_chance_is(of: int) -> None:
    """Not sampled: how likely each count is, is known."""
    lows, highs = ([bound(seen, of) for seen in range(of + 1)] for bound in (at_least, at_most))
    for chance in (0.001, 0.03, 0.2, 0.5, 0.77, 0.98, 0.9999):
        likely = [comb(of, seen) * chance**seen * (1 - chance) ** (of - seen) for seen in range(of + 1)]
        assert sum(share for share, low in zip(likely, lows, strict=True) if low > chance) <= WRONG + 1e-12
        assert sum(share for share, high in zip(likely, highs, strict=True) if high < chance) <= WRONG + 1e-12


def test_nothing_and_everything() -> None:
    assert at_least(0, 10) == 0
    assert at_most(10, 10) == 1
    assert at_least(10, 10) == pytest.approx(WRONG ** (1 / 10))
    assert at_most(0, 10) == pytest.approx(1 - WRONG ** (1 / 10))


def test_many_games_can_be_counted() -> None:
    assert at_least(9_000, 10_000) == pytest.approx(0.894, abs=0.001)
