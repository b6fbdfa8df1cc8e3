"""A few kills of the torture tool, so that it cannot rot. The full run is `python tests/torture/kill.py`."""

from __future__ import annotations

import pytest

from slow_helper import slow
from torture.kill import torture


@pytest.mark.parametrize("kills", [4, slow(16)])
def test_no_answered_move_is_lost_when_the_program_is_killed(kills: int) -> None:
    report = torture(kills=kills, seed=20)
    assert report.lost == []
    assert report.tally["kills"] == kills
    assert report.steps > 0
