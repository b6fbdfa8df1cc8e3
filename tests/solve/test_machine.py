"""The same functions as plain Python and as machine code."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from array import array
from pathlib import Path
from typing import Any

import numba
import pytest
from numba import njit
from numba.core import caching

from duelbook import DuelError, load, variant
from duelbook.positions import compiler, numbers, size
from duelbook.positions.compiler import keep_by, kept
from duelbook.positions.kind import kind_of
from duelbook.positions.machine import compiling, machine_for, need_compiler, plain
from duelbook.positions.rule_code import functions_hash
from duelbook.positions.size import measured
from duelbook.solving.matrix import solve_matrix
from duelbook.solving.solver import solve


def doubled(number: int) -> int:
    return 2 * number


def test_where_nothing_can_be_kept_it_is_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only install without a home folder: Numba itself refuses to keep anything then, with a traceback."""
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])
    assert kept(doubled)(21) == 42
    assert kept(doubled)(4) == 8


def made_on_the_spot(amount: int) -> Any:
    """A function that calls another one, both made anew each time, as the walks through a duel are."""
    add = njit(lambda number: number + amount)
    return njit(lambda number: 2 * add(number))


class TestKeptByKey:
    """What was compiled from functions that are new in every run is found again by what they do."""

    def test_it_is_compiled_once_for_each_key(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
        key, other = functions_hash(made_on_the_spot(1)), functions_hash(made_on_the_spot(2))
        assert key == functions_hash(made_on_the_spot(1)) != other
        again = [
            keep_by(key, made_on_the_spot(1)),
            keep_by(key, made_on_the_spot(1)),
            keep_by(other, made_on_the_spot(2)),
        ]
        assert [function(20) for function in again] == [42, 42, 44]
        assert [len(function.stats.cache_hits) for function in again] == [0, 1, 0]

    def test_a_damaged_file_is_as_good_as_none(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
        assert keep_by("key", made_on_the_spot(1))(20) == 42
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        for path in files:
            path.write_bytes(b"damaged")
        assert files
        assert keep_by("key", made_on_the_spot(1))(20) == 42

    def test_a_file_of_another_version_is_begun_again(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """Numba reads it before it looks at the version, and what it names may be there no more."""
        monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
        assert kept(doubled)(21) == 42
        for path in tmp_path.rglob("*.nbi"):
            path.write_bytes(pickle.dumps(numba.__version__) + b"cduelbook.core\nGone\n.")
        assert kept(doubled)(21) == 42
        again = kept(doubled)
        assert (again(21), len(again.stats.cache_hits)) == (42, 1)

    def test_a_change_in_a_file_it_was_compiled_from_is_noticed(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """Also in that of a function which it only calls: Numba asks about its own file alone."""
        monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
        monkeypatch.setattr(compiler, "_stamp", lambda: "yesterday")
        assert kept(doubled)(21) == 42
        monkeypatch.undo()
        monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
        today = kept(doubled)
        assert (today(21), len(today.stats.cache_hits)) == (42, 0)

    def test_every_source_that_is_compiled_is_asked_about(self) -> None:
        """What is marked for compiling, and what runs plain and compiled, stands in a room that is looked at."""
        house = Path(compiler.__file__).parent.parent
        asked = {path for pattern in compiler.SOURCES for path in house.glob(pattern)}
        words = ("compiler import", "import njit", ".twin(", "machine.make", "keep_by")
        compiled = {path for path in house.rglob("*.py") if any(word in path.read_text("utf-8") for word in words)}
        assert compiled
        assert compiled <= asked

    def test_without_a_folder_it_is_compiled_all_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])
        assert keep_by("key", made_on_the_spot(1))(20) == 42


@pytest.mark.slow
def test_both_run_the_same_function_over_their_own_kind_of_numbers() -> None:
    for machine in (plain(), compiling()):
        one, two = machine.array(array("d", [0, 0])), machine.array(array("d", [0, 0]))
        bounds = machine.twin(solve_matrix)(machine.array(array("d", [2, 0, 0, 1])), 2, 2, one, two)
        assert bounds == pytest.approx((2 / 3, 2 / 3))
        assert list(one) == pytest.approx([1 / 3, 2 / 3])


def test_both_put_a_part_of_a_column_in_order() -> None:
    """From the least number to the largest that a column holds, each byte of them: the compiled one goes by bytes."""
    column = [9, 2**31 - 1, 256, 0, 255, 65_536, 257, 2**24, 256, 2**31 - 256, 7, 3]
    for machine in (plain(), compiling()):
        for begin, end in ((0, 0), (3, 4), (1, 11), (0, len(column))):
            found = array("i", column)
            machine.twin(numbers.sort_part)(machine.array(found) if machine.compiled else found, begin, end)
            assert list(found) == column[:begin] + sorted(column[begin:end]) + column[end:]


ONE_AFTER_ANOTHER = """
import sys
from duelbook import load, variant
from duelbook.positions.machine import compiling
from duelbook.solving.progress import Progress
from duelbook.solving.solver import _solve_luck, _solve_picks
game = load(sys.argv[1])
solve = _solve_picks if sys.argv[1] == "secret" else _solve_luck
print(solve(game, variant(game, sys.argv[2:]), compiling(), Progress()).states)
"""


@pytest.mark.slow
def test_what_one_run_has_kept_serves_another_duel_in_the_next(tmp_path: Path) -> None:
    """Room for short numbers, kept while secret was solved, was once taken for room for long ones in deck."""
    for words in (["secret", "hp=6", "highest=4"], ["deck", "lp=6", "cards=4"], ["secret", "hp=6", "highest=4"]):
        done = subprocess.run(
            [sys.executable, "-c", ONE_AFTER_ANOTHER, *words],
            env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        game = load(words[0])
        assert int(done.stdout) == solve(game, variant(game, words[1:])).states


def how_large(words: str) -> size.Size:
    id, *settings = words.split()
    game = load(id)
    return measured(game, variant(game, settings), kind_of(game))


@pytest.mark.parametrize(
    ("words", "compiled"),
    [("secret hp=6 highest=4", False), ("deck lp=6 cards=4", False), ("secret", True), ("deck", True)],
)
def test_what_is_small_is_not_compiled(words: str, compiled: bool) -> None:
    assert machine_for(how_large(words)).compiled == compiled


@pytest.mark.slow
def test_without_a_compiler_plain_python_goes_as_far_as_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(size, "there_is_a_compiler", lambda: False)
    monkeypatch.setattr("duelbook.positions.machine.there_is_a_compiler", lambda: False)
    assert how_large("deck lp=6 cards=4").small
    middling = how_large("secret hp=60")
    assert not machine_for(middling).compiled
    assert not middling.small  # it takes more than a minute, so somebody has to ask for it
    for words in ("secret", "deck lp=40"):
        with pytest.raises(size.TooLarge, match=r"is too large to be solved without Numba .*pip install"):
            how_large(words)
    with pytest.raises(DuelError, match="The ladder needs Numba, which cannot be used here: pip install numba"):
        need_compiler("The ladder")


def test_what_stands_in_for_two_functions_has_two_names() -> None:
    """Numba tells what it has kept apart by names and arguments: deck could not be compiled once secret had been."""
    pytest.importorskip("numpy")
    instead = numbers.for_the_compiler().values()
    assert len({function.__qualname__ for function in instead}) == len(instead)
