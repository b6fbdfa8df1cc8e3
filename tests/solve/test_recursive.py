"""Play that comes back to where it was: bounds are guaranteed, however slowly they come closer."""

from __future__ import annotations

from operator import lt

import pytest

from duelbook import load, variant
from duelbook.positions.machine import plain
from duelbook.solving import recursive
from duelbook.solving.groups import components
from duelbook.solving.promises import solve_recursive
from duelbook.solving.recursive import bracket, explore_simultaneous

AGAIN, WON, LOST, DRAWN = 0, -1, -2, -3


def test_bounds_that_come_closer_ever_more_slowly_are_given_up_and_still_hold() -> None:
    """Everett's runner: who stays while watched waits, who runs while watched is caught, and otherwise gets home.

    It is worth 1, and no plan guarantees quite that: each turn of play adds less than the one before.
    """
    after = [AGAIN, WON, WON, LOST]
    machine = plain()
    groups = machine.twin(components)(after, 1)
    low, high, first, _ = solve_recursive(after, 2, groups, machine)
    assert 0.99 < low[0] < 1.0
    assert high[0] == 1.0
    staying, running = first
    assert 0 < running < staying


def test_a_group_that_is_no_different_from_an_earlier_one_has_its_bounds_and_plans() -> None:
    """Three runners: the third is hunted as the first is; the second, whom a faster hunter follows, is not."""
    runner, hunted = [AGAIN, WON, WON, LOST], [AGAIN, WON, DRAWN, LOST]
    after = [
        target if target < 0 else 2 * node for node, each in enumerate((runner, hunted, runner)) for target in each
    ]
    machine = plain()
    groups = machine.twin(components)(after, 3)
    assert machine.twin(bracket)(after, 2, *groups)[4] == [0, 1, 0]
    low, high, first, second = solve_recursive(after, 2, groups, machine)
    assert (low[2], high[2], first[4:], second[4:]) == (low[0], high[0], first[:2], second[:2])
    assert low[1] < low[0]


@pytest.mark.parametrize("slots", [1, recursive.SLOTS])
def test_what_is_copied_from_another_group_is_what_would_be_found_there(
    slots: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one slot every group is held against another, and all are different."""
    game, machine = load("secret"), plain()
    after = explore_simultaneous(game, variant(game, ["hp=5", "highest=4"]), machine).after
    picks = len(game.moves)
    groups = machine.twin(components)(after, len(after) // picks**2)
    monkeypatch.setattr(recursive, "SLOTS", slots)
    found = solve_recursive(after, picks, groups, plain())
    like = plain().twin(bracket)(after, picks, *groups)[4]
    assert any(map(lt, like, [0, *groups[1]])) == (slots > 1)
    monkeypatch.setattr(recursive, "_no_different", lambda *_: False)
    assert found == solve_recursive(after, picks, groups, plain())
