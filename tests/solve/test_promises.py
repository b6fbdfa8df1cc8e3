"""A guest in which both pick at once, no two picks weigh the same, and play comes back: its plans keep their bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from duelbook import Game, variant
from duelbook.core import BOTH, OVER
from duelbook.games import load
from duelbook.positions.machine import compiling
from duelbook.positions.size import Size
from duelbook.solving import solver
from duelbook.solving.certificate import check
from duelbook.solving.solver import solve
from guests_helper import arrive, install

ALWAYS = "    return move < 3\n\n\ndef left"
PULL = """    pulls = ((0, -2, 1), (2, 0, -1), (-1, 1, 0))
    pull = pulls[first][second]
    longest = 2 * rules.lives
    one, two = max(0, s.lives[0] + pull), max(0, s.lives[1] - pull)
    return State((min(longest, one), min(longest, two)), (0, 0))
"""


@pytest.fixture
def tug(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Game:
    """Three words on a short track, each beating one and beaten by one: by two steps or by one. Lives are steps."""
    file = install(tmp_path, "showdown", "tug") / "rules.py"
    text = file.read_text(encoding="utf-8")
    before, _, rest = text.partition("    if move == Move.LOAD:\n        return s.bullets[me]")
    text = before + ALWAYS + rest.partition("\n\n\ndef left")[2]
    before, _, rest = text.partition("    lives = (s.lives[0] - hit")
    text = before + PULL + "\n\ndef winner" + rest.partition("\n\n\ndef winner")[2]
    file.write_text(text, encoding="utf-8")
    arrive(monkeypatch, tmp_path)
    return load("tug")


@pytest.mark.parametrize("lives", [2, 3, 5])
def test_plans_keep_the_bounds_to_the_last_digit(tug: Game, lives: int) -> None:
    solution = solve(tug, variant(tug, [f"lives={lives}"]))
    certificate = check(solution)
    assert certificate.good, certificate.sentence
    assert certificate.error < 1e-13, certificate.sentence


def test_perfect_picks_lose_nothing_there(tug: Game) -> None:
    solution = solve(tug, tug.book)
    seen = [tug.start(tug.book, 0)]
    for state in seen:
        for seat in (0, 1):
            for pick, share in enumerate(solution.plan(state, seat)):
                assert share == 0 or solution.loss(state, seat, pick) == 0
        afters = [tug.resolve(tug.book, state, one, two) for one in tug.moves for two in tug.moves]
        seen += [each for each in dict.fromkeys(afters) if tug.turn(tug.book, each) == BOTH and each not in seen]
    assert {solution.value(state) for state in seen} >= {0.0}
    assert any(0 < solution.value(state) < 1 for state in seen)
    assert OVER not in {tug.turn(tug.book, state) for state in seen}


@pytest.mark.slow
def test_compiled_it_is_the_same(tug: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = solve(tug, tug.book)

    def at_once(size: Size) -> object:
        return compiling()

    monkeypatch.setattr(solver, "machine_for", at_once)
    compiled = solve(tug, tug.book)
    for one, two in zip(plain.facts, sorted(compiled.facts, key=plain.facts.index), strict=True):
        assert one == two
