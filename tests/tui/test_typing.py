"""Typed commands and single keys at the table: what is typed is seen and played with Enter, and nothing else plays."""

from __future__ import annotations

from math import inf
from pathlib import Path
from string import ascii_lowercase

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets._toast import ToastHolder

from duelbook import game_ids, load
from duelbook.core import BOTH, DuelError
from duelbook.line.session import WORDS as LINE_WORDS
from duelbook.match import Match
from duelbook.tui.actions import Actions, first_letters
from duelbook.tui.aftermath import Aftermath
from duelbook.tui.command import CommandLine
from duelbook.tui.dialogs import Page
from duelbook.tui.menu import Dial
from duelbook.tui.setup import Setup
from duelbook.tui.table import Table
from duelbook.tui.table_help import WORDS
from slow_helper import first_now, first_row_now, slow, slow_if
from tui_helper import at_home, burst, click_words, match_of, press, rows, run, say, settle, text, told, wait_until


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    return tmp_path


def table_of(pilot: Pilot[int]) -> Table:
    return next(screen for screen in pilot.app.screen_stack if isinstance(screen, Table))


def line_of(pilot: Pilot[int]) -> str:
    return table_of(pilot).query_one(CommandLine).text


def played(pilot: Pilot[int]) -> list[object]:
    return [step.play for step in table_of(pilot).match.steps]


# One meaning for each letter

OWN = {key for key in Table._merged_bindings.key_to_bindings if len(key) == 1 and key.isalpha()} - {"n", "t"}  # type: ignore[union-attr]  # a class that has bindings has them merged


@pytest.mark.parametrize("id", game_ids())
def test_no_letter_of_the_table_begins_a_command_or_a_word(id: str) -> None:
    game = load(id)
    assert set("izokwx") == OWN
    assert not OWN & first_letters(game, game.book)
    assert not OWN & {word[0] for word in WORDS}


def test_every_word_of_line_mode_works_at_the_table() -> None:
    assert set(LINE_WORDS) <= set(WORDS)
    assert all(hasattr(Table, f"action_{word.runs}") for word in WORDS.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "letters"),
    [("deck", "ak"), *(slow(id, ascii_lowercase) for id in game_ids())],
    ids=["a few", *game_ids()],
)
def test_a_letter_means_the_same_in_either_case_and_never_plays(id: str, letters: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)

        async def meaning(key: str) -> tuple[str, str, bool, bool]:
            await press(pilot, key)
            found = (line_of(pilot).lower(), type(pilot.app.screen).__name__, table.reading, table.host.coaching)
            if pilot.app.screen is not table or line_of(pilot):
                await press(pilot, "escape")
            if table.reading:
                await press(pilot, "o")
            if table.host.coaching:
                await press(pilot, "k")
            return found

        for letter in letters:
            small, capital = await meaning(letter), await meaning(letter.upper())
            assert small == capital, letter
            assert (small[0] == letter) == (letter not in OWN), letter
        assert played(pilot) == []

    run(tale, opening=match_of(id))


# Every spelling that a book shows

SPELLINGS = [
    ("tower", "0 0 1", "build 4", [2]),
    ("tower", "0 0 1", "BUILD 4", [2]),
    ("tower", "0 0 1", "b4", [2]),
    ("tower", "0 0 1", "4", [2]),
    ("tower", "0 0 1", "BUILD 4.", [2]),
    ("tower", "0 0 1", "Build 1 unit", [0]),
    ("tower", "0 0 1", "build 4 units.", [2]),
    ("deck", "20 20 1 1-6,8-10:7", "(A)ttack", [0]),
    ("deck", "20 20 1 1-6,8-10:7", "(H)", [1]),
    ("energy", "10 10 1", "1.", [0]),
    ("energy", "10 10 1", "1. Attack", [0]),
    ("energy", "10 10 1", "2. Defend (Cost: 1 energy)", [1]),
    ("energy", "10 10 1", "2", [1]),
    ("conquer", "10r 10r 1", "Attack", [0]),
    ("conquer", "10r 10r 1", "H", [2]),
    ("conquer", "10r 10r 1", "def", [1]),
    ("deck", "20 20 1 1-6,8-10:7", "A", [0]),
    ("deck", "20 20 1 1-6,8-10:7", "Heal", [1]),
]


@pytest.mark.parametrize(
    ("id", "position", "line", "plays"),
    [slow_if(row[2] not in ("BUILD 4.", "(A)ttack", "1. Attack"), *row) for row in SPELLINGS],
)
def test_a_books_spelling_is_typed_seen_and_played_with_enter(
    id: str, position: str, line: str, plays: list[int]
) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        for letter in line:
            await pilot.press("space" if letter == " " else letter)
        await settle(pilot)
        assert f"{line}▏" in text(pilot.app)
        assert played(pilot) == []
        (lit,) = [action for action in [table_of(pilot).query_one(Actions).highlighted] if action]
        assert [lit.move] == plays
        await press(pilot, "enter", "enter", "space")
        assert played(pilot) == plays

    run(tale, opening=match_of(id, position=position), held=inf)


@pytest.mark.slow
def test_in_secret_one_and_nought_are_ten() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "10")
        assert [each[0] for each in played(pilot)] == [9]  # type: ignore[index]  # both picks of the round

    run(tale, opening=match_of("secret", "human", "perfect"))


@pytest.mark.parametrize("id", [slow_if(id not in ("tower", "deck"), id) for id in game_ids()])
def test_all_that_a_command_reads_can_be_typed(id: str) -> None:
    """Nothing that the duel's own dialogue reads begins with a key that the table keeps for itself."""
    game = load(id)
    match = Match(game)
    for first in map(chr, range(33, 127)):
        try:
            game.dialogue.read(match.rules, match.state, 0, first)
        except DuelError:
            continue
        assert first.lower() in first_letters(game, game.book)


# What is left over plays nothing


def test_nothing_is_highlighted_at_first_and_enter_alone_never_decides() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert table_of(pilot).query_one(Actions).highlighted is None
        await press(pilot, "enter", "space", "enter")
        assert played(pilot) == []
        assert "Nothing is highlighted." in text(pilot.app)
        await press(pilot, "down", "down", "enter", "enter", "space")
        assert played(pilot) == [1]

    run(tale, opening=match_of("tower"))


def test_an_enter_left_over_from_a_move_draws_no_card_for_the_other() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "a", "enter")
        before = played(pilot)
        await press(pilot, "enter", "enter", "space", "enter")
        assert played(pilot) == before
        await press(pilot, "down", "enter")  # another key between them: this one is meant
        assert len(played(pilot)) == len(before) + 1

    run(tale, opening=match_of("deck", position="20 20 1 1-6,8-10:7"), held=inf)


@pytest.mark.slow
def test_an_enter_left_over_does_not_skip_the_page_after_the_game() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "4", "enter", "left")
        await press(pilot, "enter", "enter", "enter")  # Look back; the others belong to no button of the next page
        assert isinstance(pilot.app.screen, Aftermath)
        await press(pilot, "right", "enter")
        assert isinstance(pilot.app.screen, Table)

    run(tale, opening=match_of("tower", position="11 5 1"), held=inf)


@pytest.mark.slow
def test_an_enter_left_over_in_the_lobby_starts_no_game_but_a_list_is_walked_with_it() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter", "space")
        assert isinstance(pilot.app.screen, Setup)
        await press(pilot, "t", "space", "space", "space")
        assert pilot.app.screen.query_one("#seat", Dial).value == 0
        await press(pilot, "down", "enter")
        assert isinstance(pilot.app.screen, Table)

    run(tale, held=inf)


def test_keys_pressed_before_the_next_decision_is_seen_do_not_make_it() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await burst(pilot, "a", "enter", "enter", "a", "enter", "h", "enter")
        assert played(pilot)[:1] == [0]
        assert len(played(pilot)) == 1

    run(tale, opening=match_of("deck", position="20 20 1 1-6,8-10:7"))


@pytest.mark.slow
def test_an_enter_that_is_held_down_closes_no_question() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "4", "enter", *"undo", "enter", "enter", "enter")
        assert "Do both of you agree" in text(pilot.app)
        await press(pilot, "y", "enter")
        assert played(pilot) == []

    run(tale, opening=match_of("tower"), held=inf)


@pytest.mark.parametrize("line", first_now(["okay", "I attack", "what can I do", "wait", "zip", "kill", "x marks it"]))
def test_no_letter_of_any_word_does_what_it_would_do_alone(line: str) -> None:
    """O opened the book, K called the coach, I gave a hint away, and the rest was read as a move."""

    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await press(pilot, *("space" if letter == " " else letter for letter in line))
        assert line_of(pilot) == line
        await press(pilot, "enter")
        assert told(pilot, f"'{line}' is not a move here.")
        assert pilot.app.screen is table
        assert (table.reading, table.host.coaching, line_of(pilot), played(pilot)) == (False, False, "", [])

    run(tale, opening=match_of("tower"), held=inf)


@pytest.mark.parametrize("keys", first_now([("k", "enter"), ("K", "o"), ("k", "4"), ("k", "down")]))
def test_a_letter_alone_is_a_key_as_soon_as_anything_but_a_letter_follows(keys: tuple[str, ...]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *keys)
        assert table_of(pilot).host.coaching == (keys[1] != "o")
        assert "Nothing is highlighted" not in text(pilot.app)

    run(tale, opening=match_of("tower"), held=inf)


@pytest.mark.parametrize("at_once", first_now([False, True]))
def test_who_has_read_a_hint_goes_on_typing(at_once: bool) -> None:
    """The letters were refused one by one, the Space closed the page, and Enter played what was left of the line."""

    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "hint")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Page))
        await (burst if at_once else press)(pilot, *"build", "space", "4")
        assert pilot.app.screen is table_of(pilot)
        assert line_of(pilot) == "build 4"
        assert not pilot.app._notifications
        await press(pilot, "enter")
        assert len(played(pilot)) == 1

    run(tale, opening=match_of("tower"), held=inf)


@pytest.mark.parametrize("at_once", first_now([True, False]))
@pytest.mark.parametrize(
    "line",
    first_now(["zone", "okay", "i am ready", "what now", "kick", "exit", "question", "Queen", "quits", "quit it"]),
)
@pytest.mark.parametrize("page", first_now(["help", "hint", "status"]))
def test_a_word_typed_over_a_page_is_whole_below_it(page: str, line: str, at_once: bool) -> None:
    """Z took back a turn, O opened the rules, K silenced the coach, and the rest of the word was no move."""

    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await say(pilot, "1")
        turns = played(pilot)
        await say(pilot, page)
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Page))
        await (burst if at_once else press)(pilot, *("space" if letter == " " else letter for letter in line))
        assert pilot.app.screen is table
        assert line_of(pilot) == line
        assert (table.reading, table.host.coaching, played(pilot)) == (False, True, turns)
        assert not pilot.app._notifications

    run(tale, opening=match_of("tower", "human", "perfect", position="0 0 1", coach=True), held=inf)


def test_a_key_that_a_page_of_help_names_closes_it_and_does_what_it_says() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "help")
        assert isinstance(pilot.app.screen, Page)
        await press(pilot, "o")
        await wait_until(pilot, lambda: table_of(pilot).reading)
        assert not any(isinstance(screen, Page) for screen in pilot.app.screen_stack)

    run(tale, opening=match_of("tower"), held=0.01)


@pytest.mark.parametrize("at_once", first_now([False, True]))
def test_a_page_is_closed_by_quit_and_nothing_of_it_is_left_over(at_once: bool) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "help")
        assert isinstance(pilot.app.screen, Page)
        await (burst if at_once else press)(pilot, *"quit", "enter")
        assert not any(isinstance(screen, Page) for screen in pilot.app.screen_stack)
        assert line_of(pilot) == ""
        assert not pilot.app._notifications

    run(tale, opening=match_of("tower"), held=inf)


def test_the_coach_is_turned_on_or_off_by_words_too() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        host = table_of(pilot).host
        for words, coaching in (("coach on", True), ("Coach ON", True), ("coach off", False), ("coach", True)):
            await say(pilot, words)
            assert host.coaching == coaching, words
        await say(pilot, "coach please")
        assert told(pilot, "The coach is on or off, and cannot be 'please'.")
        assert host.coaching

    run(tale, opening=match_of("tower"))


def test_a_letter_alone_waits_no_longer_than_a_moment() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "k")
        await wait_until(pilot, lambda: table_of(pilot).host.coaching)

    run(tale, opening=match_of("tower"), held=0.01)


# A line is mended, taken away, or answered


def test_backspace_mends_escape_clears_and_neither_leaves() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *"buidl", "backspace", "backspace", "l", "d")
        assert line_of(pilot) == "build"
        assert "build 1, build 2 or build 4?" in text(pilot.app)
        await press(pilot, "escape")
        assert line_of(pilot) == ""
        assert table_of(pilot).is_current
        await press(pilot, "escape")
        assert not any(isinstance(screen, Table) for screen in pilot.app.screen_stack)

    run(tale, opening=match_of("tower"))


@pytest.mark.parametrize(
    ("id", "line", "answer"),
    first_row_now(
        [
            ("conquer", "atack", "'atack' is not a move here. Did you mean 'attack'?"),
            ("conquer", "he", "'he' is not a move here."),
            ("tower", "build", "Build how many units?"),
            ("tower", "build 3", "You cannot build 3 units"),
            ("energy", "fix", "'fix' is not a move here."),
            ("deck", "attack", "'attack' cannot be played now. First draw: press Enter with nothing typed."),
            ("deck", "h", "'h' is not enough: help or hint? Enter alone: draw."),
            ("secret", "7", "'7' cannot be played now. First draw the curtain: press Enter with nothing typed."),
            ("energy", "pass", "You may pass only when you cannot afford an attack"),
            ("tower", "pause", "That is for games of two programs that one watches."),
            ("tower", "faster", "That is for games of two programs that one watches."),
        ]
    ),
)
def test_a_line_that_means_nothing_is_answered_kindly(id: str, line: str, answer: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, line)
        assert told(pilot, answer)
        assert line_of(pilot) == ""
        assert played(pilot) == []

    run(tale, opening=match_of(id))


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("HELP", "build 4: your tower grows from 5 to 9"),
        ("status", "Turn 1 of at most 200."),
        slow("hint", "A hint"),
        slow("/rules", "Tower Defense Duel"),
        slow("u", "There is no move to take back yet."),
        slow("coach", "100 %"),
        slow("resign", "resign and lose this game?"),
        slow("save", "resume tower-"),
    ],
)
def test_the_words_of_line_mode_are_understood(line: str, shown: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, line)
        assert told(pilot, shown) or shown in text(pilot.app)
        assert played(pilot) == []

    run(tale, opening=match_of("tower", position="5 8 1"))


@pytest.mark.slow
def test_a_game_is_saved_under_a_name_that_is_typed(home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "4", "save Mine.duel", "quit")
        assert not any(isinstance(screen, Table) for screen in pilot.app.screen_stack)

    run(tale, opening=match_of("tower"))
    assert "1. build 4" in (home / "Mine.duel").read_text(encoding="utf-8")


@pytest.mark.slow
def test_an_arrow_or_a_click_takes_the_typed_line_away() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *"att", "down", "enter")
        assert played(pilot) == [0]
        await press(pilot, *"bu")
        await click_words(pilot, "Build 4")
        assert (played(pilot), line_of(pilot)) == ([0, 2], "")

    run(tale, opening=match_of("tower"))


@pytest.mark.parametrize("key", first_now(["tab", "down"]))
def test_a_line_that_means_nothing_is_not_dropped_in_silence(key: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *"xylo", key)
        assert line_of(pilot) == ""
        assert "What was typed is dropped." in text(pilot.app)
        await press(pilot, *"build", key)
        assert "dropped" not in text(pilot.app)

    run(tale, opening=match_of("tower"), held=inf)


@pytest.mark.slow
def test_a_click_on_the_foot_works_while_something_is_typed() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "b")
        await click_words(pilot, "I Hint")
        assert "A hint" in text(pilot.app)

    run(tale, opening=match_of("tower", position="5 8 1"))


def test_what_is_typed_while_a_program_has_the_turn_waits_for_ones_own() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await burst(pilot, "4", "enter", "4")
        assert table.match.turns == 2
        assert line_of(pilot) == "4"
        (lit,) = [action for action in [table.query_one(Actions).highlighted] if action]
        assert lit.word == "build 4"
        await press(pilot, "enter")
        assert table.match.turns == 4
        assert table.match.turn != BOTH

    run(tale, opening=match_of("tower", "human", "level:6"))


@pytest.mark.slow
def test_watching_has_its_keys_and_words() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await pilot.press("space")
        assert "paused" in rows(pilot.app)[0]
        for word, pace in (("slower", 0.5), ("faster", 0.25)):
            await say(pilot, word)
            assert f"[paused, {pace:g} s a move]" in rows(pilot.app)[0]
        await pilot.press("T")
        assert "Whose seat do you take over?" in text(pilot.app)
        await press(pilot, "1")
        await say(pilot, "t")
        assert table.is_current

    run(tale, opening=match_of("tower", "perfect", "level:1"))


@pytest.mark.slow
def test_what_is_typed_after_the_end_is_told_what_works_now() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "build 1", "attack")
        (note,) = pilot.app._notifications
        over = "The game is over. Press Enter to look back on it. (Or: help.)"
        assert note.message == f"'attack' cannot be played now. {over}"
        await say(pilot, "look")
        assert isinstance(pilot.app.screen, Aftermath)

    run(tale, opening=match_of("tower", position="14 8 1"))


# Lines that come quickly


@pytest.mark.parametrize("line", first_now([" 9 ", "9 ", "9  "]))
def test_a_space_behind_a_command_leaves_enter_to_play_it(line: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, line)
        assert [each[0] for each in played(pilot)] == [8]  # type: ignore[index]  # both picks of the round

    run(tale, opening=match_of("secret", "human", "perfect"), held=inf)


@pytest.mark.slow
def test_a_space_behind_a_command_is_a_letter_of_it_however_quick_the_keys() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await burst(pilot, *"DEFen", "D", " ", "enter")
        assert played(pilot) == [1]

    run(tale, opening=match_of("conquer"), held=inf)


@pytest.mark.slow
def test_a_space_that_plays_what_is_highlighted_still_uses_up_the_enter_after_it() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "down", "space", "enter", "enter")
        assert played(pilot) == [0]

    run(tale, opening=match_of("deck", position="20 20 1 1-6,8-10:7"), held=inf)


@pytest.mark.parametrize("end", first_now(["\r", "\n", "\r\n"]))
def test_of_several_lines_that_are_pasted_the_first_is_typed(end: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        pilot.app.post_message(events.Paste(end.join([" build 4", "attack", "build 1"])))
        await settle(pilot)
        assert line_of(pilot) == "build 4"
        await press(pilot, "space", "enter")
        assert played(pilot) == [2]

    run(tale, opening=match_of("tower"), held=inf)


@pytest.mark.slow
def test_a_letter_after_an_enter_that_came_too_early_begins_a_new_line() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await burst(pilot, *"b4", "enter", *"b2", "enter", *"b1")
        assert (played(pilot), line_of(pilot)) == ([2], "b1")
        await press(pilot, "enter")
        assert played(pilot) == [2, 0]

    run(tale, opening=match_of("tower"))


@pytest.mark.slow
def test_a_message_leaves_no_row_behind() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        before = rows(pilot.app)
        for _ in range(3):
            await say(pilot, "foo")
        assert len(pilot.app.screen.query(ToastHolder)) == 1
        pilot.app.clear_notifications()
        await settle(pilot)
        assert not pilot.app.screen.query(ToastHolder)
        await wait_until(pilot, lambda: rows(pilot.app) == before)

    run(tale, opening=match_of("secret", "human", "level:1"))


# One key after the other


@pytest.mark.parametrize(
    ("id", "position", "keys", "line"),
    [
        ("conquer", None, "ad", "d"),  # looked at one action, then at the other
        ("conquer", None, "adh", "h"),
        ("tower", "5 8 1", "4A", "A"),
        ("tower", "5 8 1", "a2", "2"),
        ("tower", "5 8 1", "ya", "a"),  # the first meant nothing
        ("tower", "5 8 1", "b4", "b4"),  # which is a command
        ("tower", "5 8 1", "42", "2"),
        ("energy", None, "12", "2"),
        ("deck", None, "yh", "h"),  # before the card as well
        ("secret", None, "12", "12"),  # two digits are a number where there are such, and it is said that this is none
        ("tower", "5 8 1", "4i", "4i"),  # a key of the screen never acts while something is typed
        ("tower", "5 8 1", "builda", "builda"),
        ("tower", "5 8 1", "sho", "sho"),  # somebody types a word: `show me` was refused as `how me`
    ],
)
def test_a_key_takes_the_place_of_the_one_before_where_both_together_mean_nothing(
    id: str, position: str | None, keys: str, line: str
) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *keys)
        assert line_of(pilot) == line
        assert (f"(not {keys[-2]})" in text(pilot.app)) == (len(line) == 1)
        assert not played(pilot)
        await press(pilot, "escape")
        assert not line_of(pilot)

    run(tale, opening=match_of(id, position=position))


def test_a_key_that_is_pressed_twice_takes_no_other_place() -> None:
    """It said that Enter builds 4, `(not 4)`."""

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "4", "4")
        assert line_of(pilot) == "4"
        assert "(not" not in text(pilot.app)

    run(tale, opening=match_of("tower"))


def test_who_was_refused_walks_on_from_there() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "up", "space")  # the last one, which cannot be chosen
        assert told(pilot, "You cannot attack")
        await press(pilot, "up", "space")
        assert played(pilot) == [2], "Build 4 is the one above it"

    run(tale, opening=match_of("tower"))


@pytest.mark.parametrize("refused", [("foo", "enter"), ("up", "space")])
def test_escape_takes_a_refusal_away_before_it_leaves(refused: tuple[str, str]) -> None:
    """Whoever wants to clear the line that Enter has cleared already is not sent to the lobby."""

    async def tale(pilot: Pilot[int]) -> None:
        *_, table = pilot.app.screen_stack
        first, key = refused
        await press(pilot, *(first if first == "foo" else (first,)), key)
        assert told(pilot, "You can")
        await press(pilot, "escape")
        assert pilot.app.screen is table
        assert not pilot.app._notifications
        await press(pilot, "escape")
        assert pilot.app.screen is not table

    run(tale, opening=match_of("tower"))


def test_letters_that_follow_each_other_at_once_stay_one_word() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await burst(pilot, "a", "d")
        assert line_of(pilot) == "ad"
        await press(pilot, "enter")
        assert not played(pilot)

    run(tale, opening=match_of("conquer"), held=60.0)


# What was said in passing


def test_a_complaint_goes_with_the_next_decision_and_with_its_screen() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "attack")
        assert told(pilot, "You cannot attack")
        await press(pilot, "4")
        assert told(pilot, "You cannot attack")  # it may still be read
        await press(pilot, "enter")
        assert len(played(pilot)) == 1
        assert not told(pilot, "You cannot attack")
        await press(pilot, "x", "q")
        assert told(pilot, "That key does nothing here.")
        await press(pilot, "n")
        assert not pilot.app._notifications

    run(tale, opening=match_of("tower"))


def test_a_note_that_comes_with_a_new_screen_stays() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await press(pilot, "question_mark")
        table.duelbook.complain("Something has happened.")
        await press(pilot, "escape")
        assert not told(pilot, "Something has happened.")  # it was there before the key
        await press(pilot, "question_mark")
        pilot.app.screen.dismiss()
        table.duelbook.complain("Something else has happened.")
        await settle(pilot)
        assert told(pilot, "Something else has happened.")

    run(tale, opening=match_of("tower"))


def test_a_number_below_nought_is_refused_whole() -> None:
    """The minus was dropped, and the number behind it was picked."""

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "minus", "3", "enter")
        assert played(pilot) == []
        await say(pilot, "back")
        assert not isinstance(pilot.app.screen, Table)

    run(tale, opening=match_of("secret", "human", "perfect"))
