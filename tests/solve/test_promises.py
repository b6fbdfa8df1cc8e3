"""A guest in which both pick at once, no two picks weigh the same, and play comes back: its plans keep their bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from duelbook import Game, variant
from duelbook.core import BOTH
from duelbook.solving.certificate import check
from duelbook.solving.solver import solve
from guests_helper import spoilt
from slow_helper import slow

WON_HEARTS = """    most = 2 * rules.hearts
    return State((min(most, one + s.hearts[1] - two), min(most, two + s.hearts[0] - one)))"""


@pytest.fixture(params=["round", "track"])
def guest(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Game:
    """Three words, one of which wins twice as much: equal words change nothing, and on a track what one loses the other
    has, so that play goes to and fro."""
    old = "    return State((one, two))"
    return spoilt(monkeypatch, tmp_path, "rps", "rules.py", old, WON_HEARTS if request.param == "track" else old)


@pytest.mark.parametrize("hearts", [1, 2, slow(4)])
def test_plans_keep_the_bounds_to_the_last_digit(guest: Game, hearts: int) -> None:
    certificate = check(solve(guest, variant(guest, [f"hearts={hearts}"])))
    assert certificate.good, certificate.sentence
    assert certificate.error < 1e-13, certificate.sentence


@pytest.mark.slow
def test_perfect_picks_lose_nothing_there(guest: Game) -> None:
    solution = solve(guest, guest.book)
    seen = [guest.start(guest.book, 0)]
    for state in seen:
        for seat in (0, 1):
            for pick, share in enumerate(solution.plan(state, seat)):
                assert share == 0 or solution.loss(state, seat, pick) == 0
        afters = [guest.resolve(guest.book, state, one, two) for one in guest.moves for two in guest.moves]
        seen += [each for each in dict.fromkeys(afters) if guest.turn(guest.book, each) == BOTH and each not in seen]
    assert any(0 < solution.value(state) < 1 for state in seen)
