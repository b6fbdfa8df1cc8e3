"""The main screens as pictures, at two sizes. `make snapshots` takes them anew; look at every one that changed.

They stand beside this file as SVG, so that a person can look at them with anything that shows pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from textual.pilot import Pilot

from duelbook import load
from duelbook.games import example
from duelbook.record import Record, reads
from duelbook.tui.app import DuelbookApp
from duelbook.tui.picture import picture
from duelbook.tui.preferences import Preferences
from slow_helper import slow, slow_if
from tui_helper import LARGE, SMALL, at_home, match_of, press, run, say, settle

Opening = Callable[[DuelbookApp], Any]


def worked_example(id: str) -> Record:
    (record,) = reads(example(load(id)).read_text(encoding="utf-8"))
    return record


def aftermath(id: str) -> Opening:
    from duelbook.tui.aftermath import Aftermath

    return lambda app: app.push_screen(Aftermath(worked_example(id), None))


def puzzle(id: str) -> Opening:
    from duelbook.tui.puzzles import PuzzleScreen

    return lambda app: app.push_screen(PuzzleScreen(load(id), today=date(2026, 11, 15)))


def replay(id: str) -> Opening:
    return lambda app: app.open_replay(worked_example(id))


SCREENS: dict[str, tuple[Opening | None, tuple[str, ...]]] = {
    "lobby": (None, ()),
    "setup": (None, ("5",)),
    "options": (None, ("3", "o")),
    "settings": (None, ("s",)),
    "shelf": (None, ("l",)),
    "watch": (None, ("w",)),
    "table-conquer": (match_of("conquer", "human", "level:2"), ("a", "enter", "d", "enter", "down")),
    "table-deck": (match_of("deck", "human", "level:2"), ("enter", "a", "enter", "enter")),
    "table-energy": (match_of("energy", "human", "level:2", coach=True), ("2", "enter", "down")),
    "table-secret": (match_of("secret", "human", "perfect"), ("7", "enter", "right", "right")),
    "table-tower": (match_of("tower", "human", "level:4"), ("4", "enter", "2", "enter", "b", "u")),
    "table-rules": (match_of("tower", "human", "level:4"), ("4", "enter", "o")),
    "table-hint": (match_of("tower", "human", "human", position="5 8 1"), ("i",)),
    "table-coach": (match_of("tower", "human", "perfect", position="5 8 1", coach=True), ("1", "enter")),
    "table-help": (match_of("conquer"), ("question_mark",)),
    "curtain": (match_of("secret"), ("enter",)),
    "curtain-pick": (match_of("secret"), ("enter", "enter")),
    "curtain-typed": (match_of("secret"), ("enter", "enter", "1", "0")),
    "reveal": (match_of("secret"), ("enter", "enter", "7", "enter", "enter", "5", "enter")),
    "aftermath-tower": (aftermath("tower"), ()),
    "aftermath-deck": (aftermath("deck"), ()),
    "replay-tower": (replay("tower"), ("right",) * 7),
    "replay-secret": (replay("secret"), ("right",) * 3),
    "puzzle": (puzzle("tower"), ("down",)),
    "puzzle-answered": (puzzle("tower"), ("1", "enter")),
}

FIRST = ("lobby", "table-secret")
"""What `make test` looks at; `make test-all` looks at all of them, in both windows."""


class Picture(SingleFileSnapshotExtension):
    file_extension = "svg"
    _write_mode = WriteMode.TEXT


@pytest.mark.parametrize("size", [SMALL, slow(LARGE)], ids=["80x24", "120x40"])
@pytest.mark.parametrize("name", [slow_if(name not in FIRST, name) for name in SCREENS])
def test_a_screen_looks_as_it_did(
    name: str, size: tuple[int, int], snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    at_home(monkeypatch, tmp_path)
    opening, keys = SCREENS[name]
    taken = []

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *keys)
        await settle(pilot)
        taken.append(picture(pilot.app))

    run(tale, opening=opening, size=size)
    assert taken[0] == snapshot(extension_class=Picture)


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["paper", slow("contrast")])
def test_another_theme_looks_as_it_did(
    theme: str, snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    at_home(monkeypatch, tmp_path)
    taken = []

    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "4", "2")
        await press(pilot, "down")
        taken.append(picture(pilot.app))

    liked = Preferences(motion=False, theme=theme)
    run(tale, opening=match_of("tower", "human", "level:4", coach=True), preferences=liked)
    assert taken[0] == snapshot(extension_class=Picture)


@pytest.mark.slow
def test_plain_letters_look_as_they_did(
    snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    at_home(monkeypatch, tmp_path)
    taken = []

    async def tale(pilot: Pilot[int]) -> None:
        taken.append(picture(pilot.app))

    liked = Preferences(motion=False, letters="ascii")
    run(tale, preferences=liked)
    run(tale, opening=match_of("tower", "human", "level:4", position="7 9 1"), preferences=liked)
    assert taken[0] == snapshot(extension_class=Picture, name="lobby")
    assert taken[1] == snapshot(extension_class=Picture, name="table")


def test_a_picture_fetches_nothing_from_anywhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at_home(monkeypatch, tmp_path)

    async def tale(pilot: Pilot[int]) -> None:
        svg = picture(pilot.app)
        links = [word for word in svg.replace('"', " ").replace("(", " ").split() if word.startswith("http")]
        assert [link for link in links if "www.w3.org" not in link] == []

    run(tale)
