"""The loops written by hand, against which the simulator is measured, play the same games as it does."""

from __future__ import annotations

import numpy as np
import pytest
from bench.selfplay import played_by_hand

from duelbook.simulate import simulate


@pytest.mark.slow
@pytest.mark.parametrize("id", ["deck", "secret"])
def test_the_loop_written_by_hand_plays_the_same_games(id: str) -> None:
    for seed, threads in ((1, 1), (2, 3)):
        whole = simulate(id, "random", "random", 30_000, seed=seed)
        assert np.array_equal(played_by_hand(id, 30_000, seed, threads), whole.lengths)
        assert whole.no_results == 0 or id == "secret", "the bell is met, too"
