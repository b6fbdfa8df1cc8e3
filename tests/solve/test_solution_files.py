"""Files of solutions: damage is noticed, made-up contents do nothing, and whatever is wrong is solved anew."""

from __future__ import annotations

import json
import os
import random
import tracemalloc
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from damage_helper import BAD_VALUES, changed, damaged, places
from duelbook import Game, load, variant
from duelbook.core import DuelError
from duelbook.positions.layout import Layout, Span, packing
from duelbook.solving import library
from duelbook.solving.solution import Solution
from duelbook.solving.solution_file import MAGIC, BadSolution, from_bytes, signed, to_bytes
from duelbook.solving.solver import solve

SMALL = {"tower": ["goal=7"], "energy": ["energy=5"], "secret": ["hp=3", "highest=3"], "deck": ["lp=3", "cards=2"]}
"""One duel of each kind, and one that has draws: small ones, for thousands of files."""


@pytest.fixture(scope="module", params=SMALL)
def kept(request: pytest.FixtureRequest) -> Solution:
    game = load(request.param)
    return solve(game, variant(game, SMALL[request.param]))


def body(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The header and the packed table of a file."""
    head, payload = data.split(b"\n", 3)[2:]
    header: dict[str, Any] = json.loads(head)
    return header, payload


def made_up(header: Any, payload: bytes) -> bytes:
    """A file with a true checksum."""
    return signed(json.dumps(header).encode() + b"\n" + payload)


def all_noticed(game: Game, rules: Any, data: bytes, times: int) -> None:
    luck = random.Random(times)
    for _ in range(times):
        worse = damaged(data, luck)
        if worse != data:
            with pytest.raises(BadSolution):
                from_bytes(game, rules, worse)


def use(solution: Solution) -> None:
    """Ask everything of a solution that may say anything, but must not fail in any way but with a sentence."""
    game, rules = solution.game, solution.rules
    for first in (0, 1):
        state = game.start(rules, first)
        for seat in (0, 1):
            for ask, *which in (
                (solution.value,),
                (solution.bounds,),
                (solution.plies,),
                (solution.holds,),
                (solution.plan, seat),
                (solution.options, seat),
                (solution.loss, seat, 0),
            ):
                with suppress(DuelError):
                    ask(state, *which)


class TestDamage:
    def test_a_file_reads_back_as_it_was(self, kept: Solution) -> None:
        again = from_bytes(kept.game, kept.rules, to_bytes(kept))
        assert (again.table, again.facts, again.kind) == (kept.table, kept.facts, kept.kind)
        assert (again.states, again.error) == (kept.states, kept.error)
        assert again.numbering.layout == kept.numbering.layout

    def test_every_flipped_bit_is_noticed(self, kept: Solution) -> None:
        data = to_bytes(kept)
        for at in range(len(data)):
            for bit in range(8) if at < 300 else (at % 8,):
                with pytest.raises(BadSolution):
                    from_bytes(kept.game, kept.rules, data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])

    def test_damage_of_every_kind_is_noticed(self, kept: Solution) -> None:
        all_noticed(kept.game, kept.rules, to_bytes(kept), 1_000)

    @pytest.mark.slow
    @pytest.mark.parametrize("id", ["conquer", "energy", "secret", "tower"])
    def test_a_hundred_thousand_times_damaged_shipped_files_are_noticed(self, id: str) -> None:
        game = load(id)
        all_noticed(game, game.book, library.shipped_file(game, game.book).read_bytes(), 25_000)

    @pytest.mark.slow
    def test_damage_with_a_true_checksum_raises_nothing_but_a_sentence(self, kept: Solution) -> None:
        """Whoever makes a file up can put wrong values into it. That is all that can be done."""
        data = to_bytes(kept).split(b"\n", 2)[2]
        luck = random.Random(7)
        loaded = 0
        for _ in range(1_500):
            try:
                solution = from_bytes(kept.game, kept.rules, signed(damaged(data, luck)))
            except BadSolution:
                continue
            loaded += 1
            use(solution)
        assert loaded < 1_500


class TestMadeUp:
    """Files with a true checksum whose contents are not what a solver writes."""

    @pytest.mark.slow
    def test_no_value_of_a_header_is_believed_or_run(self, kept: Solution, capsys: pytest.CaptureFixture[str]) -> None:
        header, payload = body(to_bytes(kept))
        tried = 0
        for path in places(header):
            if path[:1] == ("facts",) and len(path) > 1 and path[1] > 2:
                continue  # they are all alike
            for value in BAD_VALUES:
                tried += 1
                made = changed(header, path, value)
                if json.dumps(made) == json.dumps(header):
                    continue  # it is what stands there
                try:
                    solution = from_bytes(kept.game, kept.rules, made_up(made, payload))
                except BadSolution:
                    continue
                # What loads has a value of the right type and within bounds, or one that only people read.
                assert path[0] in ("rules", "states", "error", "turns_round", "layout", "facts", "choices")
                assert path[0] == "rules" or type(value) in (int, float, bool, list)
                assert path[0] not in ("layout", "choices") or type(value) is int
                use(solution)
        assert tried > 500
        assert capsys.readouterr() == ("", "")

    @pytest.mark.parametrize("key", ["game", "rules_hash", "kind", "states", "error", "turns_round", "layout", "type"])
    def test_what_is_missing_is_missed(self, kept: Solution, key: str) -> None:
        header, payload = body(to_bytes(kept))
        del header[key]
        with pytest.raises(BadSolution, match="it is damaged"):
            from_bytes(kept.game, kept.rules, made_up(header, payload))

    @pytest.mark.parametrize(
        "text", [b"", b"{", b"[]", b"1", b"[" * 100_000, b'{"a":' * 100_000, b"1" * 5_000, b'{"game":"\xff"}', b"null"]
    )
    def test_what_is_no_header_is_refused(self, text: bytes) -> None:
        game = load("tower")
        with pytest.raises(BadSolution):
            from_bytes(game, game.book, signed(text + b"\n"))

    @pytest.mark.slow
    def test_a_table_that_would_unpack_without_end_is_not_unpacked(self, kept: Solution) -> None:
        header, _ = body(to_bytes(kept))
        bomb = zlib.compress(bytes(50_000_000), 9)
        file = made_up(header, bomb)
        tracemalloc.start()
        with pytest.raises(BadSolution, match="it is damaged"):
            from_bytes(kept.game, kept.rules, file)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 5_000_000

    def test_a_header_cannot_ask_for_a_table_larger_than_any(self, kept: Solution) -> None:
        header, payload = body(to_bytes(kept))
        spans = header["layout"][2]
        for span in spans:
            span[2] = 10**6
        with pytest.raises(BadSolution):
            from_bytes(kept.game, kept.rules, made_up(header, payload))

    def test_a_table_shorter_or_longer_than_its_layout_is_refused(self, kept: Solution) -> None:
        header, payload = body(to_bytes(kept))
        table = zlib.decompress(payload)
        for other in (table[:-1], table + b"\0", b"", payload):
            with pytest.raises(BadSolution):
                from_bytes(kept.game, kept.rules, made_up(header, zlib.compress(other)))
        with pytest.raises(BadSolution):
            from_bytes(kept.game, kept.rules, made_up(header, payload + b"more"))

    def test_the_functions_of_a_layout_are_made_of_whole_numbers_only(self) -> None:
        state_type = type(load("tower").start(load("tower").book, 0))
        fine = Layout((2, 0), 1, (Span(0, 1, 5), Span(0, 1, 5), Span(0, 1, 2)))
        assert packing(fine, state_type).pack(state_type((1, 2), 1)) >= 0
        bad: Any
        for bad in BAD_VALUES:
            if bad in (0.5, -1, 10**9):
                continue
            for worse in (
                fine._replace(mover=bad),
                fine._replace(shape=(bad, 0)),
                *(
                    fine._replace(spans=(fine.spans[0]._replace(**{field: bad}), *fine.spans[1:]))
                    for field in ("low", "step", "places")
                ),
            ):
                with pytest.raises((ValueError, TypeError)):
                    packing(worse, state_type)


class TestAnew:
    """Whatever is wrong with a file, the duel is solved anew, and a sentence says so."""

    @pytest.fixture(autouse=True)
    def _own_cache(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        monkeypatch.setattr(library, "_known", {})

    def test_a_damaged_file_is_said_and_made_anew(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        game = load("tower")
        rules = variant(game, ["goal=12"])
        first = library.solution_for(game, rules)
        (kept,) = (tmp_path / "duelbook").iterdir()
        whole = kept.read_bytes()
        for damage in (
            whole[:-3],
            whole[:-1] + bytes([whole[-1] ^ 1]),
            whole.replace(b"tower", b"towel"),
            whole.replace(MAGIC, b"duelbook solution 1\n"),
            b"nonsense",
            b"",
        ):
            kept.write_bytes(damage)
            monkeypatch.setattr(library, "_known", {})
            again = library.solution_for(game, rules)
            assert (again.table, again.facts) == (first.table, first.facts)
            assert "Solving it again." in capsys.readouterr().err
            assert kept.read_bytes() == whole
        assert [path.name for path in kept.parent.iterdir()] == [kept.name]

    def test_a_damaged_file_of_the_package_is_said_and_solved_anew(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        game = load("tower")
        whole = library.shipped_file(game, game.book).read_bytes()
        monkeypatch.setattr(library, "SHIPPED", tmp_path)
        library.shipped_file(game, game.book).write_bytes(whole[:200] + b"?" + whole[201:])
        assert library.solution_for(game, game.book).plies(game.start(game.book, 0)) == 21
        assert "it is damaged. Solving it again." in capsys.readouterr().err

    def test_what_is_no_file_or_too_large_a_one_is_not_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        game = load("tower")
        rules = variant(game, ["goal=9"])
        first = library.solution_for(game, rules)
        (kept,) = (tmp_path / "duelbook").iterdir()
        kept.unlink()
        os.mkfifo(kept)  # whoever opens it waits for ever
        monkeypatch.setattr(library, "_known", {})
        assert library.solution_for(game, rules).table == first.table
        kept.unlink()
        with kept.open("wb") as file:
            file.truncate(1 << 40)
        monkeypatch.setattr(library, "_known", {})
        assert library.solution_for(game, rules).table == first.table
        assert "cannot be read (it has more than" in capsys.readouterr().err

    def test_a_cache_that_cannot_be_written_only_costs_time(self, tmp_path: Path) -> None:
        (tmp_path / "duelbook").write_text("in the way", encoding="utf-8")
        game = load("energy")
        rules = variant(game, ["energy=6"])
        assert library.solution_for(game, rules).holds(game.start(rules, 0))

    def test_without_a_home_folder_nothing_is_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def homeless() -> Path:
            raise RuntimeError("Could not determine home directory.")

        monkeypatch.delenv("XDG_CACHE_HOME")
        monkeypatch.setattr(Path, "home", homeless)
        game = load("energy")
        rules = variant(game, ["energy=6"])
        assert library.solution_for(game, rules).holds(game.start(rules, 0))

    def test_a_foreign_file_is_not_believed(self) -> None:
        game = load("tower")
        with pytest.raises(BadSolution, match="other rules"):
            from_bytes(game, variant(game, ["goal=12"]), library.shipped_file(game, game.book).read_bytes())
