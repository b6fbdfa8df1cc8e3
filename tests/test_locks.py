"""Locks: one holder at a time, also when one lets go between another's opening and locking; one lock for one game."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from duelbook import locks
from duelbook.locks import Lock
from duelbook.saves import Save, SaveError
from duelbook.table.shelf import take_up

pytestmark = pytest.mark.skipif(os.name == "nt", reason="locks as Unix has them")

UNFINISHED = '[Game "tower"]\n\n1. build 4 *\n'


def test_one_holder_at_a_time_and_nothing_is_left(tmp_path: Path) -> None:
    one, two = Lock(tmp_path / "lock"), Lock(tmp_path / "lock")
    assert one.take()
    assert not two.take()
    two.let_go()  # who does not hold it cannot let it go
    assert not two.take()
    one.let_go()
    assert two.take()
    two.let_go()
    two.let_go()
    assert list(tmp_path.iterdir()) == []


def test_a_lock_that_was_removed_between_opening_and_locking_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A opens the file; B, who held it, removes it and lets go; C makes a new one and holds that. A must not hold."""
    path = tmp_path / "lock"
    a, b, c = Lock(path), Lock(path), Lock(path)
    assert b.take()
    real, opened = locks.claim, list[int]()

    def late(handle: int) -> bool:
        if not opened:
            opened.append(handle)
            b.let_go()
            assert c.take()
        return real(handle)

    monkeypatch.setattr(locks, "claim", late)
    assert not a.take()
    assert c.held
    c.let_go()
    assert a.take()


def test_a_lock_that_was_removed_and_is_free_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lock"
    a, b, c = Lock(path), Lock(path), Lock(path)
    assert b.take()
    real, opened = locks.claim, list[int]()

    def late(handle: int) -> bool:
        if not opened:
            opened.append(handle)
            b.let_go()
        return real(handle)

    monkeypatch.setattr(locks, "claim", late)
    assert a.take()
    assert not c.take()  # the lock that a holds is the one that everybody finds


def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "victim")
    with pytest.raises(OSError, match="symbolic links"):
        Lock(tmp_path / "lock").take()
    assert not (tmp_path / "victim").exists()


# Saves


def test_a_link_to_a_game_takes_the_games_own_lock(tmp_path: Path) -> None:
    (tmp_path / "g.duel").write_text(UNFINISHED)
    (tmp_path / "alias").mkdir()
    (tmp_path / "alias" / "h.duel").symlink_to(tmp_path / "g.duel")
    game = Save(tmp_path / "g.duel")
    game.hold()
    with pytest.raises(SaveError, match="h is being played in another terminal"):
        take_up(str(tmp_path / "alias" / "h.duel"))
    game.let_go()
    save, _ = take_up(str(tmp_path / "alias" / "h.duel"))
    with pytest.raises(SaveError, match="g is being played in another terminal"):
        take_up(str(tmp_path / "g.duel"))
    save.write("new")
    assert (tmp_path / "alias" / "h.duel").is_symlink()
    assert (tmp_path / "g.duel").read_text() == "new"
    save.let_go()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["alias", "g.duel"]


@pytest.mark.parametrize(
    "text", ["", "nothing", UNFINISHED * 2, '[Game "tower"]\n[Seat1 "engine:evil"]\n\n*\n', "\udcff"]
)
def test_a_file_that_cannot_be_gone_on_with_is_let_go(text: str, tmp_path: Path) -> None:
    file = tmp_path / "g.duel"
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    for _ in range(2):
        with pytest.raises(ValueError, match=r"g\.duel"):
            take_up(str(file))
    assert [path.name for path in tmp_path.iterdir()] == ["g.duel"]
    Save(file).hold()


def test_who_does_not_hold_a_game_does_not_remove_the_lock_of_who_does(tmp_path: Path) -> None:
    one, two = Save(tmp_path / "g.duel"), Save(tmp_path / "g.duel")
    one.hold()
    with pytest.raises(SaveError):
        two.hold()
    two.let_go()
    with pytest.raises(SaveError):
        Save(tmp_path / "g.duel").hold()
    one.let_go()
