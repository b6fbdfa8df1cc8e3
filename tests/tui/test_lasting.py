"""What nothing sets back is not done by a stray Enter, nor by the first letter of a word that is typed slowly."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest
from textual.pilot import Pilot

from duelbook.games import load
from duelbook.tui.command import CommandLine
from duelbook.tui.curtain import Curtain
from duelbook.tui.dialogs import Ask, Page
from duelbook.tui.lesson import LessonScreen
from duelbook.tui.lobby import Lobby
from duelbook.tui.puzzles import PuzzleScreen
from duelbook.tui.setup import Setup
from duelbook.tui.table import Table
from slow_helper import first_now, first_row_now
from tui_helper import at_home, match_of, press, run, say, text, told, wait_until


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at_home(monkeypatch, tmp_path)


def table_of(pilot: Pilot[int]) -> Table:
    return next(screen for screen in pilot.app.screen_stack if isinstance(screen, Table))


# Boxes


@pytest.mark.parametrize("key", first_now(["enter", "space"]))
def test_enter_alone_does_not_take_a_move_back(key: str) -> None:
    """It did, 0.6 seconds after the Enter of the move, when nobody had read what the coach says."""

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *"attack", "enter", key)
        assert isinstance(pilot.app.screen, Ask)
        assert "That is no answer here. T: Try again" in text(pilot.app)
        assert len(table_of(pilot).match.steps) == 1
        await press(pilot, "right", "enter")  # an arrow chooses first
        assert not isinstance(pilot.app.screen, Ask)
        assert not table_of(pilot).match.steps

    run(tale, opening=match_of("tower", "human", "perfect", coach=True, position="5 8 1"))


def test_keeping_a_slip_waits_for_the_next_letter() -> None:
    """At half a second a letter the G of `got it` let the opponent reply."""

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *"attack", "enter")
        box = pilot.app.screen
        assert isinstance(box, Ask)
        pilot.app.pause = 0.35  # type: ignore[attr-defined]  # the app under test is ours
        assert [round(box.waits(key), 2) for key in "tsgG"] == [1.05] * 4
        pilot.app.pause = 1e6  # type: ignore[attr-defined]  # as above
        await press(pilot, *"got", "enter")
        assert pilot.app.screen is box
        await press(pilot, "g", "4")  # whoever goes on need not wait
        assert not isinstance(pilot.app.screen, Ask)
        assert table_of(pilot).query_one(CommandLine).text == "4"

    run(tale, opening=match_of("tower", "human", "human", coach=True, position="5 8 1"))


def test_enter_alone_does_not_agree_for_two() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "4")
        await press(pilot, "z", "enter")
        assert "Do both of you agree" in text(pilot.app)
        assert len(table_of(pilot).match.steps) == 1
        await press(pilot, "y")
        assert not table_of(pilot).match.steps

    run(tale, opening=match_of("tower"))


def test_a_clue_is_not_given_by_the_first_letter_of_cancel() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "i")
        box = pilot.app.screen
        assert isinstance(box, Ask)
        pilot.app.pause = 0.35  # type: ignore[attr-defined]  # the app under test is ours
        assert box.waits("c") == pytest.approx(1.5, abs=0.01)
        pilot.app.pause = 1e6  # type: ignore[attr-defined]  # as above
        await press(pilot, *"cancel", "enter")
        screen = pilot.app.screen
        assert isinstance(screen, PuzzleScreen)
        assert screen.given == 0

    run(tale, opening=lambda app: app.push_screen(PuzzleScreen(None)))


# Keys


@pytest.mark.parametrize(
    ("then", "left"), first_row_now([("escape", 2), ("backspace", 2), ("enter", 0), ("e", 2), ("a", 2)])
)
def test_taking_back_waits_for_the_next_letter_and_is_seen_meanwhile(then: str, left: int) -> None:
    """The Z of `zero`, at half a second a letter, took both moves back."""

    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await say(pilot, "4")
        await wait_until(pilot, lambda: len(table.match.steps) == 2 and table.ours() is not None)
        pilot.app.pause = 0.35  # type: ignore[attr-defined]  # the app under test is ours
        assert table.patience("Z") == table.patience("z") == pytest.approx(1.05, abs=0.01)
        assert table.patience("i") == 0.35
        pilot.app.pause = 1e6  # type: ignore[attr-defined]  # as above
        await press(pilot, "z")
        assert "z▏ Enter: take back the last move" in text(pilot.app)
        assert len(table.match.steps) == 2
        await press(pilot, then)
        assert len(table.match.steps) == left
        line = table.query_one(CommandLine)
        assert line.text == (f"z{then}" if len(then) == 1 else "")
        assert line.text or line.meaning == ""

    run(tale, opening=match_of("tower", "human", "level:1"), held=inf)


def test_beginning_a_game_waits_longer_for_the_next_letter() -> None:
    """At half a second a letter `strong` began a game against whoever was chosen before."""

    async def tale(pilot: Pilot[int]) -> None:
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        await press(pilot, "5")
        setup = pilot.app.screen
        assert isinstance(setup, Setup)
        pilot.app.pause = 0.35  # type: ignore[attr-defined]  # the app under test is ours
        assert [round(setup.waits(key), 2) for key in "sto"] == [1.05, 0.35, 0.35]
        assert lobby.waits("r") == 0.35  # there is nothing to go on with

    run(tale)


def test_going_on_with_a_game_waits_longer_for_the_next_letter() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "4")
        await press(pilot, "escape")
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        await wait_until(pilot, lambda: "Tower Defense Duel, turn" in text(pilot.app) or "turn 2" in text(pilot.app))
        pilot.app.pause = 0.35  # type: ignore[attr-defined]  # the app under test is ours
        assert [round(lobby.waits(key), 2) for key in "rRl"] == [1.05, 1.05, 0.35]

    run(tale, opening=match_of("tower"))


# What was typed is what is spoken of


def test_a_letter_that_begins_several_words_of_the_screen_is_not_enough() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "s")
        assert told(pilot, "'s' is not enough: status or save?")

    run(tale, opening=match_of("tower"))


@pytest.mark.parametrize("line", first_now(["yes", "vault"]))
def test_a_refused_word_is_quoted_with_all_its_letters(line: str) -> None:
    """Typed slowly, its first letter gave way to the next one, and people were told of words they had not typed."""

    async def tale(pilot: Pilot[int]) -> None:
        pilot.app.pause = 1e-6  # type: ignore[attr-defined]  # the app under test is ours
        for letter in line:
            await press(pilot, letter)
        await press(pilot, "enter")
        assert told(pilot, f"'{line}' is not a move here")
        await say(pilot, "dance")
        assert told(pilot, "'dance' is not a move here")

    run(tale, opening=match_of("tower"))


# Ways out


def test_escape_takes_a_refused_pick_away_before_it_leaves() -> None:
    """With nothing typed it forgets the pick of the other player."""

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter", "1", "1", "enter")
        assert "That is none of the choices." in text(pilot.app)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Curtain)
        assert "Nothing is chosen yet." in text(pilot.app)
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, Curtain)

    run(tale, opening=match_of("secret"))


def test_a_click_beside_a_page_closes_it() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, Page)
        await pilot.click(offset=(40, 12))  # on it: somebody reads
        assert isinstance(pilot.app.screen, Page)
        await pilot.click(offset=(0, 23))
        assert isinstance(pilot.app.screen, Table)

    run(tale, opening=match_of("tower"))


def test_a_key_is_named_as_it_is_printed() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "pagedown")
        assert "PgDn does nothing here" in text(pilot.app)

    run(tale, opening=lambda app: app.push_screen(LessonScreen(load("tower"))), size=(120, 40))
