"""Small matrix games: known values, and whatever comes out is what the plans really guarantee."""

from __future__ import annotations

import numpy as np
import pytest

from duelbook.solve.matrix import guaranteed_to_column, guaranteed_to_row, solve_matrix


def solved(rows: list[list[float]]) -> tuple[float, float, list[float], list[float]]:
    payoff = np.array(rows)
    height, width = payoff.shape
    one, two = np.empty(height), np.empty(width)
    low, high = solve_matrix(payoff, height, width, one, two)
    assert guaranteed_to_row(payoff, height, width, one) == pytest.approx(low, abs=1e-12)
    assert guaranteed_to_column(payoff, height, width, two) == pytest.approx(high, abs=1e-12)
    assert one.min() >= 0
    assert one.sum() == pytest.approx(1)
    assert two.min() >= 0
    assert two.sum() == pytest.approx(1)
    return low, high, one.tolist(), two.tolist()


@pytest.mark.parametrize(
    ("rows", "value"),
    [
        ([[3.0]], 3),
        ([[1, -1], [-1, 1]], 0),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0),
        ([[2, 0], [0, 1]], 2 / 3),
        ([[1, 2], [3, 4]], 3),
        ([[4, 1, 8, 3, 1], [2, 3, 1, 8, 3], [0, 4, 0, 7, 4]], 2.5),
        ([[0.0, 0.0], [0.0, 0.0]], 0),
        ([[1, 1], [1, 1 - 1e-10]], 1),
        ([[1, -1, 1 - 1e-10], [-1, 1, 1]], 0),
    ],
)
def test_known_games(rows: list[list[float]], value: float) -> None:
    low, high, _, _ = solved(rows)
    assert low == pytest.approx(value, abs=1e-9)
    assert high == pytest.approx(value, abs=1e-9)


def test_random_games_close_their_gap() -> None:
    random = np.random.default_rng(7)
    for _ in range(300):
        shape = random.integers(1, 11, 2)
        payoff = random.choice([-1.0, -0.5, 0.0, 0.5, 1.0, 0.123], size=shape)
        low, high, _, _ = solved(payoff.tolist())
        assert high - low <= 1e-9


def test_near_ties_do_not_make_it_stumble() -> None:
    random = np.random.default_rng(8)
    for _ in range(300):
        payoff = random.choice([-1.0, 1.0, 1 - 1e-10, -1 + 1e-12, 0.5], size=(9, 9))
        low, high, _, _ = solved(payoff.tolist())
        assert high - low <= 1e-9
