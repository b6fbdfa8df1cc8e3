"""Rules and options: every knob of every duel, by keys, by typing and by mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from duelbook import load
from duelbook.core import settings
from duelbook.games import ROOMS
from duelbook.tui.app import DuelbookApp
from duelbook.tui.dialogs import AskForText
from duelbook.tui.menu import Item
from duelbook.tui.options import KnobRow, Options
from duelbook.tui.setup import Setup
from slow_helper import first_now, first_row_now, slow, slow_if
from tui_helper import LARGE, SMALL, at_home, burst, press, rows, run, say, settle, text, told


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    return tmp_path


def options(pilot: Pilot[int]) -> Options:
    assert isinstance(pilot.app.screen, Options)
    return pilot.app.screen


def changed(pilot: Pilot[int]) -> list[str]:
    screen = next(screen for screen in pilot.app.screen_stack if isinstance(screen, Options))
    return settings(screen.game, screen.rules)


async def type_in(pilot: Pilot[int], words: str) -> None:
    assert isinstance(pilot.app.screen, AskForText)
    pilot.app.screen.query_one(Input).value = words
    await press(pilot, "enter")


@pytest.mark.parametrize("size", [SMALL, slow(LARGE)])
@pytest.mark.parametrize("id", [slow_if(id != "energy", id) for id in ROOMS])
def test_every_rule_is_there_with_its_value_and_its_meaning(id: str, size: tuple[int, int]) -> None:
    game = load(id)

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, str(list(ROOMS).index(id) + 1), "o")
        words = text(pilot.app)
        for rule, knob in game.knobs.items():
            assert rule in words
            assert f"book: {knob.show(getattr(game.book, rule))}" in words
            assert knob.meaning in words
        assert "Done" in words

    run(tale, size=size)


@pytest.mark.slow
def test_arrows_turn_numbers_and_words_and_stop_at_the_ends() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "3", "o", "right", "right", "left")
        assert changed(pilot) == ["energy=11"]
        await press(pilot, *["down"] * 6, "right", "right")
        assert changed(pilot) == ["energy=11", "both_empty=draw"]
        await press(pilot, "left", "enter", "enter")
        assert changed(pilot) == ["energy=11"]
        await press(pilot, *["up"] * 5, *["left"] * 5)
        assert changed(pilot) == ["energy=11", "attack_cost=0"]

    run(tale)


@pytest.mark.slow
def test_a_value_can_be_typed_and_a_bad_one_is_answered() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "o", "enter")
        assert "the height that wins when reached exactly" in text(pilot.app)
        await type_in(pilot, "20")
        assert changed(pilot) == ["goal=20"]
        for nonsense in ("0", "100", "many", "1,2", "-3", "٣"):
            await press(pilot, "enter")
            await type_in(pilot, nonsense)
            assert told(pilot, f"'{nonsense}' is not allowed for goal")
            assert changed(pilot) == ["goal=20"]
            pilot.app.clear_notifications()
            await press(pilot, "escape")  # the box has stayed for another number
        await press(pilot, "enter", "escape")
        assert changed(pilot) == ["goal=20"]

    run(tale)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "value"),
    first_row_now(
        [
            (("backspace", "backspace", "7", "enter"), "energy=7"),
            (("backspace", "backspace", "2", "5", "enter"), "energy=25"),
            (("home", "delete", "3", "enter"), "energy=30"),
            (("end", "left", "backspace", "4", "enter", "5"), "energy=40"),
        ]
    ),
)
def test_a_value_typed_in_one_burst_is_the_value_that_the_keys_make_in_their_order(
    keys: tuple[str, ...], value: str
) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "3", "o", "enter")
        await burst(pilot, *keys)
        assert changed(pilot) == [value]

    run(tale)


@pytest.mark.slow
def test_several_numbers_are_typed() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "o", "down", "right")
        await type_in(pilot, "1,3,5")
        assert changed(pilot) == ["builds=1,3,5"]
        await press(pilot, "enter")
        await type_in(pilot, "2,2,4")
        assert told(pilot, "'2,2,4' is not allowed for builds")
        assert changed(pilot) == ["builds=1,3,5"]

    run(tale)


@pytest.mark.slow
def test_back_to_the_book_and_done() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "o", "right", "b")
        assert changed(pilot) == []
        await press(pilot, "right", "q")
        assert isinstance(pilot.app.screen, Setup)
        assert pilot.app.screen.rules == ["goal=16"]
        await press(pilot, "o")
        assert changed(pilot) == ["goal=16"]

    run(tale)


@pytest.mark.slow
def test_everything_by_mouse() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "3", "o")
        row = next(at for at, row in enumerate(rows(pilot.app)) if "attack_cost" in row)
        await pilot.click(offset=(rows(pilot.app)[row].index("▸"), row))
        assert changed(pilot) == ["attack_cost=3"]
        for _ in range(2):
            await pilot.click(offset=(rows(pilot.app)[row].index("◂"), row))
        assert changed(pilot) == ["attack_cost=1"]
        await pilot.click(offset=(rows(pilot.app)[row].index("◂") + 2, row))
        await settle(pilot)
        assert isinstance(pilot.app.screen, AskForText)
        await press(pilot, "escape")
        word = next(at for at, row in enumerate(rows(pilot.app)) if "may_pass" in row)
        await pilot.click(offset=(rows(pilot.app)[word].index("broke"), word))
        assert changed(pilot) == ["attack_cost=1", "may_pass=always"]
        await pilot.click(offset=(10, word + 1))
        assert isinstance(pilot.app.focused, KnobRow)
        book, done = options(pilot).query(Item)
        await pilot.click(book)
        await settle(pilot)
        assert changed(pilot) == []
        await pilot.click(done)
        await settle(pilot)
        assert isinstance(pilot.app.screen, Setup)

    run(tale)


@pytest.mark.parametrize("leaving", first_now(["back", "leave", "done"]))
def test_a_printed_value_is_a_word_and_what_leaves_elsewhere_leaves_here(leaving: str) -> None:
    """The name of a rule that is read in two ways turned it, and `back` put all rules back."""

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, str(list(ROOMS).index("secret") + 1), "o")
        assert isinstance(pilot.app, DuelbookApp)
        pilot.app.pause = 1e6
        await say(pilot, "double forfeit")
        assert changed(pilot) == []
        assert "double_forfeit is draw or void: type one" in text(pilot.app)
        await say(pilot, "void")
        assert changed(pilot) == ["double_forfeit=void"]
        await say(pilot, leaving)
        setup = pilot.app.screen
        assert isinstance(setup, Setup)
        assert list(setup.rules) == ["double_forfeit=void"]

    run(tale)
