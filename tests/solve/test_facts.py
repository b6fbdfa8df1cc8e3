"""Facts stand in the list once, and two that differ in anything are two."""

from __future__ import annotations

import pytest

from duelbook.positions.machine import Machine, compiling, plain
from duelbook.solving import facts
from duelbook.solving.facts import facts_in
from duelbook.solving.promises import Bracketed
from slow_helper import slow

NODES = [
    (0.0, 0.0, (1.0, 0.0), (1.0, 0.0)),
    (-0.0, 0.0, (1.0, 0.0), (1.0, 0.0)),
    (0.0, 0.0, (1.0, 0.0), (0.0, 1.0)),
    (0.0, 0.0, (1.0, 0.0), (1.0, 0.0)),
    (0.0, 2e-16, (1.0, 0.0), (1.0, 0.0)),
    (0.0, 0.0, (0.5, 0.5), (1.0, 0.0)),
    (-0.0, 0.0, (1.0, 0.0), (1.0, 0.0)),
]


@pytest.fixture(params=["plain", slow("compiled")])
def machine(request: pytest.FixtureRequest) -> Machine:
    return plain() if request.param == "plain" else compiling()


@pytest.mark.parametrize("all_alike", [False, True])
def test_every_node_has_its_own_fact(machine: Machine, all_alike: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if all_alike and not machine.compiled:  # all are looked for in the same place
        monkeypatch.setattr(facts, "slot_for", lambda *_: 0)
    lows, highs, firsts, seconds = zip(*NODES, strict=True)
    columns = (lows, highs, [share for plan in firsts for share in plan], [share for plan in seconds for share in plan])
    found, places = facts_in(Bracketed(*(machine.array(list(map(float, column))) for column in columns)), 2, machine)
    assert len(found) == 5
    assert [repr((fact.low, fact.high, fact.first, fact.second)) for fact in (found[at - 1] for at in places)] == [
        repr(node) for node in NODES
    ]
