"""A solution belongs to what the rules do: after a change of the code none that was kept is taken for the new one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
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


WAYS = {
    "a property": "class Box:\n  @property\n  def h(self): return {}\ndef turn(r, s): return Box().h",
    "a static method": "class Box:\n  @staticmethod\n  def h(): return {}\ndef turn(r, s): return Box.h()",
    "a class method": "class Box:\n  @classmethod\n  def h(cls): return {}\ndef turn(r, s): return Box.h()",
    "a constant of a class": "class Box:\n  H = {}\ndef turn(r, s): return Box.H",
    "an inherited method": "class A:\n  def h(self): return {}\nclass B(A): pass\ndef turn(r, s): return B().h()",
    "a default by name": "def turn(r, s, *, h={}): return h",
    "a cached function": "from functools import cache\n@cache\ndef h(): return {}\ndef turn(r, s): return h()",
    "a table of functions": "def h(): return {}\nTABLE = {{0: (h,)}}\ndef turn(r, s): return TABLE[0][0]()",
    "a function with an argument": "import functools\ndef h(x): return {}\ng = functools.partial(h, 1)\n"
    "def turn(r, s): return g()",
    "an object": "class Box:\n  def __init__(self): self.h = {}\nbox = Box()\ndef turn(r, s): return box.h",
    "a large array": "from array import array\nA = array('q', 5000 * [0])\nA[99] = {}\ndef turn(r, s): return A[99]",
    "an import within": "def turn(r, s):\n  from helping.hand import h\n  return h()",
    "a module of a module": "import helping.hand\ndef turn(r, s): return helping.hand.h()",
}


@pytest.mark.parametrize("way", WAYS)
def test_however_a_rule_is_reached_a_change_of_it_is_seen_and_another_run_sees_the_same(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(number: int) -> str:
        helping, hand = ModuleType("helping"), ModuleType("helping.hand")
        exec(f"def h(): return {number}", vars(hand))
        vars(helping).update(hand=hand, __path__=[])
        monkeypatch.setitem(sys.modules, "helping", helping)
        monkeypatch.setitem(sys.modules, "helping.hand", hand)
        names: dict[str, Any] = {"__name__": "steps"}
        exec(WAYS[way].format(number), names)
        kept.append(names)  # so that nothing is made where it was made before
        return code_hash(load("tower")._replace(turn=names["turn"]))

    kept: list[dict[str, Any]] = []
    assert told(3) == told(3)
    assert told(3) != told(4)


def test_functions_that_change_places_are_seen() -> None:
    def told(order: str) -> str:
        names: dict[str, Any] = {"__name__": "steps"}
        exec(
            f"def f(): return 0\ndef g(): return 1\nBOTH = {order}\ndef turn(r, s): return f() + g() + BOTH[0]()", names
        )
        return code_hash(load("tower")._replace(turn=names["turn"]))

    assert told("(f, g)") != told("(g, f)")


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
