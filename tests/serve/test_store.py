"""Events on disk: all or none, one writer of each place, nothing acknowledged that is lost."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Future, wait
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duelbook.core import DuelError
from duelbook.serve import writer
from duelbook.serve.chain import chained, unbroken
from duelbook.serve.events import Event, Json
from duelbook.serve.sqlite import VERSION, Sqlite, backup
from duelbook.serve.store import Taken, appended, at_once


def some(game: str, count: int, last: Event | None = None) -> list[Event]:
    return list(chained(game, last, "act", 1.5, [{"kind": "moved", "number": number} for number in range(count)]))


def test_what_is_written_is_read_in_another_process_too(tmp_path: Path) -> None:
    store = Sqlite(tmp_path / "games.db")
    events = some("one", 3)
    appended(store, events[:2]).result()
    appended(store, events[2:]).result()
    appended(store, some("two", 1)).result()
    store.close()
    again = Sqlite(tmp_path / "games.db")
    assert again.read("one") == events
    assert again.read("one", after=2) == events[2:]
    assert again.read("none") == []
    assert {listed.game: (listed.created.seq, listed.last.seq) for listed in again.games()} == {
        "one": (1, 3),
        "two": (1, 1),
    }
    again.close()


def test_a_place_is_taken_once(tmp_path: Path) -> None:
    store = Sqlite(tmp_path / "games.db")
    first = some("one", 2)
    appended(store, first).result()
    other = list(chained("one", first[0], "other", 1.5, [{"kind": "resigned"}, {"kind": "over"}]))
    with pytest.raises(Taken):
        appended(store, other).result()
    assert store.read("one") == first
    store.close()


def test_nothing_is_written_behind_a_gap(tmp_path: Path) -> None:
    store = Sqlite(tmp_path / "games.db")
    events = some("one", 4)
    appended(store, events[:1]).result()
    with pytest.raises(Taken):
        appended(store, events[2:]).result()
    assert store.read("one") == events[:1]
    store.close()


def test_of_many_that_come_at_once_each_is_written_or_told(tmp_path: Path) -> None:
    store = Sqlite(tmp_path / "games.db")
    appends = [appended(store, some(f"game {number % 50}", 2)) for number in range(200)]
    wait(appends)
    assert sum(each.exception() is None for each in appends) == 50
    assert all(isinstance(each.exception(), (Taken, type(None))) for each in appends)
    assert all(unbroken(store.read(f"game {number}")) for number in range(50))
    store.close()


def test_a_disk_that_fails_acknowledges_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Sqlite(tmp_path / "games.db")

    def full(events: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(store, "_insert", full)
        with pytest.raises(DuelError, match="could not be written: database or disk is full"):
            appended(store, some("one", 1)).result()
    appended(store, some("one", 1)).result()
    store.close()


def test_a_file_of_a_newer_version_or_none_at_all_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    with sqlite3.connect(file) as connection:
        connection.execute(f"PRAGMA user_version={VERSION + 1}")
    with pytest.raises(DuelError, match="newer Duelbook"):
        Sqlite(file)
    (tmp_path / "text").write_text("no database" * 1000, encoding="utf-8")
    with pytest.raises(DuelError, match="cannot be opened"):
        Sqlite(tmp_path / "text")
    with pytest.raises(DuelError, match="cannot be opened"):
        Sqlite(tmp_path / "no folder" / "games.db")


def test_a_copy_is_taken_while_it_goes_on(tmp_path: Path) -> None:
    store = Sqlite(tmp_path / "games.db")
    appended(store, some("one", 3)).result()
    backup(tmp_path / "games.db", tmp_path / "copy.db")
    appended(store, some("two", 1)).result()
    store.close()
    copy = Sqlite(tmp_path / "copy.db")
    assert [listed.game for listed in copy.games()] == ["one"]
    copy.close()


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from duelbook.serve.chain import chained
from duelbook.serve.sqlite import Sqlite
from duelbook.serve.store import appended
store = Sqlite(Path(sys.argv[1]))
last = None
while True:
    (last,) = chained("one", last, "act", 1.0, [{{"kind": "moved"}}])
    appended(store, [last]).result()
    print(last.seq, flush=True)
"""


@pytest.mark.parametrize("after", [1, 7, 23])
def test_no_acknowledged_event_is_lost_when_the_process_is_killed(after: int, tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER.format(tests=str(Path(__file__).parent.parent)), str(tmp_path / "games.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = 0
        for line in process.stdout:
            told = int(line)
            if told >= after:
                os.kill(process.pid, signal.SIGKILL)
                break
        told = max([told, *map(int, process.stdout.read().split())])
    store = Sqlite(tmp_path / "games.db")
    kept = store.read("one")
    store.close()
    assert len(kept) >= told >= after
    assert unbroken(kept)


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | TEXT,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(TEXT, inside, max_size=3),
    max_leaves=8,
)


@given(body=st.dictionaries(TEXT, ANYTHING, max_size=4), act=TEXT, at=st.floats(0, 1e11))
def test_the_running_hash_is_over_plain_json_with_sorted_keys(body: dict[str, Json], act: str, at: float) -> None:
    """As anybody can compute it with Python's own library."""
    (first,) = chained("game", None, act, at, [body])
    (second,) = chained("game", first, act, at, [body])
    for event, known in ((first, ""), (second, first.hash)):
        plain = [known, "game", event.seq, at, act, body]
        text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        assert event.hash == sha256(text.encode()).hexdigest()
    assert unbroken([first, second])


def test_what_comes_soon_after_a_commit_is_written_together_and_what_comes_alone_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    commits: list[list[str]] = []
    waited: list[float] = []

    def commit(wishes: Sequence[Sequence[Event]]) -> dict[int, Taken]:
        commits.append([events[0].game for events in wishes])
        return {}

    def wait_while_others_come(seconds: float) -> None:
        waited.append(seconds)
        for game in ("three", "four"):
            queued.append(some(game, 1), lambda _: None, at_once)

    monkeypatch.setattr(writer, "DISTANCE", 1000.0)
    monkeypatch.setattr(writer, "sleep", wait_while_others_come)
    queued = writer.Writer(commit)
    done: list[Future[None]] = [Future(), Future()]
    queued.append(some("one", 1), lambda _: done[0].set_result(None), at_once)
    done[0].result()
    assert waited == []
    queued.append(some("two", 1), lambda _: done[1].set_result(None), at_once)
    done[1].result()
    queued.close()
    assert commits == [["one"], ["two", "three", "four"]]
    assert len(waited) == 1
    assert 0 < waited[0] <= 1000
