"""A disk that fails while a game is on the full screen: nobody leaves without hearing of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual.pilot import Pilot

from duelbook.saves import state_folder
from duelbook.table.keeper import NOT_SAVED
from duelbook.tui.app import DuelbookApp
from duelbook.tui.table import Table
from tui_helper import at_home, match_of, press, run, say, seen, told


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at_home(monkeypatch, tmp_path)


async def lose_the_folder(pilot: Pilot[int]) -> None:
    await seen(pilot, "Build 4")
    shutil.rmtree(state_folder())
    await say(pilot, "4")
    assert told(pilot, "could not be written")


def test_leaving_the_program_says_it_and_fails() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await lose_the_folder(pilot)
        app = pilot.app
        assert isinstance(app, DuelbookApp)
        app.action_quit_game()
        assert app.farewell == NOT_SAVED
        assert app.return_code == 1

    run(tale, opening=match_of("tower"))


def test_leaving_the_table_says_it() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await lose_the_folder(pilot)
        pilot.app.clear_notifications()
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, Table)
        assert told(pilot, NOT_SAVED)

    run(tale, opening=match_of("tower"))


@pytest.mark.slow
def test_a_game_that_is_safe_is_left_with_advice() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await seen(pilot, "Build 4")
        await say(pilot, "4")
        app = pilot.app
        assert isinstance(app, DuelbookApp)
        app.action_quit_game()
        assert app.farewell.startswith("The game is saved. Go on later with: ")
        assert app.return_code == 0

    run(tale, opening=match_of("tower"))
