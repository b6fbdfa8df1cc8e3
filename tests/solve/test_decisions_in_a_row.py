"""Duels with luck in which players decide several times before luck acts, and may pass for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from duelbook import variant
from duelbook.core import LUCK, OVER
from duelbook.positions.hull import following
from duelbook.solving.solver import solve
from guests_helper import spoilt


def test_where_both_may_pass_every_position_has_its_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pig in which holding with an empty pot passes the turn, against a plain value iteration over all positions."""
    pig = spoilt(monkeypatch, tmp_path, "pig", "rules.py", "return s.pot > 0 if move", "return True if move")
    rules = variant(pig, ["goal=5", "sides=3"])
    solution = solve(pig, rules)
    states = [pig.start(rules, 0)]
    for state in states:
        states += [after for after in dict.fromkeys(following(pig, rules, state)) if after not in states]
    values = dict.fromkeys(states, 0.0)
    for _ in range(400):
        for state in states:
            turn, afters = pig.turn(rules, state), [values[after] for after in following(pig, rules, state)]
            if turn == OVER:
                values[state] = (1.0, -1.0)[pig.winner(rules, state)]
            else:
                values[state] = sum(afters) / len(afters) if turn == LUCK else (max if turn == 0 else min)(afters)
    for state in states:
        assert solution.value(state) == pytest.approx(values[state], abs=1e-9)
        if pig.turn(rules, state) < 2:
            assert sum(solution.plan(state, pig.turn(rules, state))) == 1
            assert min(option.lost for option in solution.options(state, pig.turn(rules, state))) < 1e-9
