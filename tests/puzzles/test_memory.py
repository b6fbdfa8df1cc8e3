"""What is remembered of puzzles between runs, and files that say nothing sensible."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from duelbook.locks import Lock
from duelbook.puzzles.memory import LARGEST, load, place, remember
from duelbook.puzzles.streak import DAY, Progress, Tally
from helpers import HANGING

TODAY = date(2026, 1, 5)
ONE: Progress = {"tower": Tally({TODAY: True}, 1, 1, 1216.0)}


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def test_what_was_saved_is_there_again(tmp_path: Path) -> None:
    assert load() == ({}, "")
    progress = {"tower": Tally({TODAY: True, TODAY + DAY: False}, 2, 1, 1199.3), "energy": Tally({}, 1, 1, 1204.8)}
    remember(lambda _: progress)
    assert place() == tmp_path / "duelbook" / "puzzles.json"
    assert load() == (progress, "")


GOOD = '{"dailies": {"2026-01-05": true}, "tried": 1, "solved": 1, "rating": 1216.0}'
BROKEN = [
    "",
    "{",
    "[]",
    "null",
    "7",
    '{"version": 2, "games": {}}',
    '{"version": true, "games": {}}',
    '{"version": 1.0, "games": {}}',
    '{"version": "1", "games": {}}',
    '{"version": 1, "games": null}',
    '{"version": 1, "games": "tower"}',
    '{"version": 1}',
    '{"version": 1, "games": []}',
    '{"version": 1, "games": {"tower": 3}}',
    '{"version": 1, "games": {"tower": {}}}',
    *(
        f'{{"version": 1, "games": {{"tower": {GOOD.replace(old, new)}}}}}'
        for old, new in [
            ("2026-01-05", "2026-13-05"),
            ("2026-01-05", "yesterday"),
            ('"2026-01-05": true', '"2026-01-05": 1'),
            ('"tried": 1', '"tried": -1'),
            ('"tried": 1', '"tried": 1.5'),
            ('"tried": 1', '"tried": "1"'),
            ('"tried": 1', '"tried": true'),
            ('"solved": 1', '"solved": 2'),
            ("1216.0", "NaN"),
            ("1216.0", "1e999"),
            ("1216.0", "null"),
            ("1216.0", "[]"),
            ("1216.0", '"1216.0"'),
            ("1216.0", "true"),
            ("1216.0", "-1e300"),
            ('"tried": 1', '"tried": null'),
            ('"tried": 1', f'"tried": {10**4000}'),
            ('"solved": 1', '"solved": -1'),
            ('"solved": 1', '"solved": 1.0'),
            ('{"2026-01-05": true}', "[]"),
            ('{"2026-01-05": true}', "null"),
            ('"2026-01-05": true', '"2026-01-05": null'),
            ('"2026-01-05": true', '"2026-01-05": "true"'),
        ]
    ),
    "[" * 100_000,
    "\x00\xff",
]


@pytest.mark.parametrize("text", BROKEN)
def test_a_damaged_file_is_put_aside_and_everything_begins_anew(text: str) -> None:
    place().parent.mkdir(parents=True)
    place().write_text(text, encoding="latin-1")
    progress, complaint = load()
    aside = place().with_name("puzzles.json.broken")
    assert progress == {}
    assert complaint == f"Your puzzle results were damaged and start again. What was there is now in {aside}."
    assert aside.read_text(encoding="latin-1") == text
    assert load() == ({}, "")
    remember(lambda _: ONE)
    assert load() == (ONE, "")


def test_the_good_line_of_those_rows_is_good() -> None:
    place().parent.mkdir(parents=True)
    place().write_text(f'{{"version": 1, "games": {{"tower": {GOOD}}}}}', encoding="utf-8")
    assert load() == ({"tower": Tally({date(2026, 1, 5): True}, 1, 1, 1216.0)}, "")
    assert json.loads(place().read_text(encoding="utf-8"))["version"] == 1


def test_a_file_that_cannot_be_read_or_written_is_said_in_a_sentence() -> None:
    place().mkdir(parents=True)
    progress, complaint = load()
    assert progress == {}
    assert complaint.startswith(f"Your puzzle results in {place()} cannot be read: ")
    kept = remember(lambda known: {**known, **ONE})
    assert (kept.before, kept.after) == ({}, ONE)
    assert kept.complaint.startswith(f"Your puzzle results in {place()} cannot be read: ")
    assert kept.complaint.endswith("; this one is not remembered.")


def test_what_cannot_be_read_is_not_written_over(tmp_path: Path) -> None:
    place().parent.mkdir(parents=True)
    with place().open("wb") as file:
        file.truncate(LARGEST + 1)
    assert remember(lambda known: {**known, **ONE}).complaint.endswith("; this one is not remembered.")
    assert place().stat().st_size == LARGEST + 1


def test_a_second_damaged_file_does_not_replace_the_first(tmp_path: Path) -> None:
    place().parent.mkdir(parents=True)
    for text in ("one", "two"):
        place().write_text(text, encoding="utf-8")
        load()
    kept = sorted(path for path in place().parent.iterdir() if "broken" in path.name)
    assert [path.read_text(encoding="utf-8") for path in kept] == ["one", "two"]


@pytest.mark.skipif(os.name == "nt", reason="no pipes with names")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    place().parent.mkdir(parents=True)
    os.mkfifo(place())
    assert "it is a pipe or a device" in load()[1]
    assert "it is a pipe or a device" in remember(lambda known: {**known, **ONE}).complaint


def test_two_writers_lose_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """One writes while the other has read and not yet written: the lock keeps them apart."""
    waited = []

    def late(known: Progress) -> Progress:
        inner = Lock(place().with_name(".puzzles.json.lock"))
        waited.append(inner.take())
        return {**known, **ONE}

    remember(late)
    assert waited == [False]


WRITER = """
import sys
from datetime import date
from duelbook.puzzles.memory import load, remember
from duelbook.puzzles.streak import answered
for number in range(int(sys.argv[2])):
    kept = remember(lambda known: answered(known, sys.argv[1], 1200, True, today=date(2026, 1, 5)))
    assert kept.complaint == "", kept.complaint
    assert load()[1] == ""
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no locks")
def test_several_processes_lose_no_result_and_read_no_half_file(tmp_path: Path) -> None:
    duels = ["tower", "energy", "tower", "deck"]
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, duel, "25"], env=os.environ | {"XDG_STATE_HOME": str(tmp_path)})
        for duel in duels
    ]
    assert [writer.wait(timeout=HANGING) for writer in writers] == [0, 0, 0, 0]
    progress, complaint = load()
    assert complaint == ""
    assert {id: each.tried for id, each in progress.items()} == {"tower": 50, "energy": 25, "deck": 25}
    assert [path.name for path in place().parent.iterdir()] == ["puzzles.json"]
