"""A few kills of the torture tool, so that it cannot rot. The full run is `python tests/torture/kill.py`."""

from __future__ import annotations

from torture.kill import torture


def test_no_answered_move_is_lost_when_the_program_is_killed() -> None:
    report = torture(kills=16, seed=20)
    assert report.lost == []
    assert report.tally["kills"] == 16
    assert report.steps > 0
