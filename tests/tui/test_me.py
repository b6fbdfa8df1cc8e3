"""The record on the full screen, and the next level when it is due."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from duelbook import Match, load
from duelbook.core import variant
from duelbook.me.memory import recall
from duelbook.record import Record, writes
from duelbook.saves import state_folder
from duelbook.tui.aftermath import Aftermath
from duelbook.tui.climb import Climb
from duelbook.tui.dialogs import Ask, Page
from duelbook.tui.lobby import Lobby
from duelbook.tui.me import Me
from duelbook.tui.table import Table
from slow_helper import first_now, slow
from tui_helper import LARGE, SMALL, at_home, match_of, press, run, seen, settle, text


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    return tmp_path


def have_won(count: int, duel: str = "tower", foe: str = "level:2", rules: tuple[str, ...] = ()) -> None:
    folder = state_folder()
    folder.mkdir(parents=True, exist_ok=True)
    for at in range(count):
        match = Match(load(duel), variant(load(duel), rules))
        match.resign(1)
        record = Record(match, ("human", foe), "2020.01.01")
        (folder / f"{duel}{''.join(rules)}-2020010{at}.duel").write_text(writes(record), encoding="utf-8")


@pytest.mark.parametrize("size", first_now([(60, 18), SMALL, LARGE]))
def test_the_record_is_in_the_lobby_and_goes_from_duel_to_duel(size: tuple[int, int]) -> None:
    have_won(3)
    have_won(2, "deck", "perfect")

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "m")
        assert isinstance(pilot.app.screen, Me)
        await seen(pilot, "all together")
        assert "all duels" in text(pilot.app)
        await press(pilot, "left")
        await seen(pilot, "level 2 beginner")
        shown = text(pilot.app)
        assert "Tower Defense Duel" in shown
        assert " perfect " not in shown
        assert "level 2 beginner 3 3 0 0 100 % -" in " ".join(shown.split())
        await press(pilot, "right", "right", "right")
        await seen(pilot, " perfect ")
        await press(pilot, "down", "up", "pagedown", "pageup", "question_mark")
        assert isinstance(pilot.app.screen, Page)
        await press(pilot, "escape", "escape")
        assert isinstance(pilot.app.screen, Lobby)

    run(tale, size=size)


def test_nothing_is_said_of_somebody_who_has_not_played() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "m")
        await seen(pilot, "No game against a program counts so far")
        await press(pilot, "f")
        await settle(pilot)
        assert isinstance(pilot.app.screen, Me)

    run(tale)


@pytest.mark.slow
def test_of_a_duel_that_was_not_played_it_is_not_said_that_there_is_no_record() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "right")
        await seen(pilot, "No game of Command Line Conquer against a program counts so far.")
        assert "no record of you" not in text(pilot.app)

    run(tale, opening=lambda app: app.push_screen(Me()))


def test_forgetting_asks_first_and_a_quick_enter_keeps_it() -> None:
    have_won(3)

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "m")
        await seen(pilot, "level 2 beginner")
        await press(pilot, "f")
        assert isinstance(pilot.app.screen, Ask)
        assert "Forget 3 games?" in pilot.app.screen.question
        await press(pilot, "enter")
        assert len(recall().games) == 3
        await press(pilot, "f", "y")
        await seen(pilot, "3 forgotten")
        assert recall().games == []

    run(tale)


@pytest.mark.parametrize("size", [(60, 18), slow(SMALL)])
def test_a_duel_under_other_rules_is_told_from_the_same_by_the_book(size: tuple[int, int]) -> None:
    have_won(2, "deck")
    have_won(1, "deck", rules=("lp=30",))

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "m")
        await seen(pilot, "all together")
        shown = text(pilot.app)
        assert "Number Duel (deck) 2 2 0 0 100 %" in shown
        assert "Number Duel (deck), lp=30 1 1 0 0 100 %" in shown

    run(tale, size=size)


@pytest.mark.slow
def test_after_the_game_that_makes_it_clear_the_next_level_is_one_key_away() -> None:
    have_won(4)

    async def tale(pilot: Pilot[int]) -> None:
        table = pilot.app.screen
        assert isinstance(table, Table)
        table.match.resign(1)
        table.action_look_back()
        await settle(pilot)
        assert isinstance(pilot.app.screen, Aftermath)
        await seen(pilot, "You won 5 of your last 5 games against level 2 beginner.")
        await press(pilot, "question_mark")
        assert "L The next level: your record says that it is time for it." in text(pilot.app)
        await press(pilot, "escape")
        await press(pilot, "l")
        harder = pilot.app.screen
        assert isinstance(harder, Table)
        assert harder.kinds == ("human", "level:3")
        assert harder.host.coaching is True

    run(tale, opening=match_of("tower", "human", "level:2", coach=True))


@pytest.mark.slow
def test_help_after_the_end_says_whether_one_won() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = pilot.app.screen
        assert isinstance(table, Table)
        table.match.resign(0)
        table.action_help()
        await settle(pilot)
        assert isinstance(pilot.app.screen, Page)
        assert pilot.app.screen.lines[0].text == "You lost."

    run(tale, opening=match_of("tower", "human", "level:2"))


@pytest.mark.slow
def test_no_level_is_offered_before_that() -> None:
    have_won(3)

    async def tale(pilot: Pilot[int]) -> None:
        table = pilot.app.screen
        assert isinstance(table, Table)
        table.match.resign(1)
        table.action_look_back()
        await settle(pilot)
        assert isinstance(pilot.app.screen, Aftermath)
        assert not pilot.app.screen.query(Climb)
        await press(pilot, "l")
        assert isinstance(pilot.app.screen, Aftermath)
        assert "l▏ leave or look back?" in text(pilot.app)
        await press(pilot, "escape", "question_mark")
        assert isinstance(pilot.app.screen, Page)
        assert "The next level" not in text(pilot.app)

    run(tale, opening=match_of("tower", "human", "level:2"))
