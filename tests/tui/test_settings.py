"""Settings: each by key and by mouse, held at once, remembered in the next run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from duelbook.tui.app import DuelbookApp
from duelbook.tui.lobby import Lobby
from duelbook.tui.menu import Dial, Item
from duelbook.tui.preferences import Preferences, remembered
from duelbook.tui.settings import Settings
from slow_helper import first_row_now, slow
from tui_helper import LARGE, SMALL, at_home, click_words, press, rows, run, settle, text, told


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    return tmp_path


def liked(pilot: Pilot[int]) -> Preferences:
    assert isinstance(pilot.app, DuelbookApp)
    return pilot.app.preferences


@pytest.mark.parametrize("size", [SMALL, slow(LARGE)])
def test_every_setting_is_on_the_screen(size: tuple[int, int]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "s")
        words = text(pilot.app)
        for label in ("Your name", "Guest's name", "Colours", "Motion", "Coach", "Letters", "Speed", "Back"):
            assert label in words

    run(tale, size=size)


@pytest.mark.slow
def test_all_of_them_by_keys_and_in_the_next_run() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "s", "t")
        assert pilot.app.theme == "paper"
        await press(pilot, "m", "c", "l", "l", "v", "n", *"Ada", "enter", "g", *"Bo", "enter", "escape")
        assert isinstance(pilot.app.screen, Lobby)
        assert pilot.app.animation_level == "full"

    run(tale)
    expected = Preferences("Ada", "Bo", "paper", True, True, "ascii", 0.5)
    assert remembered() == expected

    async def again(pilot: Pilot[int]) -> None:
        assert pilot.app.theme == "paper"
        await press(pilot, "s")
        assert pilot.app.screen.query_one("#name", Input).value == "Ada"
        assert pilot.app.screen.query_one("#letters", Dial).value == "ascii"

    run(again, preferences=remembered())


@pytest.mark.slow
def test_arrows_and_mouse_turn_them_too() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "s", "right", "right")
        assert pilot.app.theme == "contrast"
        await press(pilot, "left", "down", "left")
        assert (liked(pilot).theme, liked(pilot).motion) == ("paper", True)
        row = next(at for at, row in enumerate(rows(pilot.app)) if "Colours" in row)
        await pilot.click(offset=(rows(pilot.app)[row].index("○ contrast"), row))
        assert pilot.app.theme == "contrast"
        row = next(at for at, row in enumerate(rows(pilot.app)) if "Speed" in row)
        await pilot.click(offset=(rows(pilot.app)[row].index("○ 4 s"), row))
        assert remembered().pace == 4.0
        await pilot.click(pilot.app.screen.query(Item).last())
        await settle(pilot)
        assert isinstance(pilot.app.screen, Lobby)

    run(tale)


@pytest.mark.slow
def test_a_name_is_kept_when_its_line_is_left_and_can_be_taken_away_again() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "s")
        await pilot.click("#name")
        await press(pilot, *"Eva", "down")
        assert remembered().name == "Eva"
        await press(pilot, "up", "backspace", "backspace", "backspace", "tab")
        assert remembered().name == ""

    run(tale)


@pytest.mark.slow
def test_behind_a_name_letters_are_keys_again_and_the_foot_says_how_to_keep_it() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "s", "n", *"Ann")
        assert "Enter Keep the name" in rows(pilot.app)[-1]
        await press(pilot, "enter", "t")
        assert (liked(pilot).name, liked(pilot).guest, liked(pilot).theme) == ("Ann", "", "paper")

    run(tale)


@pytest.mark.slow
def test_names_that_cannot_be_are_put_back() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "s", "g", *"ada", "enter")
        assert told(pilot, "Both players cannot be called")
        assert liked(pilot).guest == ""
        assert pilot.app.screen.query_one("#guest", Input).value == ""
        await press(pilot, "g", *"x" * 40, "enter")
        assert liked(pilot).guest == "x" * 30

    run(tale, preferences=Preferences(name="Ada", motion=False))


def test_escape_puts_a_name_back_and_only_then_leaves() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "s", "n", *"xyz")
        assert "Esc Put it back" in rows(pilot.app)[-1]
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Settings)
        assert (liked(pilot).name, pilot.app.screen.query_one("#name", Input).value) == ("Ada", "Ada")
        await press(pilot, "t")  # a key again, and no letter
        assert liked(pilot).theme == "paper"
        await press(pilot, "n")
        assert "Esc Back" in rows(pilot.app)[-1]
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Lobby)
        assert remembered().name == "Ada"

    run(tale, preferences=Preferences(name="Ada", motion=False))


def test_a_name_takes_no_letter_more_in_silence() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "s", "g", *"x" * 31)
        assert "30 letters are the most." in rows(pilot.app)[-1]
        await press(pilot, "backspace")
        assert "30 letters" not in text(pilot.app)

    run(tale)


@pytest.mark.parametrize(("label", "id"), first_row_now([("Your name", "name"), ("Guest's name", "guest")]))
def test_a_click_on_its_label_leads_to_a_name_and_the_mark_shows_it(label: str, id: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "s")
        await click_words(pilot, label)
        assert pilot.app.focused is pilot.app.screen.query_one(f"#{id}")
        assert [row[:2] for row in rows(pilot.app) if "▌" in row] == [" ▌"]
        (marked,) = [row for row in rows(pilot.app) if "▌" in row]
        assert label in marked

    run(tale)


def test_a_name_that_steers_terminals_is_shown_without_its_spell() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "s")
        assert pilot.app.screen.query_one("#name", Input).value == "[2JEve"

    run(tale, preferences=Preferences(name="\x1b[2JEve", motion=False))


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_is_said(home: Path) -> None:
    shutil.rmtree(home / "duelbook")
    (home / "duelbook").write_text("in the way", encoding="utf-8")

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "s", "t")
        assert told(pilot, "Your settings could not be written")
        assert pilot.app.theme == "paper"
        assert isinstance(pilot.app.screen, Settings)

    run(tale)
