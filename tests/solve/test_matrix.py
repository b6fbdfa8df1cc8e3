"""Small matrix games: known values, and whatever comes out is what the plans really guarantee."""

from __future__ import annotations

import numpy as np
import pytest

from duelbook.positions.machine import Machine, compiling, plain
from duelbook.solving.matrix import guaranteed, solve_matrix
from duelbook.solving.simplex import COLUMN, ROW
from slow_helper import slow

MACHINES = {"plain": plain(), "compiled": compiling()}


@pytest.fixture(params=["plain", slow("compiled")])
def machine(request: pytest.FixtureRequest) -> Machine:
    return MACHINES[request.param]


def solved(machine: Machine, rows: list[list[float]]) -> tuple[float, float]:
    height, width = len(rows), len(rows[0])
    payoff, one, two = (
        np.array(numbers, float) for numbers in ([number for row in rows for number in row], [0] * height, [0] * width)
    )
    if not machine.compiled:
        payoff, one, two = payoff.tolist(), one.tolist(), two.tolist()
    low, high = machine.twin(solve_matrix)(payoff, height, width, one, two)
    assert machine.twin(guaranteed)(payoff, height, width, one, ROW) == pytest.approx(low, abs=1e-12)
    assert machine.twin(guaranteed)(payoff, height, width, two, COLUMN) == pytest.approx(-high, abs=1e-12)
    assert min(one) >= 0
    assert sum(one) == pytest.approx(1)
    assert min(two) >= 0
    assert sum(two) == pytest.approx(1)
    return low, high


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
def test_known_games(machine: Machine, rows: list[list[float]], value: float) -> None:
    for _ in range(2):  # the second time plain Python looks it up
        low, high = solved(machine, rows)
        assert low == pytest.approx(value, abs=1e-9)
        assert high == pytest.approx(value, abs=1e-9)


def test_random_games_close_their_gap(machine: Machine) -> None:
    random = np.random.default_rng(7)
    for _ in range(300):
        shape = random.integers(1, 11, 2)
        payoff = random.choice([-1.0, -0.5, 0.0, 0.5, 1.0, 0.123], size=shape)
        low, high = solved(machine, payoff.tolist())
        assert high - low <= 1e-9


def test_near_ties_do_not_make_it_stumble(machine: Machine) -> None:
    random = np.random.default_rng(8)
    for _ in range(300):
        payoff = random.choice([-1.0, 1.0, 1 - 1e-10, -1 + 1e-12, 0.5], size=(9, 9))
        low, high = solved(machine, payoff.tolist())
        assert high - low <= 1e-9
