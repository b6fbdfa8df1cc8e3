"""The agents of docs/train.md learn, in real processes; what the page says of long runs is what is stored of them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from duelbook import Examiner
from helpers import HANGING

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "train.md").read_text(encoding="utf-8")
SCRIPTS = ROOT / "docs" / "examples" / "train"
RESULTS = SCRIPTS / "results"
RUNS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("*-*.json"))}
NEEDS = {"ppo_tower.py": ["gymnasium", "torch", "sb3_contrib"], "q_learning.py": ["gymnasium"]}
SHORT = {"ppo_tower.py": ["--steps", "6000"], "q_learning.py": ["--steps", "20000", "--every", "5000"]}


def points(share: float) -> str:
    return f"{100 * share:.2f}"


def script(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    monkeypatch.delitem(sys.modules, name, raising=False)
    found = import_module(name)
    monkeypatch.delitem(sys.modules, name)
    return found


@pytest.mark.parametrize("name", NEEDS)
def test_a_script_has_less_than_a_hundred_lines(name: str) -> None:
    assert len((SCRIPTS / name).read_text(encoding="utf-8").splitlines()) < 100


@pytest.mark.slow
@pytest.mark.parametrize("line", re.findall(r"^\$ python (docs/examples/train/.*)$", PAGE, re.MULTILINE))
def test_every_command_of_the_page_learns(line: str, tmp_path: Path) -> None:
    path, *words = line.split()
    name = Path(path).name
    for needed in NEEDS[name]:
        if find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed: pip install 'duelbook[train]'")
    command = [sys.executable, "-W", "error", path, *words, *SHORT[name], "--out", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANGING)
    assert done.returncode == 0, done.stderr
    (file,) = tmp_path.glob("*.json")
    about = json.loads(file.read_text(encoding="utf-8"))
    assert {**about, "curve": []} == {**RUNS[file.stem], "curve": []}
    first, *_, last = about["curve"]
    assert len(done.stdout.splitlines()) == len(about["curve"])
    assert last[1] < 0.9 * first[1]
    assert file.with_suffix(".npy").exists()


@pytest.mark.slow
@pytest.mark.parametrize("run", RUNS)
def test_the_stored_policy_is_worth_what_the_curve_ends_with(run: str) -> None:
    import numpy as np

    about = RUNS[run]
    _, lost, exploitable, *_ = about["curve"][-1]
    found = Examiner(about["duel"]).judge(np.load(RESULTS / f"{run}.npy"))
    assert found.lost == pytest.approx(lost, abs=1e-6)
    assert found.exploitability == pytest.approx(exploitable, abs=1e-6)


def test_the_figures_of_the_page_are_those_of_the_runs() -> None:
    text = " ".join(PAGE.split())
    itself, other = RUNS["ppo-tower-self"]["curve"], RUNS["ppo-tower-level-3"]["curve"]
    steps, least, *_ = min(other, key=lambda point: point[1])
    assert (
        f"least after {steps:,} steps, {points(least)} points per decision, and doubled to {points(other[-1][1])}"
        in text
    )
    assert f"takes all there is, {points(other[-1][2])} points" in text
    assert f"wins {100 * other[-1][3]:.0f} of 100 games" in text
    assert f"loses {points(itself[-1][1])} points per decision in the end" in text
    assert f"takes {points(itself[-1][2])}. (After" in text
    steps, least, *_ = min(itself, key=lambda point: point[1])
    assert f"After {steps:,} steps it had been better still, {points(least)}" in text
    steps, *_ = next(point for point in RUNS["q-energy"]["curve"] if point[1] == point[2] == 0)
    assert f"perfect in energy after {steps:,} steps" in text
    conquer = RUNS["q-conquer"]["curve"]
    steps, lost, _ = next(point for point in conquer if point[2] < 1e-9)
    assert f"After {steps:,} steps nobody" in text
    assert f"loses {points(lost)} points per decision" in text
    assert f"After three million it is {points(conquer[-1][1])}" in text
    assert conquer[-1][0] == 3_000_000


def test_the_table_of_the_page_is_the_stored_one(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy", reason="NumPy is not installed")
    stored = json.loads((RESULTS / "table.json").read_text(encoding="utf-8"))
    assert script("table", monkeypatch).written(stored) in PAGE


@pytest.mark.slow
def test_the_stored_table_is_true_of_the_trained_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    table = script("table", monkeypatch)
    stored = json.loads((RESULTS / "table.json").read_text(encoding="utf-8"))
    for name in table.TRAINED:
        assert table.trained(name) == {duel: pytest.approx(row) for duel, row in stored[name].items()}


@pytest.mark.slow
def test_the_pictures_are_drawn_from_the_stored_runs(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPTS / "draw.py"), str(tmp_path)]
    subprocess.run(command, check=True, timeout=HANGING)
    drawn = sorted(tmp_path.glob("*.svg"))
    assert [path.name for path in drawn] == ["train-ppo.svg", "train-q.svg"]
    for path in drawn:
        assert path.read_bytes() == (ROOT / "docs" / "pictures" / path.name).read_bytes(), path.name
