"""Guided games on the full screen: offered once, played with the keys that stand there, left at once."""

from __future__ import annotations

from math import inf
from pathlib import Path
from types import SimpleNamespace

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from duelbook.games import ROOMS, load
from duelbook.table import newcomers
from duelbook.tui.command import CommandLine
from duelbook.tui.dialogs import Ask, Page
from duelbook.tui.lesson import LessonScreen
from duelbook.tui.setup import Setup
from duelbook.tui.table import Table
from slow_helper import first_now, first_row_now
from tui_helper import LARGE, SMALL, at_home, burst, press, resize, rows, run, settle, text, wait_until

WORDS = {
    "conquer": ("d", "heal", "attack"),
    "deck": ("heal", "a", "attack"),
    "energy": ("2", "defend", "1"),
    "secret": ("10", "9", "10"),
    "tower": ("attack", "build 4", "1"),
}


async def typed(pilot: Pilot[int], word: str) -> None:
    await pilot.press(*("space" if letter == " " else letter for letter in word), "enter")
    await settle(pilot)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_home(monkeypatch, tmp_path)


def said(pilot: Pilot[int]) -> str:
    return str(pilot.app.screen.query_one("#said", Static).content)


@pytest.mark.parametrize("size", first_now([SMALL, LARGE]))
@pytest.mark.parametrize("id", first_now(ROOMS))
def test_a_lesson_is_played_in_the_books_words_to_the_end(id: str, size: tuple[int, int]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, LessonScreen)
        await pilot.press("enter")  # nothing is highlighted: nothing is played
        await settle(pilot)
        assert screen.guide.done == 0
        for done, word in enumerate(WORDS[id], 1):
            await typed(pilot, word.upper() if done == 2 else word)
            assert screen.guide.done == done
            lines = said(pilot).split("\n")
            headings = [at for at, line in enumerate(lines) if line.endswith(":")]
            assert all(lines[at + 1].strip() for at in headings)  # none stands over nothing
        assert "You won!" in said(pilot)
        spoken = screen.query_one("#spoken")
        assert spoken.scroll_offset.y == spoken.max_scroll_y  # the closing idea is seen to its last word
        assert screen.guide.lesson.idea.split()[-1] in text(pilot.app)
        await typed(pilot, "play")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Table))

    run(tale, opening=lambda app: app.push_screen(LessonScreen(load(id))), size=size)


def test_a_wrong_key_after_the_end_does_not_spoil_the_right_one() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        for word in WORDS["tower"]:
            await typed(pilot, word)
        await pilot.press("z")
        await settle(pilot)
        await pilot.press("p", "enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Table))

    run(tale, opening=lambda app: app.push_screen(LessonScreen(load("tower"))))


def test_the_question_stays_in_sight_whatever_takes_room_from_it() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, LessonScreen)
        await typed(pilot, "defend")
        assert screen.guide.task is not None
        ending = " ".join(screen.guide.task.says.split()[-3:])
        await typed(pilot, "attack")  # refused, in a note above
        assert "You cannot attack on the turn after defending." in text(pilot.app)
        assert ending in text(pilot.app)
        for size in ((70, 20), (60, 18)):
            await resize(pilot, *size)
            while "PgDn More" in text(pilot.app):
                await press(pilot, "pagedown")
            assert ending.split()[-1] in text(pilot.app)

    run(tale, opening=lambda app: app.push_screen(LessonScreen(load("conquer"))))


@pytest.mark.parametrize(
    ("id", "wrong", "says"),
    first_row_now([("conquer", "attack", "Not attack."), ("deck", "attack", "Not attack."), ("tower", "1", "Not")]),
)
def test_in_a_small_window_what_is_told_is_read_from_its_beginning(id: str, wrong: str, says: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, LessonScreen)
        assert screen.guide.task is not None
        told = (screen.guide.lesson.idea.split()[:4], says.split())
        for beginning in told:
            assert " ".join(beginning) in text(pilot.app)
            assert "PgDn More" in rows(pilot.app)[-1]
            while "PgDn More" in text(pilot.app):
                await press(pilot, "pagedown")
            assert screen.guide.task.says.split()[-1] in text(pilot.app)
            await typed(pilot, wrong)

    run(tale, size=(60, 18), opening=lambda app: app.push_screen(LessonScreen(load(id))))


def test_no_empty_line_follows_another_where_a_figure_is_left_out() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await typed(pilot, "10")
        assert "Player A deals 1 damage" in said(pilot)
        assert "\n\n\n" not in said(pilot)

    run(tale, opening=lambda app: app.push_screen(LessonScreen(load("secret"))))


def test_a_wrong_move_is_answered_kindly() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, LessonScreen)
        await typed(pilot, "build 4")
        assert screen.guide.done == 0
        assert "They build 4 and win." in said(pilot)
        assert "try again" in said(pilot)

    run(tale, opening=lambda app: app.push_screen(LessonScreen(load("tower"))))


@pytest.mark.slow
@pytest.mark.parametrize("answer", first_now(["y", "n", "escape", "enter"]))
def test_it_is_offered_once_where_a_game_is_set_up(answer: str) -> None:
    (newcomers.place() / "conquer").unlink()

    async def tale(pilot: Pilot[int]) -> None:
        await pilot.press("1")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Ask))
        box = pilot.app.screen
        assert isinstance(box, Ask)
        assert "Y shows it, N or Enter leaves it for later" in box.question, "what Enter does is said"
        await pilot.press(answer)
        await settle(pilot)
        assert isinstance(pilot.app.screen, LessonScreen if answer == "y" else Setup)
        if answer == "y":
            await pilot.press("escape")
            await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        await pilot.press("1")
        await settle(pilot)
        assert isinstance(pilot.app.screen, Setup)
        await pilot.press("l")
        await settle(pilot)
        assert isinstance(pilot.app.screen, LessonScreen)

    run(tale)


@pytest.mark.slow
def test_a_hint_is_typed_as_in_line_mode() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, LessonScreen)
        for asked in (("h", "i", "n", "t", "enter"), ("i",), ("I",), ("f2",)):
            screen._show([])
            await pilot.press(*asked)
            await settle(pilot)
            assert "The move is attack." in said(pilot)
            assert screen.guide.done == 0

    run(tale, opening=lambda app: app.push_screen(LessonScreen(load("tower"))))


def test_help_says_what_is_asked_and_does_not_give_the_move_away() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await typed(pilot, "help")
        page = pilot.app.screen
        assert isinstance(page, Page)
        assert page.lines[0].text.endswith("What can you do about their tower?")
        assert "The move is" not in text(pilot.app)

    run(tale, opening=lambda app: app.push_screen(LessonScreen(load("tower"))))


@pytest.mark.parametrize("at_once", first_now([True, False]))
def test_what_is_typed_over_the_help_of_a_lesson_loses_no_letter(at_once: bool) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await typed(pilot, "help")
        assert isinstance(pilot.app.screen, Page)
        await (burst if at_once else press)(pilot, "i", "space", *"am", "space", *"ready")
        assert isinstance(pilot.app.screen, LessonScreen)
        assert pilot.app.screen.query_one(CommandLine).text == "i am ready"
        assert "The move is" not in said(pilot)

    run(tale, opening=lambda app: app.push_screen(LessonScreen(load("tower"))), held=inf)


@pytest.mark.parametrize(
    ("id", "word"),
    first_row_now([*((id, "skip") for id in ROOMS), *(("deck", word) for word in ("QUIT", "q", "exit", "/leave"))]),
)
def test_a_lesson_is_left_by_a_word(id: str, word: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await typed(pilot, word)
        assert not isinstance(pilot.app.screen, LessonScreen)

    run(tale, opening=lambda app: app.push_screen(LessonScreen(load(id))))


def test_a_move_that_is_called_skip_is_played() -> None:
    game = load("tower")
    renamed = lambda rules: tuple(word.replace("attack", "skip") for word in game.dialogue.words(rules))  # noqa: E731
    voice = SimpleNamespace(**{**vars(game.dialogue), "words": renamed})
    assert game.lesson is not None
    tasks = (game.lesson.tasks[0]._replace(play="skip"), *game.lesson.tasks[1:])
    guest = game._replace(dialogue=voice, lesson=game.lesson._replace(tasks=tasks))
    assert "skip" not in LessonScreen(guest).words
    assert "quit" in LessonScreen(guest).words


@pytest.mark.slow
def test_after_the_last_turn_there_is_nothing_to_hint_at() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, LessonScreen)
        for word in WORDS["tower"]:
            await typed(pilot, word)
        before = said(pilot)
        await typed(pilot, "hint")
        await pilot.press("i")
        await settle(pilot)
        assert said(pilot) == before
        await typed(pilot, "skip")
        assert not isinstance(pilot.app.screen, LessonScreen)

    run(tale, opening=lambda app: app.push_screen(LessonScreen(load("tower"))))


@pytest.mark.parametrize("line", first_now(["defend", "attack", "hint"]))
def test_the_rule_book_makes_way_for_what_is_said(line: str) -> None:
    """Whoever had it open played to the end and read not one sentence of the lesson."""

    async def tale(pilot: Pilot[int]) -> None:
        await typed(pilot, "rules")
        assert pilot.app.screen.query("#rulebook")
        await typed(pilot, line)
        assert not pilot.app.screen.query("#rulebook")
        assert "The move is" in text(pilot.app) or "try again" in text(pilot.app) or "turn 2 of" in text(pilot.app)
        assert said(pilot)

    run(tale, opening=lambda app: app.push_screen(LessonScreen(load("conquer"))))
