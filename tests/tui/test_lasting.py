"""What nothing sets back is not done by a stray Enter, nor by the first letter of a word that is typed slowly."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from duelbook.games import load
from duelbook.tui.actions import ActionButton
from duelbook.tui.app import DuelbookApp
from duelbook.tui.command import CommandLine
from duelbook.tui.curtain import Curtain
from duelbook.tui.dialogs import Ask, Page
from duelbook.tui.lesson import LessonScreen
from duelbook.tui.lobby import Lobby
from duelbook.tui.puzzles import PuzzleScreen
from duelbook.tui.setup import Setup
from duelbook.tui.table import Table
from slow_helper import first_now, first_row_now
from tui_helper import at_home, match_of, press, run, say, settle, text, told, wait_until


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at_home(monkeypatch, tmp_path)


def table_of(pilot: Pilot[int]) -> Table:
    return next(screen for screen in pilot.app.screen_stack if isinstance(screen, Table))


def letters_wait(pilot: Pilot[int], seconds: float) -> None:
    """So long for the next one, from here on."""
    assert isinstance(pilot.app, DuelbookApp)
    pilot.app.pause = seconds


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


@pytest.mark.slow
def test_keeping_a_slip_waits_for_the_next_letter() -> None:
    """At half a second a letter the G of `got it` let the opponent reply."""

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *"attack", "enter")
        box = pilot.app.screen
        assert isinstance(box, Ask)
        letters_wait(pilot, 0.35)
        assert [round(box.waits(key), 2) for key in "tsgG"] == [1.05] * 4
        letters_wait(pilot, 1e6)
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
        assert not isinstance(pilot.app.screen, Ask)
        assert len(table_of(pilot).match.steps) == 1
        await press(pilot, "z", "y")
        assert not table_of(pilot).match.steps

    run(tale, opening=match_of("tower"))


@pytest.mark.slow
def test_a_clue_is_not_given_by_the_first_letter_of_cancel() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "i")
        box = pilot.app.screen
        assert isinstance(box, Ask)
        letters_wait(pilot, 0.35)
        assert box.waits("c") == pytest.approx(1.5, abs=0.01)
        letters_wait(pilot, 1e6)
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
        letters_wait(pilot, 0.35)
        assert table.waits("Z") == table.waits("z") == pytest.approx(1.05, abs=0.01)
        assert table.waits("i") == 0.35
        letters_wait(pilot, 1e6)
        await press(pilot, "z")
        assert "z▏ Enter: take back the last move" in text(pilot.app)
        assert len(table.match.steps) == 2
        await press(pilot, then)
        assert len(table.match.steps) == left
        line = table.query_one(CommandLine)
        assert line.text == (f"z{then}" if len(then) == 1 else "")
        assert line.text or line.meaning == ""

    run(tale, opening=match_of("tower", "human", "level:1"), held=inf)


@pytest.mark.parametrize("how", first_now(["a click", "a paste", "the foot"]))
def test_what_waits_to_take_back_gives_way_to_the_mouse(how: str) -> None:
    """The move that was clicked meanwhile was taken back, and one more where Undo was clicked."""

    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await say(pilot, "4")
        await wait_until(pilot, lambda: len(table.match.steps) == 2 and table.ours() is not None)
        await say(pilot, "4")
        await wait_until(pilot, lambda: len(table.match.steps) == 4 and table.ours() is not None)
        letters_wait(pilot, 0.05)
        await pilot.press("z")
        if how == "a click":
            button = next(each for each in table.query(ActionButton) if each.action.word == "build 1")
            await pilot.click(button)
        elif how == "a paste":
            pilot.app.post_message(events.Paste("one"))
        else:
            await table.run_action("undo")
        await settle(pilot)
        assert not table._held
        assert table._waiting is None
        wanted = {"a click": 6, "a paste": 4, "the foot": 2}[how]
        await wait_until(pilot, lambda: len(table.match.steps) == wanted)
        assert table.query_one(CommandLine).text == ("zone" if how == "a paste" else "")

    run(tale, opening=match_of("tower", "human", "level:1"))


@pytest.mark.slow
def test_where_nothing_can_be_taken_back_or_both_are_asked_nothing_waits() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        assert table.lasts("z") == ""
        await say(pilot, "4")
        assert table.lasts("z") == ""  # two people: both are asked

    run(tale, opening=match_of("tower"))


@pytest.mark.slow
def test_a_key_that_waits_leaves_what_the_line_says_of_the_highlighted_action() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await press(pilot, "right")
        line = table.query_one(CommandLine)
        before = line.meaning
        assert before
        letters_wait(pilot, 1e6)
        await press(pilot, "k", "escape")
        assert (line.meaning, line.text) == (before, "")

    run(tale, opening=match_of("secret", "human", "level:1"))


@pytest.mark.slow
def test_beginning_a_game_waits_longer_for_the_next_letter() -> None:
    """At half a second a letter `strong` began a game against whoever was chosen before."""

    async def tale(pilot: Pilot[int]) -> None:
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        await press(pilot, "5")
        setup = pilot.app.screen
        assert isinstance(setup, Setup)
        letters_wait(pilot, 0.35)
        assert [round(setup.waits(key), 2) for key in "sto"] == [1.05, 0.35, 0.35]
        assert lobby.lasts("r") == ""  # there is nothing to go on with

    run(tale)


@pytest.mark.parametrize("key", first_now(["escape", "backspace", "down", "tab"]))
@pytest.mark.parametrize(("opened", "letter", "says"), [(Setup, "s", "start the game"), (Lobby, "r", "")])
def test_whoever_thinks_better_of_it_begins_no_game(key: str, opened: type[object], letter: str, says: str) -> None:
    """The letter is seen for a second, and whoever pressed Escape then began the game."""

    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "4")
        await press(pilot, "escape")
        await wait_until(pilot, lambda: "turn 2" in text(pilot.app))
        await press(pilot, *(["5"] if opened is Setup else []))
        letters_wait(pilot, 1e6)
        await press(pilot, letter)
        assert f"{letter}▏ Enter: {says}" in text(pilot.app)
        await press(pilot, key)
        assert isinstance(pilot.app.screen, opened)
        assert f"{letter}▏" not in text(pilot.app)
        await press(pilot, letter, "enter")
        assert isinstance(pilot.app.screen, Table)

    run(tale, opening=match_of("tower"))


@pytest.mark.slow
def test_going_on_with_a_game_waits_longer_for_the_next_letter() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "4")
        await press(pilot, "escape")
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        await wait_until(pilot, lambda: "Tower Defense Duel, turn" in text(pilot.app) or "turn 2" in text(pilot.app))
        letters_wait(pilot, 0.35)
        assert [round(lobby.waits(key), 2) for key in "rRl"] == [1.05, 1.05, 0.35]

    run(tale, opening=match_of("tower"))


# What was typed is what is spoken of


def test_a_letter_that_begins_several_words_of_the_screen_is_not_enough() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "s")
        assert told(pilot, "'s' is not enough: status or save?")

    run(tale, opening=match_of("tower"))


@pytest.mark.parametrize("line", first_now(["yes", "very"]))
def test_a_refused_word_is_quoted_with_all_its_letters(line: str) -> None:
    """Typed slowly, its first letter gave way to the next one, and people were told of words they had not typed."""

    async def tale(pilot: Pilot[int]) -> None:
        letters_wait(pilot, 1e-6)
        for letter in line:
            await press(pilot, letter)
        await press(pilot, "enter")
        assert told(pilot, f"'{line}' is not a move here")
        await say(pilot, "dance")
        assert told(pilot, "'dance' is not a move here")
        await press(pilot, "2", "4", "x", "enter")  # who looks at one action after the other types no number
        assert told(pilot, "'4x' is not a move here")
        await press(pilot, "a", "1", "x", "enter")
        assert told(pilot, "'1x' is not a move here")

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
        await press(pilot, "enter")  # refused as well, but there is nothing to take away
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, Curtain)

    run(tale, opening=match_of("secret"))


@pytest.mark.slow
def test_a_click_beside_a_page_closes_it() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, Page)
        await pilot.click(offset=(40, 12))  # on it: somebody reads
        assert isinstance(pilot.app.screen, Page)
        await pilot.click(offset=(0, 23))
        assert isinstance(pilot.app.screen, Table)

    run(tale, opening=match_of("tower"))


@pytest.mark.slow
def test_a_key_is_named_as_it_is_printed() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "pagedown")
        assert "PgDn does nothing here" in text(pilot.app)

    run(tale, opening=lambda app: app.push_screen(LessonScreen(load("tower"))), size=(120, 40))
