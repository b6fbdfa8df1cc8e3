"""Play that comes back to where it was: bounds are guaranteed, however slowly they come closer."""

from __future__ import annotations

from duelbook.positions.machine import plain
from duelbook.solving.recursive import bracket, components

AGAIN, WON, LOST = 0, -1, -2


def test_bounds_that_come_closer_ever_more_slowly_are_given_up_and_still_hold() -> None:
    """Everett's runner: who stays while watched waits, who runs while watched is caught, and otherwise gets home.

    It is worth 1, and no plan guarantees quite that: each turn of play adds less than the one before.
    """
    after = [AGAIN, WON, WON, LOST]
    machine = plain()
    order, ends = machine.twin(components)(after, 1)
    low, high, first, _, _ = machine.twin(bracket)(after, 2, order, ends)
    assert 0.99 < low[0] < 1.0
    assert high[0] == 1.0
    staying, running = first
    assert 0 < running < staying
