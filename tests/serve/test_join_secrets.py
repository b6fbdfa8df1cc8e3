"""What goes over the line before both picks are in: no byte of it, its size and its number included, tells the pick."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from duelbook.serve.arriving import Challenge, challenge, sit_down, watch
from duelbook.serve.belongings import find, folder
from duelbook.serve.connection import Connection, Place
from duelbook.serve.events import Json
from duelbook.serve.wire import Wire
from online_helper import served

Asked = list[tuple[str, int]]


def shape(text: str) -> str:
    """A text with everything that is drawn by lot or read off a clock blotted out, and its length left."""
    return re.sub(r"[0-9a-f]{64}", lambda found: "#" * len(found[0]), re.sub(r'"at": [0-9.e+]+', '"at": 0', text))


def what_is_seen(pick: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Asked, list[str], list[str]]:
    """Ann picks, and Bo has not: what she sends, and what Bo and somebody who watches are told."""
    sent: Asked = []
    ask = Connection._ask_once

    def noted(self: Connection, path: str, message: dict[str, Json] | None) -> dict[str, Json]:
        if message is not None and path == "/act":
            sent.append((path, len(json.dumps(message))))
        return ask(self, path, message)

    with served(home / "server") as server:
        monkeypatch.setenv("XDG_STATE_HOME", str(home / "ann"))
        ann = challenge(server.address, Challenge("secret"), "Ann")
        assert ann.mine is not None
        place = Place(server.address, ann.online.id, ann.mine.friend)
        monkeypatch.setenv("XDG_STATE_HOME", str(home / "bo"))
        bo = sit_down(place, "Bo")
        monkeypatch.setenv("XDG_STATE_HOME", str(home / "ann"))
        monkeypatch.setattr(Connection, "_ask_once", noted)
        ann.start()
        while not ann.online.begun:
            ann.wait(0.05)
            ann.take_in()
        ann.pick(1, pick)
        while ann.sending:
            ann.wait(0.05)
            ann.take_in()
        told = [_told(wire) for wire in (bo, watch(Place(server.address, ann.online.id)))]
        monkeypatch.undo()
        ann.stop()
        bo.stop()
    return sent, told[0], told[1]


def _told(wire: Wire) -> list[str]:
    """Every event that is known there, as it came, without what differs between any two games."""
    shown = wire.connection.ask("/events?after=0")["events"]
    assert isinstance(shown, list)
    return [shape(json.dumps(event)) for event in shown[1:]]


def test_nothing_that_is_sent_or_told_before_both_have_picked_tells_the_pick(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = what_is_seen("1", tmp_path / "one", monkeypatch)
    ten = what_is_seen("10", tmp_path / "ten", monkeypatch)
    assert one == ten
    assert len(one[0]) == 1
    assert any('"kind": "sealed"' in event for event in one[1])


def test_what_a_seat_keeps_is_for_its_owner_and_for_its_own_server_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with served(tmp_path / "server") as server:
        wire = challenge(server.address, Challenge("tower"), "Ann")
        wire.stop()
        (file,) = folder().glob("*.json")
        assert (file.stat().st_mode & 0o777, folder().stat().st_mode & 0o777) == (0o600, 0o700)
        file.chmod(0o644)  # as a backup brings it back
        find(Place(server.address, wire.online.id))
        assert file.stat().st_mode & 0o777 == 0o600
        elsewhere = Place("http://127.0.0.1:9", wire.online.id)
        with pytest.raises(Exception, match="only that one is trusted with your seat"):
            find(elsewhere)
