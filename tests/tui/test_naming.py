"""Names that are typed where letters are keys: gathered from their second letter on, and no letter of them acts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import date
from math import inf
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from duelbook import game_ids, load
from duelbook.core import settings
from duelbook.games import example
from duelbook.record import reads
from duelbook.table.invitation import Invitation
from duelbook.tui.aftermath import Aftermath
from duelbook.tui.app import DuelbookApp
from duelbook.tui.base import BaseScreen
from duelbook.tui.command import CommandLine
from duelbook.tui.dialogs import AskForText, Page, RulePage
from duelbook.tui.ladder import Ladder
from duelbook.tui.leftover import LeftOver, RestOfAWord
from duelbook.tui.lesson import LessonScreen
from duelbook.tui.lobby import Lobby
from duelbook.tui.me import Me
from duelbook.tui.menu import Dial, Item
from duelbook.tui.options import Options
from duelbook.tui.puzzles import PuzzleScreen
from duelbook.tui.replay import Replay
from duelbook.tui.settings import Settings
from duelbook.tui.setup import Setup
from duelbook.tui.shelf import Shelf
from duelbook.tui.table_screen import TableScreen
from duelbook.tui.watch import Watch
from slow_helper import first_now, first_row_now
from tui_helper import at_home, burst, match_of, press, run, say, seen, settle, text, wait_until

FOR_EVER = 1e6
"""Seconds within which letters are one word: no machine is slow enough to part them."""


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at_home(monkeypatch, tmp_path)


def keys(word: str) -> list[str]:
    return ["space" if letter == " " else letter for letter in word]


@pytest.mark.parametrize(
    ("line", "id"),
    first_row_now(
        [(id, id) for id in game_ids()] + [("Tower Defense", "tower"), ("ENERGY ", "energy"), ("c", "conquer")]
    ),
)
def test_a_duel_is_opened_by_its_name(line: str, id: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *keys(line))
        assert isinstance(pilot.app.screen, Lobby)
        assert f"{line}▏ Enter: {load(id).name}".replace(" ▏", "▏") in text(pilot.app).replace(" ▏", "▏")
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, Setup)
        assert pilot.app.screen.game.id == id

    run(tale, held=FOR_EVER)


@pytest.mark.parametrize("keys", first_now([("s",), ("S",), ("s", "enter")]))
def test_a_letter_that_begins_a_name_is_a_key_if_no_other_of_it_follows(keys: tuple[str, ...]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await burst(pilot, *keys)
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Settings))

    run(tale, held=0.01 if len(keys) == 1 else FOR_EVER)


@pytest.mark.slow
def test_what_is_typed_is_mended_cleared_and_answered() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *"towq")
        assert "towq▏ nothing here begins so. Esc clears the line." in text(pilot.app)
        await press(pilot, "enter")
        assert "'towq' means nothing here." in text(pilot.app)
        await press(pilot, *"numb")
        assert "number duel (deck) or number duel (secret)?" in text(pilot.app)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Lobby)
        await press(pilot, *"tw", "backspace", *"dq", *["backspace"] * 3, *"energ", "down", "enter")
        assert isinstance(pilot.app.screen, Setup)

    run(tale, held=FOR_EVER)


def test_a_name_is_not_dropped_in_silence() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *"xylo", "tab")
        assert "What was typed is dropped." in text(pilot.app)

    run(tale, opening=lambda app: app.push_screen(Setup(load("tower"))), held=FOR_EVER)


@pytest.mark.parametrize(
    ("line", "kind"),
    first_row_now(
        [
            ("level 4", "level:4"),
            ("perfect", "perfect"),
            ("RANDOM", "random"),
            ("person", "human"),
            ("level:6", "level:6"),
            ("The hoarder", "hoarder"),
            ("the gambler", "gambler"),
            ("a person here", "human"),
        ]
    ),
)
def test_an_opponent_is_chosen_by_its_name(line: str, kind: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *keys(line))
        assert "▏ Enter: against" in text(pilot.app)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, Setup)
        assert pilot.app.screen.query_one(Ladder).chosen == kind

    run(tale, opening=lambda app: app.push_screen(Setup(load("tower"))), held=FOR_EVER)


@pytest.mark.parametrize(("key", "screen"), first_row_now([("l", LessonScreen), ("L", LessonScreen)]))
def test_a_key_of_the_set_up_waits_no_longer_than_a_moment(key: str, screen: type) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, key)
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, screen))

    run(tale, opening=lambda app: app.push_screen(Setup(load("tower"))), held=0.01)


WAYS = {
    "rules": RulePage,
    "help me": Page,
    "Settings": Settings,
    "puzzles": PuzzleScreen,
    "record": Me,
    "watch": Watch,
    "games": Shelf,
    "play": Setup,
}


@pytest.mark.slow
def test_every_way_out_of_the_lobby_can_be_typed() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        for line, screen in WAYS.items():
            await press(pilot, *keys(line))
            assert isinstance(pilot.app.screen, Lobby), line
            await press(pilot, "enter")
            assert type(pilot.app.screen) is screen, line
            await press(pilot, "escape")

    run(tale, held=FOR_EVER)


def test_every_item_of_the_lobby_has_a_word() -> None:
    """Whoever adds a way on gives it a name that can be typed."""

    async def tale(pilot: Pilot[int]) -> None:
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        assert {item.does for item in lobby.query(Item)} <= {name.runs for name in lobby.names().values()}

    run(tale)


@pytest.mark.parametrize("at_once", first_now([True, False]))
def test_a_name_typed_over_a_page_of_help_is_whole_below_it(at_once: bool) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, Page)
        await (burst if at_once else press)(pilot, *"conquer")
        assert isinstance(pilot.app.screen, Lobby)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, Setup)
        assert pilot.app.screen.game.id == "conquer"

    run(tale, held=FOR_EVER)


@pytest.mark.parametrize("line", first_now(["queen", "quit", "q", "qq"]))
def test_a_q_over_a_page_closes_the_page_and_not_the_screen_below(line: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, Page)
        await burst(pilot, *line)
        assert isinstance(pilot.app.screen, Setup)
        assert pilot.app.screen.typed == {"queen": "queen"}.get(line, "")

    run(tale, opening=lambda app: app.push_screen(Setup(load("tower"))), held=FOR_EVER)


@pytest.mark.slow
def test_no_word_in_the_lobby_acts_by_one_of_its_letters() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        for line in (
            "lose",
            "what now",
            "I want a duel",
            "please",
            "qwerty",
            "up",
            "my turn",
            "attack",
            "sit",
            "rabbit",
        ):
            await press(pilot, *keys(line), "enter")
            assert isinstance(pilot.app.screen, Lobby), line
            assert f"'{line}' means nothing here." in text(pilot.app)

    run(tale, held=FOR_EVER)


def test_a_letter_that_means_nothing_is_answered_and_leaves_the_next_key_alone() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "x")
        await wait_until(pilot, lambda: "X does nothing here." in text(pilot.app))
        await press(pilot, "p")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, PuzzleScreen))

    run(tale, held=0.01)


@pytest.mark.parametrize("word", ["done", "ready", "weapon"])
def test_no_word_opens_the_rules_by_a_letter_inside_it(word: str) -> None:
    """D did nothing, and O opened the rules."""

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *word)
        assert isinstance(pilot.app.screen, Setup)
        assert f"{word}▏ nothing here begins so." in text(pilot.app)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, Setup)
        assert f"'{word}' means nothing here." in text(pilot.app)
        await press(pilot, *"start", "enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))

    run(tale, opening=lambda app: app.push_screen(Setup(load("conquer"))), held=FOR_EVER)


def test_two_names_are_told_apart_by_what_they_mean_only_where_there_is_room() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "e", "enter")
        assert "'e' is not enough: exposed_damage or exit?" in text(pilot.app)

    run(tale, opening=lambda app: app.push_screen(Options(load("conquer"), [])), held=FOR_EVER)


def test_no_word_after_a_game_begins_the_next_one_by_its_first_letter() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *"no", "enter", *"deal", "enter")
        assert isinstance(pilot.app.screen, Aftermath)

    run(tale, opening=after("tower"), held=FOR_EVER)


def after(id: str) -> Callable[[DuelbookApp], object]:
    (record,) = reads(example(load(id)).read_text(encoding="utf-8"))
    return lambda app: app.push_screen(Aftermath(record, None))


@pytest.mark.parametrize(
    ("id", "line"),
    first_row_now([("deck", "attack"), ("deck", "a"), ("deck", "draw"), ("energy", "pass"), ("tower", "build 4")]),
)
def test_a_command_typed_past_the_end_begins_no_game(id: str, line: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *keys(line), "enter")
        assert isinstance(pilot.app.screen, Aftermath)
        assert "The game is over: N plays once more" in text(pilot.app)

    run(tale, opening=after(id), held=FOR_EVER)


def test_what_can_be_a_command_past_the_end_is_answered_in_one_sentence() -> None:
    """`It can be The game is over: N plays once more ... or Once more, with the same seats..`"""

    async def tale(pilot: Pilot[int]) -> None:
        page = pilot.app.screen
        await press(pilot, "a")
        assert "a▏ attack or again?" in text(pilot.app)
        await press(pilot, "enter")
        assert "The game is over: N plays once more with seats swapped, G with the same. " in text(pilot.app)
        assert "It can be" not in text(pilot.app)
        assert pilot.app.screen is page

    run(tale, opening=after("tower"), size=(120, 40), held=FOR_EVER)


def test_a_way_on_is_chosen_by_its_name() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *"again", "enter")
        await wait_until(pilot, lambda: not isinstance(pilot.app.screen, Aftermath))

    run(tale, opening=after("deck"), held=FOR_EVER)


@pytest.mark.parametrize(
    ("word", "coach", "seat", "first"),
    first_row_now(
        [
            ("coach", True, 0, "1"),
            ("Coach on", True, 0, "1"),
            ("coach off", False, 0, "1"),
            ("player 2", False, 1, "1"),
            ("toss", False, 0, "toss"),
            ("first 2", False, 0, "2"),
        ]
    ),
)
def test_what_a_game_is_set_up_with_is_chosen_by_words(word: str, coach: bool, seat: int, first: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *keys(word), "enter")
        screen = pilot.app.screen
        assert isinstance(screen, Setup)
        found = [screen.query_one(f"#{id}", Dial).value for id in ("coach", "seat", "first")]
        assert found == [coach, seat, first]

    run(tale, opening=lambda app: app.push_screen(Setup(load("tower"))), held=FOR_EVER)


def test_a_set_up_game_is_started_by_a_word() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *"start", "enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))

    run(tale, opening=lambda app: app.push_screen(Setup(load("tower"))), held=FOR_EVER)


@pytest.mark.parametrize("line", first_now(["lvl 3", "done", "okay", "tower", "I want level 3", "off"]))
def test_no_word_acts_by_one_of_its_letters_where_a_game_is_set_up(line: str) -> None:
    """L opened the guided game, O the rules, T changed the seat, and the rest of the word met what came then."""

    async def tale(pilot: Pilot[int]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, Setup)
        before = [screen.query_one(Ladder).chosen, *(dial.value for dial in screen.query(Dial))]
        await press(pilot, *keys(line), "enter")
        assert pilot.app.screen is screen
        assert f"'{line}' means nothing here." in text(pilot.app)
        assert [screen.query_one(Ladder).chosen, *(dial.value for dial in screen.query(Dial))] == before

    run(tale, opening=lambda app: app.push_screen(Setup(load("tower"))), held=FOR_EVER)


def test_a_word_that_is_not_enough_is_answered_within_a_small_window() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *"level", "enter")
        assert "'level' is not enough: level 1, level 2, level 3, level 4 ...?" in text(pilot.app)

    run(tale, opening=lambda app: app.push_screen(Setup(load("tower"))), held=FOR_EVER, size=(80, 24))


def test_no_letter_of_a_word_changes_the_rules() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "right")
        await press(pilot, *"builds")
        assert "builds▏ Enter: the units a player may add in one turn" in text(pilot.app)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, AskForText)
        await press(pilot, "escape", *"goal", "enter", *"20", "enter")
        screen = pilot.app.screen
        assert isinstance(screen, Options)
        assert settings(screen.game, screen.rules) == ["goal=20"]
        await press(pilot, *"book", "enter")
        assert settings(screen.game, screen.rules) == []
        await press(pilot, *"done", "enter")
        assert isinstance(pilot.app.screen, Lobby)

    run(tale, opening=lambda app: app.push_screen(Options(load("tower"))), held=FOR_EVER)


def replaying(id: str) -> Callable[[DuelbookApp], object]:
    (record,) = reads(example(load(id)).read_text(encoding="utf-8"))
    return lambda app: app.push_screen(Replay(record))


def test_a_hint_that_is_typed_in_a_replay_does_nothing_by_its_letters() -> None:
    """H was a hint, I another one, and T asked against whom to try."""

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *"hint")
        assert isinstance(pilot.app.screen, Replay)
        assert "hint▏ Enter: what is best here, and why" in text(pilot.app)
        await press(pilot, "enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Page))
        await press(pilot, "escape", *"next", "enter")
        await press(pilot, *"next", "enter")
        assert isinstance(pilot.app.screen, Replay)
        assert pilot.app.screen.at == 2
        await press(pilot, *"attack", "enter")
        assert isinstance(pilot.app.screen, Replay)
        assert "'attack' means nothing here." in text(pilot.app)

    run(tale, opening=replaying("tower"), held=FOR_EVER)


def test_the_same_key_twice_is_no_word() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await burst(pilot, "m", "m")
        await wait_until(pilot, lambda: "There is no mark after this." in text(pilot.app) or at(pilot) > 0)
        assert "mm" not in text(pilot.app)

    def at(pilot: Pilot[int]) -> int:
        assert isinstance(pilot.app.screen, Replay)
        return pilot.app.screen.at

    run(tale, opening=replaying("tower"), held=0.01)


@pytest.mark.parametrize("screen", first_now([Shelf, Me, Settings]))
def test_no_word_acts_by_its_letters_on_a_page_and_back_leads_back(screen: Callable[[], Shelf | Me | Settings]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        for line in ("quick", "fetch it", "next", "mute"):
            await press(pilot, *keys(line), "enter")
            assert type(pilot.app.screen) is screen, line
            assert f"'{line}' means nothing here." in text(pilot.app)
        await press(pilot, *"help", "enter")
        assert isinstance(pilot.app.screen, Page)
        await press(pilot, "escape", *"back", "enter")
        assert isinstance(pilot.app.screen, Lobby)

    run(tale, opening=lambda app: app.push_screen(screen()), held=FOR_EVER)


def test_a_setting_is_changed_by_its_name() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        app = pilot.app
        assert isinstance(app, DuelbookApp)
        for line, coach in {"coach on": True, "Coach": False, "coach off": False}.items():
            await press(pilot, *keys(line), "enter")
            assert app.preferences.coach is coach, line

    run(tale, opening=lambda app: app.push_screen(Settings()), held=FOR_EVER)


def test_the_record_of_a_duel_is_shown_by_its_name() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *"tower", "enter")
        assert "Your record Tower Defense Duel" in text(pilot.app)
        await press(pilot, *"all", "enter")
        assert "Your record all duels" in text(pilot.app)

    run(tale, opening=lambda app: app.push_screen(Me()), held=FOR_EVER)


def test_a_game_on_the_shelf_is_opened_by_a_word() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await wait_until(pilot, lambda: "Command Line Conquer" in text(pilot.app))
        await press(pilot, *"review", "enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Replay))

    run(tale, opening=lambda app: app.push_screen(Shelf()), held=FOR_EVER)


def test_what_stood_at_the_foot_comes_back_when_a_word_is_cleared() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *"dea")
        assert "? Help" not in text(pilot.app)
        await press(pilot, "escape")
        assert "? Help" in text(pilot.app)

    run(tale, opening=after("tower"), held=FOR_EVER)


@pytest.mark.parametrize("word", first_now(["review", "replay", "again"]))
def test_what_comes_after_a_game_can_be_typed_at_the_finished_table(word: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, word)
        await seen(pilot, "The game is not over yet")
        await say(pilot, "build 1")
        await seen(pilot, "wins")
        await say(pilot, word)
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Aftermath))

    run(tale, opening=match_of("tower", position="14 0 1"))


def waits(pilot: Pilot[int]) -> bool:
    """Whether a letter that is a key waits for the next one."""
    screen = pilot.app.screen
    held, typed = getattr(screen, "_held", ""), getattr(screen, "typed", "")
    return bool(held) or (len(typed) == 1 and getattr(screen, "_waiting", None) is not None)


async def slowly(pilot: Pilot[int], line: str) -> None:
    """Letters that come one by one, each when the one before has done as a key whatever it does."""
    assert isinstance(pilot.app, DuelbookApp)
    pilot.app.pause = 0.001
    for letter in keys(line):
        await pilot.press(letter)
        await wait_until(pilot, lambda: not waits(pilot))
        await settle(pilot)


SLOW = [
    ((), "secret", Lobby, "secret▏ Enter: Number Duel (secret)"),
    ((), "perfect", Lobby, "perfect▏ nothing here begins so"),
    ((), "start", Lobby, "start▏ nothing here begins so"),
    ((), "back", Lobby, "back▏ nothing here begins so"),
    (("5",), "level 4", Setup, "level 4▏ Enter: against Level 4"),
    (("5",), "coach on", Setup, "coach on▏ Enter: the coach on"),
    (("5",), "toss", Setup, "toss▏ Enter: who starts: toss a coin"),
    (("5",), "player 2", Setup, "player 2▏ Enter: you are Player 2"),
    (("5",), "the hoarder", Setup, "the hoarder▏ Enter: against The hoarder"),
]


@pytest.mark.parametrize(("way", "line", "screen", "shown"), first_row_now(SLOW))
def test_a_word_that_is_typed_slowly_is_a_word(
    way: tuple[str, ...], line: str, screen: type[object], shown: str
) -> None:
    """What its first letters have done as keys, by the time it was known to be one, is set back."""

    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, DuelbookApp)
        await press(pilot, *way)
        before = vars(pilot.app.preferences).copy()
        dials = {dial.id: dial.value for dial in pilot.app.screen.query(Dial)}
        await slowly(pilot, line)
        assert isinstance(pilot.app.screen, screen)
        assert shown in text(pilot.app)
        assert vars(pilot.app.preferences) == before
        assert {dial.id: dial.value for dial in pilot.app.screen.query(Dial)} == dials

    run(tale, held=FOR_EVER)


@pytest.mark.parametrize(("line", "id"), [("your name", "name"), ("guest's name", "guest"), ("name", "name")])
def test_the_label_of_a_name_that_is_typed_slowly_is_no_name(line: str, id: str) -> None:
    """Its first letter leads to where a name is typed, and there the rest of it stood."""

    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, DuelbookApp)
        await slowly(pilot, line)
        await press(pilot, "enter")
        assert pilot.app.focused is pilot.app.screen.query_one(f"#{id}")
        assert {field.value for field in pilot.app.screen.query(Input)} == {""}
        await press(pilot, *"Eva", "enter")
        assert getattr(pilot.app.preferences, id) == "Eva"

    run(tale, opening=lambda app: app.push_screen(Settings()), held=FOR_EVER)


def test_a_name_that_begins_with_the_key_to_its_line_is_a_name() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, DuelbookApp)
        await slowly(pilot, "nnora")
        await press(pilot, "enter")
        assert pilot.app.preferences.name == "nora"

    run(tale, opening=lambda app: app.push_screen(Settings()), held=FOR_EVER)


def test_the_name_of_a_rule_that_is_typed_slowly_puts_no_rule_back() -> None:
    """`both_empty` began with B, which is Back to the book."""

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "3", "o", "right")
        options = pilot.app.screen
        assert isinstance(options, Options)
        changed = options.rules
        await slowly(pilot, "both empty draw")
        assert options.rules == changed != options.game.book
        await press(pilot, "enter")
        assert settings(options.game, options.rules) == ["energy=11", "both_empty=draw"]

    run(tale, held=FOR_EVER)


@pytest.mark.parametrize(
    ("way", "line", "screen"),
    [((), "settings", Settings), (("5",), "learn", LessonScreen), (("5",), "start", TableScreen)],
)
def test_the_rest_of_a_word_that_says_what_its_first_letter_did_says_nothing_more(
    way: tuple[str, ...], line: str, screen: type[object]
) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *way)
        await slowly(pilot, line)
        await press(pilot, "enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, screen))
        assert "▏" not in text(pilot.app)
        assert "not a move" not in text(pilot.app)

    run(tale, held=FOR_EVER)


def test_two_keys_one_after_the_other_are_keys_even_if_a_word_begins_so() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await slowly(pilot, "st")
        assert isinstance(pilot.app.screen, Settings)
        assert isinstance(pilot.app, DuelbookApp)
        assert pilot.app.preferences.theme == "paper"

    run(tale, held=FOR_EVER)


def test_at_the_table_a_word_that_is_typed_slowly_turns_nothing_on_or_off() -> None:
    """`okay` opened the rule book and silenced the coach."""

    async def tale(pilot: Pilot[int]) -> None:
        table = pilot.app.screen
        assert isinstance(table, TableScreen)
        await slowly(pilot, "okay")
        assert not table.reading
        assert table.host.coaching
        assert "okay▏" in text(pilot.app)

    run(tale, opening=match_of("tower", "human", "random", coach=True), held=FOR_EVER)


@pytest.mark.parametrize("word", first_now(["oh", "ok", "OK", "no"]))
def test_what_is_said_in_two_letters_plays_nothing_and_turns_nothing_off(word: str) -> None:
    """`oh` opened the rule book and stood ready to heal; `ok` silenced the coach."""

    async def tale(pilot: Pilot[int]) -> None:
        table = pilot.app.screen
        assert isinstance(table, TableScreen)
        await slowly(pilot, word)
        assert not table.reading
        assert table.host.coaching
        assert table.query_one(CommandLine).text == word
        await press(pilot, "enter")
        assert table.match.turns == 0

    run(tale, opening=match_of("conquer", "human", "random", coach=True), held=FOR_EVER)


def test_start_typed_slowly_before_one_watches_takes_over_no_seat() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, DuelbookApp)
        pilot.app.preferences.pace = FOR_EVER
        await slowly(pilot, "w")
        assert isinstance(pilot.app.screen, Watch)
        await slowly(pilot, "s")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
        table = pilot.app.screen
        await slowly(pilot, "tart")
        await press(pilot, "enter")
        assert pilot.app.screen is table

    run(tale, held=FOR_EVER)


def test_two_keys_that_follow_each_other_at_once_are_pressed_one_after_the_other() -> None:
    """No word begins with `tc`, so it is T and then C, as soon as no third letter comes."""

    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, DuelbookApp)
        await press(pilot, "1")
        before = {dial.id: dial.value for dial in pilot.app.screen.query(Dial)}
        await burst(pilot, "t", "c")
        assert "tc▏" in text(pilot.app)
        pilot.app.pause = 0.001
        await burst(pilot, "backspace", "c")
        await wait_until(pilot, lambda: pilot.app.screen.query_one("#seat", Dial).value != before["seat"])
        await wait_until(pilot, lambda: pilot.app.screen.query_one("#coach", Dial).value != before["coach"])
        assert "▏" not in text(pilot.app)

    run(tale, held=FOR_EVER)


def test_two_keys_of_the_table_that_follow_each_other_at_once_are_keys() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, DuelbookApp)
        table = pilot.app.screen
        assert isinstance(table, TableScreen)
        await burst(pilot, "k", "o")
        assert "ko▏" in text(pilot.app)
        assert not table.host.coaching
        pilot.app.pause = 0.001
        await burst(pilot, "backspace", "o")
        await wait_until(pilot, lambda: table.host.coaching and table.reading)

    run(tale, opening=match_of("tower"), held=FOR_EVER)


@pytest.mark.parametrize("word", ["back", "close", "quit"])
def test_a_word_that_closes_a_page_closes_no_more_than_the_page(word: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "4", "question_mark")
        assert isinstance(pilot.app.screen, Page)
        await say(pilot, word)
        assert isinstance(pilot.app.screen, Setup)

    run(tale, held=FOR_EVER)


def test_no_is_no_novice() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "4")
        await say(pilot, "no")
        assert "Nothing is asked here." in text(pilot.app)
        assert pilot.app.screen.query_one(Ladder).chosen == "level:4"

    run(tale, held=FOR_EVER)


class Below(BaseScreen[object]):
    """A screen on which an attack can be chosen, and O opens something."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def begins_a_move(self, letter: str) -> bool:
        return letter == "a"

    def is_key(self, letter: str) -> bool:
        return letter == "o"

    def answer(self, words: str) -> None:
        self.said.append(words)


def key(letter: str, seconds: float) -> events.Key:
    found = events.Key(letter, letter)
    found.time = seconds
    return found


def test_after_an_answer_a_letter_that_begins_a_move_is_meant_for_it() -> None:
    """`T` for try again, and then `A` for an attack, which is no part of `take it back` unless it comes at once."""
    for letter, seconds, taken in (("a", 0.3, True), ("a", 0.9, False), ("r", 0.9, True), ("r", 1.6, False)):
        rest = RestOfAWord(LeftOver(held=0.6))
        rest.follows(key("t", 0.0), ("try again", "take it back"))
        assert rest.takes(key(letter, seconds), Below()) == taken, (letter, seconds)


@pytest.mark.parametrize(("seconds", "taken", "said"), [(0.5, True, False), (0.9, True, True), (1.6, False, False)])
def test_no_that_is_typed_slowly_is_no_key_of_what_lies_below(seconds: float, taken: bool, said: bool) -> None:
    """Its N answers at once, for it changes nothing; its O opened the rule book. Where O was meant that can be seen."""
    below, rest = Below(), RestOfAWord(LeftOver(held=0.6))
    rest.follows(key("n", 0.0), ("no", "no, thanks", "not now", "nothing"))
    assert rest.takes(key("o", seconds), below) == taken
    assert below.said == (["O was taken for a part of the answer. Once more, and it is a key."] if said else [])
    assert not taken or not rest.takes(key("o", seconds + 0.1), below)


@pytest.mark.parametrize("seconds", [0.6, 1.0, 1.4])
def test_no_thanks_that_is_typed_slowly_says_nothing_more(seconds: float) -> None:
    below, rest = Below(), RestOfAWord(LeftOver(held=0.6))
    rest.follows(key("n", 0.0), ("no", "no thanks"))
    for at, letter in enumerate("o thanks", 1):
        assert rest.takes(key(letter, at * seconds), below), letter


@pytest.mark.parametrize(("seconds", "taken", "said"), [(1.0, True, False), (1.9, True, True), (6.0, False, False)])
def test_the_enter_of_a_word_that_was_understood_early_chooses_nothing(seconds: float, taken: bool, said: bool) -> None:
    """Q closed a page; whoever typed the rest of `quit` and then looked up began a rematch with its Enter."""
    below, rest = Below(), RestOfAWord(LeftOver(held=0.6))
    rest.follows(key("q", 0.0), ("quit",), kept=True)
    for at, letter in enumerate("uit", 1):
        assert rest.takes(key(letter, 0.6 * at), below)
    enter = events.Key("enter", "\r")
    enter.time = 1.8 + seconds
    assert rest.takes(enter, below) == taken
    assert below.said == (["That Enter was the end of a word."] if said else [])
    assert not rest.takes(enter, below), "the next one is another"


@pytest.mark.parametrize(("ago", "left"), first_row_now([(40.0, "That Enter was the end of quit."), (100.0, "")]))
def test_the_enter_of_a_quit_that_came_slowly_begins_no_rematch(ago: float, left: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, DuelbookApp)
        await say(pilot, "4")
        await press(pilot, "enter")
        page = pilot.app.screen
        assert isinstance(page, Aftermath)
        pilot.app.left_over.held = 10.0
        await slowly(pilot, "v")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Replay))
        await slowly(pilot, "quit")
        assert pilot.app.screen is page
        pilot.app.slow_words._last -= ago
        pilot.app.rest_of_a_word._last -= ago
        pilot.app.left_over._confirmed = pilot.app.left_over._repeated = -inf
        await press(pilot, "enter")
        if left:
            assert pilot.app.screen is page
            assert left in text(pilot.app)
        else:
            await wait_until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))

    run(tale, opening=match_of("tower", "human", "human", position="11 3 1"))


def test_pause_typed_slowly_in_a_replay_pauses() -> None:
    """Its P paused, and the word itself went on."""

    async def tale(pilot: Pilot[int]) -> None:
        replay = pilot.app.screen
        assert isinstance(replay, Replay)
        assert isinstance(pilot.app, DuelbookApp)
        pilot.app.preferences.pace = FOR_EVER
        await press(pilot, "space")
        assert replay._playing
        await slowly(pilot, "pause")
        await press(pilot, "enter")
        assert not replay._playing

    run(tale, opening=replaying("tower"), held=FOR_EVER)


def test_back_typed_slowly_in_a_replay_is_one_step_back() -> None:
    """Its B went to the mark before, and then it went one step back from there."""

    async def tale(pilot: Pilot[int]) -> None:
        replay = pilot.app.screen
        assert isinstance(replay, Replay)
        await wait_until(pilot, lambda: replay.review is not None)
        await press(pilot, "end")
        last = replay.at
        await slowly(pilot, "back")
        assert replay.at == last
        await press(pilot, "enter")
        assert replay.at == last - 1

    run(tale, opening=replaying("tower"), held=FOR_EVER)


@pytest.mark.parametrize(
    ("word", "about", "leaves"),
    first_row_now(
        [
            *((word, "close the rule book", False) for word in ("back", "close", "rules")),
            ("quit", "leave; you can always go on later", True),
        ]
    ),
)
def test_a_word_over_an_open_rule_book_does_what_the_line_says(word: str, about: str, leaves: bool) -> None:
    """It said that `back` leaves, and closed the book; and so did `quit`."""

    async def tale(pilot: Pilot[int]) -> None:
        table = pilot.app.screen
        assert isinstance(table, TableScreen)
        await say(pilot, "rules")
        await wait_until(pilot, lambda: table.reading)
        await press(pilot, *word)
        assert f"{word}▏ Enter: {about}" in text(pilot.app)
        await press(pilot, "enter")
        if leaves:
            await wait_until(pilot, lambda: isinstance(pilot.app.screen, Lobby))
        else:
            await wait_until(pilot, lambda: not table.reading)
            assert pilot.app.screen is table

    run(tale, opening=match_of("conquer", "human", "level:2"))


@pytest.mark.parametrize(
    ("line", "screen"),
    first_row_now([("begin", TableScreen), ("Start the game", TableScreen), ("rules, options", Options)]),
)
def test_what_stands_on_the_keys_of_the_set_up_can_be_typed(line: str, screen: type[object]) -> None:
    """`begin` chose the beginner."""

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "4")
        await say(pilot, line)
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, screen))
        setup = next(each for each in pilot.app.screen_stack if isinstance(each, Setup | TableScreen))
        if isinstance(setup, TableScreen):
            assert setup.host.keeper.record.seats == ("human", "level:4")

    run(tale, held=FOR_EVER)


def test_what_enter_does_is_said_once_while_a_word_is_typed() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert "Enter Play" in text(pilot.app)
        await press(pilot, *"hello")
        assert "hello▏ nothing here begins so." in text(pilot.app)
        assert "Enter Play" not in text(pilot.app)
        await press(pilot, "escape")
        assert "Enter Play" in text(pilot.app)

    run(tale, held=FOR_EVER)


def test_after_the_next_puzzle_a_letter_begins_its_answer() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        puzzle = pilot.app.screen
        assert isinstance(puzzle, PuzzleScreen)
        before = puzzle.game.id
        await slowly(pilot, "g")
        await wait_until(pilot, lambda: puzzle.game.id != before)
        await settle(pilot)
        await press(pilot, "a")
        assert puzzle.query_one(CommandLine).text == "a"

    run(tale, opening=lambda app: app.push_screen(PuzzleScreen(load("secret"), date(2026, 1, 5))), held=FOR_EVER)


def test_a_letter_that_means_nothing_and_was_left_long_ago_takes_no_key_with_it() -> None:
    """`b` by mistake, and later M for motion: `bm` meant nothing, and M did nothing."""

    async def tale(pilot: Pilot[int]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, Settings)
        assert isinstance(pilot.app, DuelbookApp)
        await slowly(pilot, "b")
        assert "b▏" in text(pilot.app)
        screen._pressed = -inf
        await slowly(pilot, "m")
        assert screen.query_one("#motion", Dial).value
        await slowly(pilot, "co")
        screen._pressed = -inf
        await slowly(pilot, "a")
        assert "coa▏" in text(pilot.app)

    run(tale, opening=lambda app: app.push_screen(Settings()), held=FOR_EVER)


def test_a_second_q_in_a_row_leaves_one_screen_and_not_the_program() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        await slowly(pilot, "mqq")
        assert isinstance(pilot.app.screen, Lobby)
        assert "once more, and it leaves Duelbook" in text(pilot.app)
        lobby._came = -inf
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.return_code == 0)

    run(tale, held=FOR_EVER)


PRINTED = [
    (("s",), "0.25 s", lambda app: app.preferences.pace == 0.25),
    (("s",), "contrast", lambda app: app.preferences.theme == "contrast"),
    (("s",), "plain ascii", lambda app: app.preferences.letters == "ascii"),
    (("5",), "Level 6: expert", lambda app: app.screen.query_one(Ladder).chosen == "level:6"),
    (("5",), "who starts player 2", lambda app: app.screen.query_one("#first", Dial).value == "2"),
    (("5",), "you are player 2", lambda app: app.screen.query_one("#seat", Dial).value == 1),
    (("1", "o"), "hp 6", lambda app: app.screen.rules.hp == 6),
    (("1", "o"), "covered_heal false", lambda app: app.screen.rules.covered_heal == 0),
    (("3", "o"), "may pass always", lambda app: app.screen.rules.may_pass != app.screen.game.book.may_pass),
]


@pytest.mark.parametrize("burst_of_it", [True, False])
@pytest.mark.parametrize(("way", "line", "so"), first_row_now(PRINTED))
def test_what_is_printed_can_be_typed(
    way: tuple[str, ...], line: str, so: Callable[[DuelbookApp], bool], burst_of_it: bool
) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, DuelbookApp)
        await press(pilot, *way)
        motion = pilot.app.preferences.motion
        pilot.app.pause = FOR_EVER
        await (burst if burst_of_it else press)(pilot, *keys(line), "enter")
        assert so(pilot.app)
        assert pilot.app.preferences.motion == motion  # no Space of it has turned a line

    run(tale)


@pytest.mark.parametrize("page", ["hint", "help", "status"])
def test_a_command_typed_slowly_and_then_quickly_over_a_page_is_whole(page: str) -> None:
    """`build 4` lost its B: the letters after it were taken for a word that began with the second."""

    async def tale(pilot: Pilot[int]) -> None:
        table = pilot.app.screen
        assert isinstance(table, TableScreen)
        assert isinstance(pilot.app, DuelbookApp)
        await say(pilot, page)
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Page))
        await slowly(pilot, "bui")
        pilot.app.pause = FOR_EVER
        await press(pilot, *keys("ld 4"))
        assert table.query_one(CommandLine).text == "build 4"

    run(tale, opening=match_of("tower"), held=FOR_EVER)


def test_a_digit_in_a_box_does_not_leave_its_enter_to_answer() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await slowly(pilot, "i")
        question = pilot.app.screen
        assert not isinstance(question, PuzzleScreen)
        assert isinstance(pilot.app, DuelbookApp)
        pilot.app.pause = FOR_EVER
        await press(pilot, "9", "enter")
        assert pilot.app.screen is question
        assert "That is no answer here." in text(pilot.app)

    run(tale, opening=lambda app: app.push_screen(PuzzleScreen(load("secret"), date(2026, 1, 5))), held=FOR_EVER)


def test_what_is_typed_before_a_game_is_ready_is_answered_and_none_of_its_word_acts_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The letters of `attack` that came while other rules were worked out were lost, and the rest was a line."""
    ready = threading.Event()
    monkeypatch.setattr("duelbook.tui.app.make_ready", lambda match, kinds: ready.wait())
    wish = Invitation(load("tower"), ("human", "perfect"), rules=("goal=20",))

    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, DuelbookApp)
        pilot.app.begin(wish)
        await seen(pilot, "Working out these rules")
        await pilot.press(*"att")
        await seen(pilot, "Not ready yet: what is typed now is dropped.")
        ready.set()
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
        table = pilot.app.screen
        assert isinstance(table, TableScreen)
        pilot.app.pause = FOR_EVER
        await press(pilot, *"ack", "enter")
        assert "What was typed is dropped." in text(pilot.app)
        assert table.query_one(CommandLine).text == ""
        assert not table.host.match.steps
        await press(pilot, *"att")
        assert table.query_one(CommandLine).text == "att"

    run(tale, held=FOR_EVER)
    ready.set()


@pytest.mark.parametrize("said", first_now(["Q", "Quit", "quit"]))
def test_who_gives_up_waiting_with_q_is_heard_at_once(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Q was taken for the beginning of a word that comes too early, and the key after it was dropped."""
    ready = threading.Event()
    monkeypatch.setattr("duelbook.tui.app.make_ready", lambda match, kinds: ready.wait())
    wish = Invitation(load("tower"), ("human", "perfect"), rules=("goal=20",))

    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, DuelbookApp)
        await press(pilot, "5")
        setup = pilot.app.screen
        pilot.app.begin(wish)
        await seen(pilot, "Working out these rules")
        await pilot.press(said[0])
        await wait_until(pilot, lambda: pilot.app.screen is setup)
        if said == "Q":
            await slowly(pilot, "o")
            assert isinstance(pilot.app.screen, Options)
        else:
            await slowly(pilot, said[1:])
            assert pilot.app.screen is setup
            assert "▏" not in text(pilot.app)

    run(tale, held=FOR_EVER)
    ready.set()


def test_an_unknown_word_that_is_typed_slowly_leaves_the_highlight_where_it_was() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5")
        before = pilot.app.focused
        await slowly(pilot, "thanks")
        assert "thanks▏" in text(pilot.app)
        assert pilot.app.focused is before

    run(tale, held=FOR_EVER)
