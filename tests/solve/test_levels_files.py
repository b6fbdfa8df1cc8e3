"""Files with the ladder's chances: what is damaged or made up is not believed, and nothing is raised."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from damage_helper import BAD_VALUES, changed, damaged, places
from duelbook import load
from duelbook.core import rules_hash
from duelbook.policies import standings, table_file

TOWER = load("tower")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    table = standings.read(TOWER, TOWER.book, standings.FILE)
    assert table is not None
    path = tmp_path / "levels.json"
    path.write_text(table_file.as_text({"tower": standings.entry(TOWER, TOWER.book, table)}), encoding="utf-8")
    assert standings.read(TOWER, TOWER.book, path) == table
    return path


@pytest.mark.slow
def test_damage_is_noticed_or_changes_nothing(file: Path) -> None:
    whole, luck = file.read_bytes(), random.Random(3)
    known = standings.read(TOWER, TOWER.book, file)
    for _ in range(600):
        file.write_bytes(damaged(whole, luck))
        assert standings.read(TOWER, TOWER.book, file) in (None, known)


@pytest.mark.slow
def test_no_value_is_believed_unseen(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = json.loads(file.read_bytes())
    for path in places(whole):
        if "matches" in path and len(path) > 3 and path[3] > 0:
            continue  # the matches are all alike
        for value in BAD_VALUES:
            made_up = changed(whole, path, value)
            sign(made_up)
            file.write_text(json.dumps(made_up), encoding="utf-8")
            table = standings.read(TOWER, TOWER.book, file)
            for meeting in (table or {}).values():
                assert all(0 <= chance <= 1 for chance in meeting[:4])
                assert all(type(number) is float for number in meeting.row())
    assert capsys.readouterr() == ("", "")


def sign(made_up: Any) -> None:
    """Give a made-up file a true checksum, if it has a place for one."""
    try:
        known = made_up["duels"]["tower"]
        known["sha256"] = table_file.checksum(rules_hash(TOWER, TOWER.book), known["matches"])
    except (TypeError, KeyError):
        pass


def test_what_is_no_file_of_chances_is_none(file: Path) -> None:
    for data in (b"", b"[" * 100_000, b"1" * 5_000, b"\xff", b'{"duels": {"tower": 1}}', b"null", bytes(100)):
        file.write_bytes(data)
        assert standings.read(TOWER, TOWER.book, file) is None
    with file.open("wb") as large:
        large.truncate(1 << 40)
    assert standings.read(TOWER, TOWER.book, file) is None
