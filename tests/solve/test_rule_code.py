"""A solution belongs to what the rules do: after a change of the code none that was kept is taken for the new one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from duelbook import Game, game_ids, load
from duelbook.positions.rule_code import code_hash
from duelbook.solving.cache import cache_folder, kept_file
from duelbook.solving.library import solution_for
from guests_helper import arrive, install


@pytest.fixture
def race(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "site").mkdir()
    return install(tmp_path / "site", "race", "sprint")


def loaded(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Game:
    arrive(monkeypatch, folder.parent)
    return load("sprint")


def change(folder: Path, old: str, new: str) -> None:
    file = folder / "rules.py"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new) + "\n\n# changed\n", encoding="utf-8")


def test_a_changed_rule_gets_a_new_solution_and_another_place_for_its_ladder(
    monkeypatch: pytest.MonkeyPatch, race: Path
) -> None:
    before = loaded(monkeypatch, race)
    start = before.start(before.book, 0)
    assert solution_for(before, before.book).value(start) == 1
    assert kept_file(before, before.book, ".solution").is_file()
    change(race, "return 1 - s.mover", "return s.mover")
    after = loaded(monkeypatch, race)
    for ending in (".solution", ".levels.json"):
        assert kept_file(after, after.book, ending) != kept_file(before, before.book, ending)
    assert solution_for(after, after.book).value(start) == -1
    assert len(list(cache_folder().glob("sprint-*.solution"))) == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("s.total + move + 1", "s.total + move + 2"),
        ("def apply(", "LEAST = 1\n\n\ndef apply("),
    ],
)
def test_the_hash_covers_constants_and_ignores_what_nobody_uses(
    monkeypatch: pytest.MonkeyPatch, race: Path, old: str, new: str
) -> None:
    before = code_hash(loaded(monkeypatch, race))
    change(race, old, new)
    assert (code_hash(loaded(monkeypatch, race)) == before) == ("LEAST" in new)


STEPS = """
LIMIT = 3
LIST = [3]
def helper(): return LIMIT
class Box:
    def held(self): return 1
"""


@pytest.mark.parametrize(
    ("body", "change"),
    [
        ("helper()", "LIMIT = 4"),
        ("helper()", "def helper(): return 5"),
        ("helper()", "helper.__code__ = (lambda: 5).__code__"),
        ("LIST[0]", "LIST[0] = 4"),
        ("Box().held()", "Box.held = lambda self: 2"),
        ("max(3, 4)", "def max(*each): return 3"),
        ("default", "turn.__defaults__ = (4,)"),
    ],
)
def test_what_a_game_does_is_remembered_only_as_long_as_it_does_it(body: str, change: str) -> None:
    """A file that is loaded again, or patched, fills the same names; the functions of a game that is held stay."""
    names: dict[str, Any] = {"__name__": "steps"}
    exec(f"{STEPS}\ndef turn(rules, state, default=3): return {body}", names)
    game = load("tower")._replace(turn=names["turn"])
    before = code_hash(game)
    assert code_hash(game) == before
    exec(change, names)
    assert code_hash(game) != before


def test_what_a_function_encloses_is_looked_at_each_time() -> None:
    held = 3

    def turn(rules: object, state: object) -> int:
        return held

    game = load("tower")._replace(turn=turn)
    before = code_hash(game)
    held = 4
    assert code_hash(game) != before


def test_rules_that_stand_are_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [load(id) for id in game_ids()]
    known = [code_hash(game) for game in games]
    monkeypatch.setattr("duelbook.positions.rule_code.sha256", None)
    assert [code_hash(game) for game in games] == known


def test_another_run_has_the_same_hashes() -> None:
    code = (
        "from duelbook import game_ids, load\nfrom duelbook.positions.rule_code import code_hash\n"
        "print(*[code_hash(load(id)) for id in game_ids()])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": "7"},
    )
    assert done.stdout.split() == [code_hash(load(id)) for id in game_ids()]
