"""Games that somebody has changed on the server's disk: each is named, and all others are written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from duelbook.cli import duelbook
from duelbook.core import DuelError
from duelbook.serve.chain import chained
from duelbook.serve.export import export
from duelbook.serve.opening import Wish, created
from duelbook.serve.store import Kept, appended
from online_helper import played
from serve.test_operating import kept


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("UPDATE event SET body = replace(body, 'build', 'attack') WHERE game = ? AND seq = 5", "event 5 does not"),
        ("UPDATE event SET at = at + 1 WHERE game = ? AND seq = 4", "event 4 does not follow"),
        ("UPDATE event SET act = 'other' WHERE game = ? AND seq = 6", "event 6 does not follow"),
        ("UPDATE event SET body = '{' WHERE game = ? AND seq = 2", "event 2 does not follow"),
        ("UPDATE event SET seq = 'x' WHERE game = ? AND seq = 7", "does not follow"),
        ("DELETE FROM event WHERE game = ? AND seq = 3", "event 3 does not follow"),
        ("DELETE FROM event WHERE game = ? AND seq = (SELECT last FROM game WHERE id = game)", "are there"),
        ("DELETE FROM event WHERE game = ?", "events were acknowledged, and 0 are there"),
        ("DELETE FROM game WHERE id = ?", "0 events were acknowledged"),
    ],
)
def test_a_game_that_somebody_has_changed_on_disk_is_named_and_the_others_are_written(
    change: str, why: str, tmp_path: Path
) -> None:
    store = kept(tmp_path / "games.db")
    log = played("tower")[1]
    appended(store, log).result()
    store.close()
    with closing(sqlite3.connect(tmp_path / "games.db")) as disk, disk:
        assert disk.execute(change, (log[0].game,)).rowcount
    asked = ["serve", "--data", str(tmp_path / "games.db"), "--export", str(tmp_path / "out")]
    done = CliRunner().invoke(duelbook, asked, standalone_mode=False)
    assert done.output.startswith("2 games written to ")
    assert isinstance(done.exception, DuelError)
    assert f"A game was left out, which is not on disk as it was acknowledged: {log[0].game} (" in str(done.exception)
    assert why in str(done.exception)
    assert log[0].game not in {file.stem for file in (tmp_path / "out").iterdir()}


def test_no_name_of_a_game_leads_out_of_the_folder(tmp_path: Path) -> None:
    body = {**created(Wish("tower"), ("one", "two")), "game": "../../away"}
    found = export([Kept("../../away", list(chained("../../away", None, "", 1.0, [body])), 1)], tmp_path / "out")
    assert found == (0, ["../../away (that is no name of a game)"])
