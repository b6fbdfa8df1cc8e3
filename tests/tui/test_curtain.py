"""Two people pick behind the curtain: typed, hidden, seen only by whoever asks, changed until Enter."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from duelbook.saves import saved
from duelbook.tui import SMALLEST
from duelbook.tui.command import HIDDEN
from duelbook.tui.curtain import Curtain
from duelbook.tui.dialogs import Ask, Page
from duelbook.tui.lobby import Lobby
from duelbook.tui.reveal import Reveal
from duelbook.tui.table import Table
from slow_helper import first_now, first_row_now
from tui_helper import at_home, burst, click_words, match_of, press, resize, rows, run, settle, text


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at_home(monkeypatch, tmp_path)


def plays(pilot: Pilot[int]) -> list[object]:
    (table,) = [screen for screen in pilot.app.screen_stack if isinstance(screen, Table)]
    return [step.play for step in table.match.steps]


@pytest.mark.slow
def test_one_and_nought_are_ten() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter", "1", "0", "enter")
        assert "Hand over the keyboard to Player B" in text(pilot.app)
        await press(pilot, "enter", "1", "enter")
        assert isinstance(pilot.app.screen, Reveal)
        assert plays(pilot) == [(9, 0)]

    run(tale, opening=match_of("secret"))


def test_enter_alone_never_picks() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *["enter"] * 6, "space", "space", "tab", "enter")
        assert isinstance(pilot.app.screen, Curtain)
        assert pilot.app.screen.seat == 0
        assert "Nothing is chosen yet: type your pick first, then press Enter." in text(pilot.app)
        assert plays(pilot) == []

    run(tale, opening=match_of("secret"))


@pytest.mark.slow
def test_a_pick_is_hidden_until_its_player_asks_and_gone_before_the_other_one_looks() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter", "1")
        hidden = rows(pilot.app)
        assert f"Your pick: {HIDDEN}" in text(pilot.app)
        for keys in (("0",), ("backspace", "backspace", "7"), ("backspace", "9")):
            await press(pilot, *keys)
            assert rows(pilot.app) == hidden  # not even how many digits there are
        await press(pilot, "tab")
        assert "Your pick: 9" in text(pilot.app)
        await press(pilot, "tab")
        assert rows(pilot.app) == hidden
        await press(pilot, "tab", "enter")
        assert "9" not in text(pilot.app)
        await press(pilot, "enter", "4")
        assert f"Your pick: {HIDDEN}" in text(pilot.app)  # what one player looks at, the other one does not
        await press(pilot, "enter")
        assert plays(pilot) == [(8, 3)]

    run(tale, opening=match_of("secret"))


def test_what_was_chosen_can_be_changed_until_it_is_confirmed() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter", "3", "escape")
        assert "Nothing is chosen yet." in text(pilot.app)
        await press(pilot, "1", "2", "tab")
        assert "Your pick: 12▏ which is none of the choices" in text(pilot.app)
        await press(pilot, "enter")
        assert "That is none of the choices." in text(pilot.app)
        await press(pilot, "5", "backspace", "6", "enter", "enter", "2", "enter")
        assert plays(pilot) == [(5, 1)]

    run(tale, opening=match_of("secret"))


@pytest.mark.slow
def test_help_is_there_while_a_pick_is_typed_and_leaves_it_alone() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter", "7", "question_mark")
        assert isinstance(pilot.app.screen, Page)
        await press(pilot, "escape", "enter", "enter", "2", "enter")
        assert plays(pilot) == [(6, 1)]

    run(tale, opening=match_of("secret"))


@pytest.mark.slow
def test_a_click_chooses_and_only_a_second_thing_confirms() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter")
        await click_words(pilot, "10 (0)")
        await click_words(pilot, "8")
        assert plays(pilot) == []
        assert f"Your pick: {HIDDEN}" in text(pilot.app)
        await click_words(pilot, "Tab see it")
        assert "Your pick: 8" in text(pilot.app)
        await click_words(pilot, "Enter confirm")
        assert "Hand over the keyboard to Player B" in text(pilot.app)

    run(tale, opening=match_of("secret"))


@pytest.mark.slow
def test_keys_that_come_fast_are_one_players_pick() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter")
        await burst(pilot, "7", "enter", "5")
        assert "Hand over the keyboard to Player B" in text(pilot.app)
        await press(pilot, "enter")
        assert "Nothing is chosen yet." in text(pilot.app)
        await press(pilot, "3", "enter")
        assert plays(pilot) == [(6, 2)]

    run(tale, opening=match_of("secret"))


def test_what_is_typed_at_the_warning_is_hidden_and_no_letter_of_it_forfeits() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "left", "enter", "9", "enter")
        assert isinstance(pilot.app.screen, Ask)
        await press(pilot, *"yikes")
        assert "● ● ● Enter ends a word, Esc clears it." in text(pilot.app)
        await press(pilot, "enter")
        assert "That is no answer here. Y: Forfeit, N: Choose another" in text(pilot.app)
        assert "yikes" not in text(pilot.app)
        await press(pilot, "n", "enter")
        assert isinstance(pilot.app.screen, Curtain)

    run(tale, opening=match_of("secret", position="98 96 9 7"), held=inf)


@pytest.mark.slow
def test_the_warning_says_what_its_keys_do() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter", "9", "enter")
        assert isinstance(pilot.app.screen, Ask)
        assert "Y forfeits, N or Enter lets you choose another." in pilot.app.screen.question
        assert "once more" not in pilot.app.screen.question
        for refusal in ("enter", "n", "N", "escape"):
            await press(pilot, refusal)
            assert isinstance(pilot.app.screen, Curtain)
            assert "Nothing is chosen yet." in text(pilot.app)
            await press(pilot, "9", "enter")
        await press(pilot, "y", "enter", "3", "enter")
        assert plays(pilot) == [(8, 2)]
        assert "Player A repeated 9 and forfeits the game." in text(pilot.app)

    run(tale, opening=match_of("secret", position="98 96 9 7"))


@pytest.mark.slow
def test_help_is_there_and_escape_leaves_only_with_nothing_typed() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "question_mark")
        assert isinstance(pilot.app.screen, Page)
        await press(pilot, "escape", "enter", "question_mark")
        assert "or click its card. Nothing is chosen" in text(pilot.app)
        await press(pilot, "escape", "4", "escape")
        assert isinstance(pilot.app.screen, Curtain)
        await press(pilot, "escape")
        await settle(pilot)
        assert not isinstance(pilot.app.screen, Curtain | Table)

    run(tale, opening=match_of("secret"))


def test_the_curtain_says_what_escape_does_at_that_moment() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter", "1", "0")
        assert "Esc take it back" in text(pilot.app)
        assert "Esc leave" not in text(pilot.app)
        await press(pilot, "f12")
        assert "Your pick: ● ● ● That key does nothing here." in text(pilot.app)
        await press(pilot, "escape")
        assert "Esc leave, nothing is kept yet" in text(pilot.app)
        await press(pilot, "4")
        await click_words(pilot, "take it back")  # a click does what the key does
        assert isinstance(pilot.app.screen, Curtain)
        assert "Nothing is chosen yet." in text(pilot.app)
        await click_words(pilot, "leave, nothing is kept yet")
        assert not isinstance(pilot.app.screen, Curtain)
        assert saved() == []

    run(tale, opening=match_of("secret"))


def test_leaving_the_curtain_keeps_what_it_says() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter", "7", "enter")
        assert "Esc leave, Player A's pick is forgotten" in text(pilot.app)
        await press(pilot, "enter", "5", "enter", "enter", "enter", "enter")
        assert "Esc leave, the game is saved" in text(pilot.app)
        await press(pilot, "escape", "escape")
        assert len(saved()) == 1

    run(tale, opening=match_of("secret"))


@pytest.mark.slow
def test_curtain_and_reveal_are_whole_in_the_smallest_window() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter")
        for size in (SMALLEST, (70, 20), (80, 24)):
            await resize(pilot, *size)
            (cards,) = [line for line in rows(pilot.app) if "10 (0)│" in line]
            assert all(f" {number} " in cards for number in range(1, 10))
            assert "Enter confirm" in text(pilot.app)
            assert "Esc leave, nothing is kept yet" in text(pilot.app)
        await resize(pilot, *SMALLEST)
        await press(pilot, "7", "enter", "enter", "5", "enter")
        assert "Player B HP: 98" in text(pilot.app)
        assert "Enter: go on" in text(pilot.app)

    run(tale, opening=match_of("secret"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "keys", "works"),
    [((), "abc", "I am ready"), (("enter",), "$", "Enter confirm")],
)
def test_a_key_that_means_nothing_is_told_what_would_work(before: tuple[str, ...], keys: str, works: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await resize(pilot, *SMALLEST)
        await press(pilot, "enter", *before)
        places = [each.region for each in pilot.app.screen.query("#curtain > *")]
        await press(pilot, *keys)
        said = text(pilot.app)
        assert 0 < said.index("That key does nothing here. Below stands what works.") < said.index(works)
        assert [each.region for each in pilot.app.screen.query("#curtain > *")] == places, "nothing moves"
        assert not pilot.app._notifications, "and nothing goes away by itself"

    run(tale, opening=match_of("secret"))


@pytest.mark.parametrize(
    ("word", "answer"),
    first_row_now(
        [
            ("hint", "Not behind the curtain. Type your pick, then press Enter."),
            ("undo", "Not behind the curtain. Type your pick, then press Enter."),
            ("okay", "That is none of the choices."),
            ("seven", "That is none of the choices."),
            ("help", "Behind the curtain"),
        ]
    ),
)
def test_a_word_behind_the_curtain_is_gathered_and_answered_once(word: str, answer: str) -> None:
    """It was refused letter by letter, and Q left before anybody had typed the rest of quit."""

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter", *word)
        assert f"Your pick: {HIDDEN}" in text(pilot.app)
        assert not pilot.app._notifications
        await press(pilot, "enter")
        assert answer in " ".join(text(pilot.app).split())

    run(tale, opening=match_of("secret"))


@pytest.mark.parametrize("before", first_now([("enter",), ()]))
def test_quit_leaves_the_curtain_and_nothing_of_it_is_left_over(before: tuple[str, ...]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", *before, *"quit", "enter")
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        assert (lobby.typed, "means nothing" in text(pilot.app)) == ("", False)

    run(tale, opening=match_of("secret"), held=0.0 if before else inf)


@pytest.mark.slow
def test_a_space_behind_a_pick_leaves_enter_to_confirm_it() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "down", "enter", "9", "space", "enter")
        assert "Hand over the keyboard to Player B" in text(pilot.app)

    run(tale, opening=match_of("secret"), held=inf)


@pytest.mark.slow
def test_of_several_lines_that_are_pasted_the_first_is_the_pick() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter", "tab")
        pilot.app.post_message(events.Paste("7\r3\r9"))
        await settle(pilot)
        assert "Your pick: 7▏" in text(pilot.app)

    run(tale, opening=match_of("secret"))


def test_a_word_typed_while_the_keyboard_changes_hands_does_not_say_that_one_is_ready() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", *"hello", "enter")
        assert "Hand over the keyboard to Player A" in text(pilot.app)
        await press(pilot, *"help", "enter")
        assert isinstance(pilot.app.screen, Page)
        await press(pilot, "escape")
        await press(pilot, "enter", "minus", "3", "enter")
        assert "That is none of the choices." in text(pilot.app)

    run(tale, opening=match_of("secret"))


@pytest.mark.parametrize("key", ["tab", "shift+tab"])
def test_while_the_keyboard_changes_hands_no_key_is_met_with_silence(key: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter")
        curtain = pilot.app.screen
        assert isinstance(curtain, Curtain)
        await press(pilot, key)
        assert "That key does nothing here." in text(pilot.app)
        assert not curtain.looking

    run(tale, opening=match_of("secret"))


def curtain_of(pilot: Pilot[int]) -> Curtain:
    assert isinstance(pilot.app.screen, Curtain)
    return pilot.app.screen


@pytest.mark.parametrize(("typed", "ready"), [("I am ready", True), ("ready", True), ("I am not", False)])
def test_what_is_printed_says_that_one_is_ready(typed: str, ready: bool) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter")
        await press(pilot, *("space" if letter == " " else letter for letter in typed), "enter")
        assert curtain_of(pilot).looking == ready
        if not ready:
            assert "No pick can be typed yet." in text(pilot.app)
            await press(pilot, "enter")
            assert curtain_of(pilot).looking

    run(tale, opening=match_of("secret"))


def test_the_space_of_go_on_does_not_go_on() -> None:
    """And `on` fell into what came next."""

    async def tale(pilot: Pilot[int]) -> None:
        pilot.app.push_screen(Reveal(("Ann", "Bo"), ("7", "5"), [], suspense=False))
        await settle(pilot)
        box = pilot.app.screen
        assert isinstance(box, Reveal)
        await press(pilot, "g", "o", "space", "o", "n")
        assert pilot.app.screen is box
        await press(pilot, "tab", "space")
        assert pilot.app.screen is not box

    run(tale, held=1e6)
