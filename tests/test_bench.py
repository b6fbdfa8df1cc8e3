"""The benchmarks run where their peers are not installed: they say what is missing, and measure the rest."""

from __future__ import annotations

import json
import sys
from statistics import fmean

import pytest
from bench import exam, referee

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


def test_drawn_exams_have_the_exact_mean() -> None:
    duel = exam.laid("energy")
    means, _ = exam._apart(duel, exam.BETTER, exam.WORSE)
    for said in (means, None):
        drawn = exam._Exams(duel, (exam.BETTER, exam.WORSE), said, seed=1)._drawn(100_000)
        assert fmean(drawn) == pytest.approx(duel.mean(means), abs=0.01)


def test_the_exam_is_held_against_games(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["exam", "--duels", "energy", "--pairs", "20", "--json"])
    exam.main()
    found = json.loads(capsys.readouterr().out)
    levels, habit = found["decisions"]["energy"]
    assert levels["players"] == ["level:4", "level:3"]
    assert habit["players"][0] == "perfect"
    assert levels["decisions"]["exam, plans said"] < levels["decisions"]["exam, asked"]
    assert levels["decisions"]["drawn at best"] < levels["decisions"]["exam, asked"]
    assert all(count > 1 for each in (levels, habit) for count in each["decisions"].values())
    assert [aim["least"] for aim in found["aims"]] == [10.0] * 4


def test_what_wins_never_tell_is_left_out_of_the_sum() -> None:
    known = {exam.ASKED: 10, exam.SAID: 5, exam.LOSS: None, exam.WINS: 100}
    never = known | {exam.WINS: None}
    found = {"one": [exam.Apart(("a", "b"), known)], "two": [exam.Apart(("a", "b"), never)]}
    assert exam.summed(found, 0, exam.ASKED) == (10, 100)
    assert exam.summed(found, 0, exam.LOSS) == (0, 0)
