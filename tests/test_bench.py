"""The benchmarks run where their peers are not installed: they say what is missing, and measure the rest."""

from __future__ import annotations

import json
import sys

import pytest
from bench import referee

from duelbook.games import ROOMS

MISSING = (
    "bench.openspiel_tower",
    "pyspiel",
    "open_spiel",
    "open_spiel.python.games",
    "pettingzoo",
    "pettingzoo.classic.tictactoe",
)


def test_the_referee_is_measured_without_its_peers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in MISSING:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(sys, "argv", ["referee", "--rounds", "1", "--seconds", "0.001", "--json"])
    referee.main()
    said = capsys.readouterr()
    assert [line.partition(" is left out, because ")[0] for line in said.err.splitlines()] == [
        "OpenSpiel",
        "PettingZoo",
    ]
    assert all(
        line.endswith("is not installed here. To have it: pip install -e '.[bench]'") for line in said.err.splitlines()
    )
    found = json.loads(said.out)
    assert (list(found["contenders"]), found["aims"]) == (list(ROOMS), [])
