"""The settings file: whatever stands in it, what cannot be used is as if it had never been said."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from duelbook.tui.preferences import LARGEST, Preferences, remembered, settings_file
from tui_helper import at_home, press, run, seen

USUAL = Preferences()
NONSENSE: list[Any] = [
    "", "x" * 31, "\x1b]0;owned\x07", "\x9b", "\u202e", "\ud800", "a\ufe0f", 1, 0, -1, 10**4000, 1.5, -0.0, 1e308,
    float("nan"), float("inf"), True, False, None, [], [1], {}, {"a": 1},
]  # fmt: skip
FIELDS = list(asdict(USUAL))


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    settings_file().parent.mkdir(parents=True, exist_ok=True)
    return tmp_path


def written(text: str) -> Preferences:
    settings_file().write_text(text, encoding="utf-8")
    return remembered()


@pytest.mark.parametrize("field", FIELDS)
def test_nonsense_in_a_field_leaves_the_usual_there_and_the_others_alone(field: str) -> None:
    other = "coach" if field != "coach" else "motion"
    usual = asdict(USUAL)
    for value in NONSENSE:
        found = asdict(written(json.dumps({field: value, other: not usual[other]})))
        if type(value) is not type(usual[field]) or (isinstance(value, str) and value):
            assert found[field] == usual[field], value
        assert type(found[field]) is type(usual[field])
        assert found[other] is not usual[other]


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, '{"a":' * 100_000, "9" * 5000, "null", "NaN", '"name"', " " * (LARGEST + 1), "\0", "{"],
    ids=lambda text: text[:8],
)
def test_a_file_that_is_nonsense_is_as_if_it_were_not_there(text: str) -> None:
    assert written(text) == USUAL


def test_neither_is_one_that_is_no_text_or_no_file() -> None:
    settings_file().write_bytes(b'{"name": "\xff"}')
    assert remembered() == USUAL
    settings_file().unlink()
    settings_file().mkdir()
    assert remembered() == USUAL
    assert "could not be written" in (USUAL.keep() or "")


@pytest.mark.skipif(os.name == "nt", reason="no pipes with names")
def test_a_pipe_is_not_waited_for() -> None:
    os.mkfifo(settings_file())
    assert remembered() == USUAL
    assert "could not be written" in (USUAL.keep() or "")


def test_a_link_to_the_settings_stays_a_link(home: Path) -> None:
    (home / "elsewhere.json").write_text("{}", encoding="utf-8")
    settings_file().symlink_to(home / "elsewhere.json")
    assert Preferences(name="Ann").keep() is None
    assert settings_file().is_symlink()
    assert json.loads((home / "elsewhere.json").read_text(encoding="utf-8"))["name"] == "Ann"


def test_opponents_and_duels_that_do_not_exist_open_the_lobby_and_a_table() -> None:
    found = written(
        json.dumps({"opponent": "level:99", "duel": "chess", "name": "[@click=app.quit]{x}", "motion": False})
    )
    assert (found.opponent, found.duel) == ("level:99", "chess")

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5")
        await seen(pilot, "Against whom?")

    run(tale, preferences=found)


NAMED = Preferences(name="Ann", guest="Bo")


@pytest.mark.parametrize(
    ("kinds", "given", "names"),
    [
        (("human", "level:2"), (None, None), ("Ann", None)),
        (("level:2", "human"), (None, None), (None, "Ann")),
        (("human", "human"), (None, None), ("Ann", "Bo")),
        (("human", "human"), ("Eve", None), ("Eve", "Bo")),
        (("human", "human"), (None, "ann"), (None, "ann")),
        (("random", "level:2"), (None, None), (None, None)),
    ],
)
def test_people_without_a_name_have_the_one_that_they_like(
    kinds: tuple[str, str], given: tuple[str | None, str | None], names: tuple[str | None, str | None]
) -> None:
    assert NAMED.names(kinds, given) == names
