"""Keys and clicks that come too soon: whatever was pressed before something could be seen does not decide it."""

from __future__ import annotations

import asyncio
from math import inf
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Button

from duelbook.match import Match
from duelbook.tui.aftermath import Aftermath
from duelbook.tui.app import DuelbookApp
from duelbook.tui.command import CommandLine
from duelbook.tui.dialogs import Ask
from duelbook.tui.keybar import KeyBar
from duelbook.tui.leftover import now
from duelbook.tui.lobby import Lobby
from duelbook.tui.setup import Setup
from duelbook.tui.table import Table
from slow_helper import first_now, first_row_now
from tui_helper import at_home, burst, match_of, press, rows, run, say, settle, text, told, wait_until


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    return tmp_path


def table_of(pilot: Pilot[int]) -> Table:
    return next(screen for screen in pilot.app.screen_stack if isinstance(screen, Table))


def played(pilot: Pilot[int]) -> list[object]:
    return [step.play for step in table_of(pilot).match.steps]


def asked(pilot: Pilot[int]) -> bool:
    return isinstance(pilot.app.screen, Ask)


def mouse(pilot: Pilot[int], at: tuple[int, int], times: int, when: float | None = None) -> None:
    """Press and let go, as a terminal reports it: the pilot's own clicks pass by the app. `when` is what the clock then
    says: two presses at the same moment are quick, however long the screen takes between them."""
    for _ in range(times):
        for kind in (events.MouseDown, events.MouseUp):
            event = kind(None, *at, 0, 0, 1, False, False, False, *at)
            event.time = event.time if when is None else when
            pilot.app.post_message(event)


async def click_twice(pilot: Pilot[int], words: str) -> None:
    """A double click whose second half comes when the screen has changed already."""
    lines = rows(pilot.app)
    row = max(at for at, line in enumerate(lines) if words in line)
    at = (lines[row].index(words), row)
    when = now()
    for _ in range(2):
        mouse(pilot, at, 1, when)
        await settle(pilot)


# Questions

SURPRISED = ["you said what?", "yikes", "yet not", "nine", "not sure", "y not"]


@pytest.mark.parametrize("at_once", first_now([True, False]))
@pytest.mark.parametrize("line", first_now(SURPRISED))
def test_no_word_answers_a_question_by_its_first_letter(line: str, at_once: bool) -> None:
    """People type what they think: the Y of `yikes` forfeited, and the N of `nine` went back."""

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "1", "0", "enter", "1", "0", "enter")
        assert asked(pilot)
        letters = ["space" if letter == " " else letter for letter in line]
        await (burst if at_once else press)(pilot, *letters)
        assert f"{line}▏" in text(pilot.app)
        await press(pilot, "enter")
        assert asked(pilot)
        assert "That is no answer here. Y: Forfeit, N: Choose another" in text(pilot.app)
        await press(pilot, *"choose", "space", *"another", "enter")
        assert not asked(pilot)
        assert (len(played(pilot)), table_of(pilot).query_one(CommandLine).text) == (1, "")

    run(tale, opening=match_of("secret", "human", "level:1"), held=inf)


@pytest.mark.parametrize(("line", "key"), first_row_now([("forfeit", ""), ("Y", ""), ("yes", ""), ("", "y")]))
def test_an_answer_is_typed_as_it_is_printed_or_pressed(line: str, key: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await press(pilot, "1", "0", "enter", "1", "0", "enter")
        assert asked(pilot)
        await press(pilot, *([key] if key else [*line, "enter"]))
        await wait_until(pilot, lambda: not asked(pilot) and table.match.outcome is not None)

    run(tale, opening=match_of("secret", "human", "level:1"), held=0.01 if key else inf)


def test_who_thinks_again_takes_a_letter_back_before_it_answers() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await press(pilot, "f9", "y", "backspace", "y", "escape")
        assert asked(pilot)
        await press(pilot, *"yet", "escape")
        assert asked(pilot)
        assert "yet" not in text(pilot.app)
        await press(pilot, "escape")
        assert not asked(pilot)
        assert table.match.outcome is None

    run(tale, opening=match_of("conquer"), held=inf)


@pytest.mark.parametrize("line", first_now(["thanks", "that was wrong", "so what", "keen"]))
def test_no_word_answers_the_coach_by_its_first_letter(line: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await press(pilot, *"attack", "enter")
        await wait_until(pilot, lambda: asked(pilot))
        question, turns = pilot.app.screen, table.match.turns
        await say(pilot, line)
        assert pilot.app.screen is question
        assert table.match.turns == turns
        assert "That is no answer here. T: Try again" in text(pilot.app)

    opening = match_of("tower", "human", "perfect", coach=True, position="5 8 1")
    run(tale, opening=opening, held=inf)


@pytest.mark.parametrize("key", first_now(["enter", "space"]))
def test_a_question_takes_no_key_that_was_pressed_before_it_was_seen(key: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        table.action_resign()
        await burst(pilot, key)
        assert asked(pilot)
        assert "resign and lose this game?" in text(pilot.app)
        assert isinstance(pilot.app.focused, Button)
        assert pilot.app.focused.name == "n"
        await press(pilot, "enter")
        assert not asked(pilot)
        assert table.match.outcome is None

    run(tale, opening=match_of("conquer"))


def test_a_question_about_a_forfeit_is_answered_before_anything_else_is_played() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "1", "0", "enter")
        assert len(played(pilot)) == 1
        await burst(pilot, "1", "0", "enter", "9", "enter")
        assert asked(pilot)
        assert len(played(pilot)) == 1
        await press(pilot, "n")
        assert not asked(pilot)
        assert (len(played(pilot)), table_of(pilot).query_one(CommandLine).text) == (1, "")
        await press(pilot, "enter")
        assert not asked(pilot), "Enter alone picks nothing, and asks nothing again"

    run(tale, opening=match_of("secret", "human", "level:1"))


@pytest.mark.parametrize(("word", "resigned"), first_row_now([("no", False), ("yes", True), ("play on", False)]))
def test_a_word_answers_a_question_and_none_of_its_letters_does_anything_else(word: str, resigned: bool) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await press(pilot, "f9", *("space" if letter == " " else letter for letter in word), "enter")
        assert pilot.app.screen is table
        assert (table.match.outcome is not None) == resigned
        assert not table.reading
        assert "Nothing is highlighted" not in text(pilot.app)

    run(tale, opening=match_of("conquer"), held=inf)


@pytest.mark.parametrize("word", first_now(["yes", "no"]))
def test_of_a_word_that_comes_all_at_once_no_letter_is_answered_or_does_anything_else(word: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await press(pilot, "f9")
        assert asked(pilot)
        await burst(pilot, *word, "enter")
        await wait_until(pilot, lambda: not asked(pilot))
        assert (table.match.outcome is not None) == (word == "yes")
        assert "does nothing here" not in text(pilot.app)
        assert not table.query_one(CommandLine).text

    run(tale, opening=match_of("conquer"), held=inf)


@pytest.mark.parametrize(
    ("word", "turns"),
    first_row_now([("again", 0), ("undo", 0), ("take it back", 0), ("no", 2), ("keep", 2), ("go on", 2)]),
)
def test_the_coach_understands_the_words_that_line_by_line_are_understood(word: str, turns: int) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await press(pilot, *"attack", "enter")
        await wait_until(pilot, lambda: asked(pilot))
        await press(pilot, *("space" if letter == " " else letter for letter in word), "enter")
        await wait_until(pilot, lambda: not asked(pilot) and table.match.turns == turns)

    opening = match_of("tower", "human", "perfect", coach=True, position="5 8 1")
    run(tale, opening=opening, held=inf)


def test_no_answer_to_the_coach_is_a_key_of_the_table() -> None:
    """K kept the move, and a second K switched the coach off, who has K at the foot."""

    async def tale(pilot: Pilot[int]) -> None:
        at_the_foot = {shown.lower() for _, shown, _ in KeyBar.keys(table_of(pilot).query_one(KeyBar))}
        await press(pilot, *"attack", "enter")
        box = pilot.app.screen
        assert isinstance(box, Ask)
        assert not at_the_foot & {key for key, _ in box.answers}
        await press(pilot, "k")  # the beginning of what is printed, and no answer by itself
        assert asked(pilot)
        assert "k▏" in text(pilot.app)
        assert "Enter: Keep it" not in text(pilot.app)  # for Enter would refuse it
        await press(pilot, "backspace", "G")
        assert table_of(pilot).match.turns == 2

    run(tale, opening=match_of("tower", "human", "perfect", coach=True, position="5 8 1"))


@pytest.mark.parametrize("keys", first_now([("4",), ("x",)]))
def test_the_enter_of_a_move_that_is_typed_over_the_coach_takes_nothing_back(keys: tuple[str, ...]) -> None:
    """A letter that is no answer was refused after a moment, and the Enter behind it was the first answer's."""

    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, DuelbookApp)
        table = table_of(pilot)
        await press(pilot, *"attack", "enter")
        assert asked(pilot)
        pilot.app.pause = 0.001
        await press(pilot, *keys)
        await wait_until(pilot, lambda: told(pilot, "That key does nothing here."))
        await press(pilot, "enter")
        assert asked(pilot)
        assert "That is no answer here." in text(pilot.app)
        assert table.match.turns
        await press(pilot, "T")
        await wait_until(pilot, lambda: not asked(pilot))
        assert not table.match.turns

    run(tale, opening=match_of("tower", "human", "perfect", coach=True, position="5 8 1"), held=inf)


def test_an_answer_that_is_pressed_twice_does_nothing_to_the_table_below() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await press(pilot, *"attack", "enter")
        await wait_until(pilot, lambda: asked(pilot))
        await press(pilot, "g", "g", "G")
        await wait_until(pilot, lambda: not asked(pilot) and table.match.turns == 2)
        assert table.host.coaching
        assert not table.query_one(CommandLine).text

    opening = match_of("tower", "human", "perfect", coach=True, position="5 8 1")
    run(tale, opening=opening, held=inf)


@pytest.mark.slow
@pytest.mark.parametrize(("word", "stays"), [("resign", False), ("attack", True), ("on", True)])
def test_a_word_that_begins_with_no_answer_is_read_as_a_whole(word: str, stays: bool) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await press(pilot, "f9", *word)
        assert isinstance(pilot.app.screen, Ask)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, Ask) == stays
        assert (table.match.outcome is None) == stays
        assert not stays or "That is no answer here." in text(pilot.app)

    run(tale, opening=match_of("conquer"), held=inf)


# The mouse


@pytest.mark.parametrize(
    ("id", "position", "words", "left"),
    first_row_now([("deck", "20 20 1 1-6,8-10", "Draw", 1), ("conquer", None, "Attack", 1)]),
)
def test_a_double_click_plays_one_decision(id: str, position: str | None, words: str, left: int) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await click_twice(pilot, words)
        assert len(played(pilot)) == left

    run(tale, opening=match_of(id, position=position), held=inf)


def test_two_clicks_apart_from_each_other_are_two() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await click_twice(pilot, "Attack")
        assert len(played(pilot)) == 2

    run(tale, opening=match_of("conquer"))  # here no two are one


@pytest.mark.slow
def test_a_double_click_in_the_lobby_starts_no_game() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        for row in range(4, 20):  # wherever the second click lands
            when = now()
            mouse(pilot, (10, row), 1, when)
            await settle(pilot)
            if isinstance(pilot.app.screen, Setup):
                mouse(pilot, (10, row), 2, when)
                await settle(pilot)
                assert isinstance(pilot.app.screen, Setup)
                await press(pilot, "escape")
            assert isinstance(pilot.app.screen, Lobby)

    run(tale, held=inf)


# On the way to what was asked for


def test_keys_that_come_before_the_table_is_there_do_nothing_in_the_lobby(monkeypatch: pytest.MonkeyPatch) -> None:
    async def slowly(app: DuelbookApp, match: Match, kinds: tuple[str, str]) -> None:
        """Somebody presses keys before the programs are ready, and the lobby has all the time to hear them."""
        for key in ("2", "right", "space", "q"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        for node in (app, app.screen, app):
            heard = asyncio.Event()
            node.call_later(heard.set)
            await heard.wait()

    monkeypatch.setattr(DuelbookApp, "_make_ready", slowly)

    async def tale(pilot: Pilot[int]) -> None:
        assert [type(screen) for screen in pilot.app.screen_stack[1:]] == [Lobby, Table]
        assert table_of(pilot).game.id == "tower"

    run(tale, opening=match_of("tower"))


def test_the_answer_to_a_key_goes_with_a_click_as_with_a_key() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await pilot.press("f12")
        await settle(pilot)
        assert "F12 does nothing here." in text(pilot.app)
        mouse(pilot, (0, 0), 1)
        await settle(pilot)
        assert "does nothing here" not in text(pilot.app)

    run(tale, opening=match_of("tower", position="5 8 1"))


def test_where_an_answer_decides_a_letter_waits_longer_for_the_next_and_is_seen_meanwhile() -> None:
    """At half a second a letter the Y of `yup` forfeited, and the T of `thanks` took a move back."""

    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, DuelbookApp)
        await press(pilot, "1", "0", "enter", "1", "0", "enter")
        forfeit = pilot.app.screen
        assert isinstance(forfeit, Ask)
        pilot.app.pause = 0.35
        assert forfeit.waits("y") == pytest.approx(1.5, abs=0.01)
        assert forfeit.waits("n") == 0.35, "what changes nothing is answered as quickly as any key"
        forfeit.final = False
        assert forfeit.waits("y") == pytest.approx(1.05, abs=0.01)
        pilot.app.pause = 1e6
        await press(pilot, "y")
        assert "y▏ Enter: Forfeit" in text(pilot.app)
        await press(pilot, *"up", "enter")
        assert pilot.app.screen is forfeit
        assert "That is no answer here." in text(pilot.app)

    run(tale, opening=match_of("secret", "human", "level:1"), held=inf)


def test_a_letter_that_begins_a_game_waits_longer_too() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, DuelbookApp)
        await press(pilot, "4", "enter")
        await press(pilot, "enter")
        page = pilot.app.screen
        assert isinstance(page, Aftermath)
        pilot.app.pause = 0.35
        assert [round(page.waits(key), 1) for key in "ngvd"] == [1.0, 1.0, 0.3, 0.3]
        pilot.app.pause = inf
        await press(pilot, *"next", "space", *"mistake", "enter")
        assert pilot.app.screen is page

    run(tale, opening=match_of("tower", "human", "human", position="11 3 1"))


def test_a_digit_after_a_letter_does_not_make_a_word_of_an_answer() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "f9")
        assert asked(pilot)
        await press(pilot, "n", "4")
        assert not asked(pilot)

    run(tale, opening=match_of("conquer"), held=inf)


def test_the_key_after_an_answer_is_meant_for_what_lies_below() -> None:
    """N, and then the next move: the digit was lost in silence while N still waited for a second letter."""

    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await press(pilot, "f9")
        assert asked(pilot)
        await press(pilot, "n", "4")
        await wait_until(pilot, lambda: not asked(pilot))
        await wait_until(pilot, lambda: table.query_one(CommandLine).text == "4")
        assert played(pilot) == []

    run(tale, opening=match_of("tower"), held=1e6)


def test_a_box_promises_nothing_of_a_letter_that_it_refuses() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "f9", "p")
        assert "p▏" in text(pilot.app)
        assert "Enter: Play on" not in text(pilot.app)
        await press(pilot, "enter")
        assert "That is no answer here." in text(pilot.app)
        await press(pilot, "n", "enter")
        await wait_until(pilot, lambda: not asked(pilot))

    run(tale, opening=match_of("conquer"), held=1e6)
