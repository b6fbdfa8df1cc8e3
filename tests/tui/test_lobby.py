"""The lobby: every way from it, by key and by mouse, in small and in large windows."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from duelbook import load
from duelbook.games import ROOMS, load_all
from duelbook.record import writes
from duelbook.table import newcomers
from duelbook.table.invitation import Invitation, accept
from duelbook.table.keeper import start_record
from duelbook.tui import lobby
from duelbook.tui.app import DuelbookApp
from duelbook.tui.dialogs import Page
from duelbook.tui.lobby import PLAIN_EMBLEM, Card, Lobby, emblem
from duelbook.tui.menu import Item
from duelbook.tui.preferences import Preferences
from duelbook.tui.preview import Glimpse
from duelbook.tui.puzzles import PuzzleScreen
from duelbook.tui.settings import Settings
from duelbook.tui.setup import Setup
from duelbook.tui.shelf import Shelf
from duelbook.tui.table import Table
from duelbook.tui.watch import Watch
from slow_helper import first_now, slow, slow_if
from tui_helper import LARGE, SMALL, at_home, match_of, press, resize, rows, run, seen, settle, text, told, wait_until


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    return tmp_path


def leave_a_game(home: Path, id: str = "tower", name: str = "waiting") -> Path:
    """An unfinished game in the place where games are kept."""
    match, kinds = accept(Invitation(load(id), ("human", "random"), ("Ada", None), seed=1))
    for seat in match.to_act():
        match.play(seat, match.game.legal_moves(match.rules, match.state, seat)[0])
    path = home / "duelbook" / "games" / f"{name}.duel"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(writes(start_record(match, kinds)), encoding="utf-8")
    return path


@pytest.mark.parametrize("size", [SMALL, slow(LARGE), slow((120, 24))])
def test_all_duels_and_everything_to_do_are_on_the_first_screen(size: tuple[int, int]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        words = text(pilot.app)
        for id in ROOMS:
            assert load(id).name in words
        for line in emblem(load("tower")):
            assert any(line in row for row in rows(pilot.app))
        for label in ("Resume", "Games & replays", "Watch a duel", "Puzzles", "Settings", "Help", "Quit"):
            assert label in words
        if size == SMALL:
            assert all(load(id).pitch.split()[-1] in words for id in ROOMS)
            assert not pilot.app.screen.query(Glimpse)

    run(tale, size=size)


@pytest.mark.slow
def test_a_wide_window_says_more_of_the_highlighted_duel() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await seen(pilot, "Nobody can force a win: best play never ends.")
        await press(pilot, "down", "down")
        await seen(pilot, "Player 2 wins with best play, in at most 16 moves.")
        await seen(pilot, "You need to know")
        assert "--first" not in text(pilot.app)

    run(tale, size=LARGE)


def test_beside_other_rules_it_is_said_that_the_facts_are_the_books() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "3", "o", "right", "escape")
        said = str(pilot.app.screen.query_one("#glimpse-verdict", Static).render())
        assert said == "Not by the book: energy=11. Best play may be another. The book itself says:"

    run(tale, size=LARGE)


@pytest.mark.slow
def test_the_window_can_be_resized_at_any_moment() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "down")
        await resize(pilot, *LARGE)
        await seen(pilot, "You need to know")
        await press(pilot, "pagedown", "pageup", "down")
        await resize(pilot, *SMALL)
        assert "You need to know" not in text(pilot.app)
        await resize(pilot, 30, 8)
        await press(pilot, "up", "down", "right", "left")
        await resize(pilot, *LARGE)
        await seen(pilot, "Energy Duel")

    run(tale)


def test_up_on_the_first_duel_stays_there() -> None:
    """It led to Quit, the last line: Up twice, Down and Enter ended the program."""

    async def tale(pilot: Pilot[int]) -> None:
        first = pilot.app.focused
        assert isinstance(first, Card)
        await press(pilot, "up", "up")
        assert pilot.app.focused is first
        assert "This is the first duel." in text(pilot.app)
        await press(pilot, "right")
        assert text(pilot.app).count("▌") == 1  # one bar shows where one is
        await press(pilot, "left", "down", "enter")
        assert isinstance(pilot.app.screen, Setup)

    run(tale)


@pytest.mark.slow
def test_arrows_walk_and_enter_opens() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "down", "down", "down", "up")
        assert isinstance(pilot.app.focused, Card)
        assert pilot.app.focused.game.id == "energy"
        await press(pilot, "right")
        assert isinstance(pilot.app.focused, Item)
        await press(pilot, "left")
        assert isinstance(pilot.app.focused, Card)
        assert pilot.app.focused.game.id == "energy"
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, Setup)
        assert pilot.app.screen.game.id == "energy"
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Lobby)

    run(tale)


@pytest.mark.parametrize(("number", "id"), [slow_if(number != 3, number, id) for number, id in enumerate(ROOMS, 1)])
def test_a_number_opens_its_duel(number: int, id: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, str(number))
        assert isinstance(pilot.app.screen, Setup)
        assert pilot.app.screen.game.id == id

    run(tale)


def test_a_number_without_a_duel_does_nothing() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "0", "9")
        assert isinstance(pilot.app.screen, Lobby)

    run(tale)


WAYS: list[tuple[str, str, type[Screen[None]]]] = [
    ("l", "shelf", Shelf),
    ("w", "watch", Watch),
    ("p", "puzzles", PuzzleScreen),
    ("s", "settings", Settings),
    ("question_mark", "help", Page),
]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "does", "screen"), WAYS)
def test_every_key_has_a_line_that_can_be_clicked_or_walked_to(key: str, does: str, screen: type[Screen[None]]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        item = next(item for item in pilot.app.screen.query(Item) if item.does == does)
        await press(pilot, key)
        assert isinstance(pilot.app.screen, screen)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Lobby)
        await pilot.click(item)
        await settle(pilot)
        assert isinstance(pilot.app.screen, screen)
        await press(pilot, "escape")
        item.focus()
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, screen)

    run(tale)


@pytest.mark.parametrize("how", first_now(["key", "mouse"]))
def test_quitting_ends_the_app(how: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        if how == "key":
            await pilot.press("q")
        else:
            await pilot.click(pilot.app.screen.query(Item).last())
        assert pilot.app.return_code == 0

    run(tale)


def test_the_duel_played_last_is_highlighted() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app.focused, Card)
        assert pilot.app.focused.game.id == "secret"

    run(tale, preferences=Preferences(duel="secret", motion=False))


# Resuming


@pytest.mark.slow
def test_with_nothing_to_resume_the_line_says_so_and_is_passed_by() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert text_of_menu(pilot) == "no unfinished game"
        assert not pilot.app.screen.query_one("#resume").can_focus
        await press(pilot, "r")
        assert told(pilot, "There is no unfinished game to go on with.")
        await pilot.click("#resume")
        assert isinstance(pilot.app.screen, Lobby)

    run(tale)


@pytest.mark.parametrize("how", first_now(["key", "mouse"]))
def test_the_game_left_last_is_named_and_gone_on_with(home: Path, how: str) -> None:
    leave_a_game(home)

    async def tale(pilot: Pilot[int]) -> None:
        await wait_until(pilot, lambda: "turn" in text_of_menu(pilot))
        assert "Tower Defense Duel, random, as Player 1, turn 2" in text_of_menu(pilot)
        await (press(pilot, "r") if how == "key" else pilot.click("#resume"))
        await settle(pilot)
        assert isinstance(pilot.app.screen, Table)
        assert pilot.app.screen.match.names[0] == "Ada"

    run(tale)


def text_of_menu(pilot: Pilot[int]) -> str:
    return pilot.app.screen.query_one("#resume", Item).about


@pytest.mark.slow
def test_the_line_is_right_again_after_a_game(home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "0", "enter")
        await seen(pilot, "Enter your move")
        await press(pilot, "1", "enter", "escape")
        assert isinstance(pilot.app.screen, Lobby)
        await settle(pilot)
        assert "Tower Defense Duel" in text_of_menu(pilot)

    run(tale)


def test_finished_and_damaged_games_are_not_offered(home: Path) -> None:
    path = leave_a_game(home)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('[Result "*"]', '[Result "1-0"]'), encoding="utf-8")
    path.with_name("torn.duel").write_text(text[: len(text) // 2] + "]]", encoding="utf-8")

    async def tale(pilot: Pilot[int]) -> None:
        assert text_of_menu(pilot) == lobby.NOTHING_TO_RESUME

    run(tale)


# A whole way by mouse, and a guest


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, slow(LARGE)])
def test_from_the_lobby_into_a_game_by_mouse_alone(size: tuple[int, int]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await pilot.click(pilot.app.screen.query(Card)[4])
        await settle(pilot)
        await pilot.click(pilot.app.screen.query(".rung")[8])
        await pilot.click("#start")
        await settle(pilot)
        assert isinstance(pilot.app.screen, Table)
        assert pilot.app.screen.kinds == ("human", "perfect")
        await pilot.click(pilot.app.screen.query(".action")[2])
        await settle(pilot)
        assert pilot.app.screen.match.turns >= 1

    run(tale, size=size)


@pytest.mark.slow
def test_a_guest_without_a_picture_gets_a_plain_one(monkeypatch: pytest.MonkeyPatch) -> None:
    guest = load("tower")._replace(id="guest", name="Guest Duel", scene=None)
    games = [*load_all(), guest]
    monkeypatch.setattr(lobby, "load_all", lambda: games)
    newcomers.was_offered(guest)
    assert emblem(guest) == PLAIN_EMBLEM

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "6")
        assert isinstance(pilot.app.screen, Setup)
        assert pilot.app.screen.game is guest
        await press(pilot, "escape")
        await seen(pilot, "Guest Duel")
        await seen(pilot, "vs")

    run(tale)
    run(tale, size=LARGE)


def test_everything_is_shown_in_ascii_too() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, DuelbookApp)
        assert any(filter.__class__.__name__ == "PlainLetters" for filter in pilot.app.get_line_filters())

    run(tale, preferences=Preferences(letters="ascii", motion=False))


def test_a_settings_file_that_is_nonsense_changes_nothing(home: Path) -> None:
    (home / "duelbook").mkdir(exist_ok=True)
    for nonsense in ("{", "[]", '{"theme": "pink", "motion": 3, "duel": 7, "pace": "fast"}', "\0"):
        (home / "duelbook" / "settings.json").write_text(nonsense, encoding="utf-8")
        app = DuelbookApp()
        assert app.preferences == Preferences()
    (home / "duelbook" / "settings.json").unlink()
    (home / "duelbook" / "settings.json").mkdir()
    assert DuelbookApp().preferences == Preferences()


def test_a_lobby_that_is_left_while_it_looks_for_a_game_ends_quietly() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        await lobby.query("*").remove()
        await lobby._find_unfinished().wait()

    run(tale)


def test_an_enter_pressed_before_the_game_is_there_opens_nothing_else() -> None:
    begin = match_of("deck")

    def opening(app: DuelbookApp) -> None:
        begin(app)
        for _ in range(3):
            app.post_message(events.Key("enter", None))

    async def tale(pilot: Pilot[int]) -> None:
        await seen(pilot, "Press Enter to draw a number.")
        assert [type(screen).__name__ for screen in pilot.app.screen_stack[1:]] == ["Lobby", "Table"]
        assert "does nothing here" not in text(pilot.app)

    run(tale, opening=opening)


def test_a_note_moves_nothing_under_the_mouse() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        before = [card.region for card in pilot.app.screen.query(Card)]
        await press(pilot, "r")
        await seen(pilot, "There is no unfinished game to go on with.")
        assert [card.region for card in pilot.app.screen.query(Card)] == before

    run(tale, size=SMALL)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kinds", "names"),
    [
        (("human", "level:1"), (None, None)),
        (("human", "human"), ("Ann-Marie of Ravensworth", "Bartholomew the Younger")),
    ],
)
def test_the_menu_is_whole_beside_every_game_that_waits(
    kinds: tuple[str, str], names: tuple[str | None, str | None]
) -> None:
    """A long line about a game took a row more than it needed, and the last row of the menu fell off."""

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *"attack", "enter", "escape")
        await wait_until(pilot, lambda: "no unfinished game" not in text(pilot.app) and ", turn " in text(pilot.app))
        assert sum("Quit" in row for row in rows(pilot.app)) == 2  # the menu's, and the foot's

    run(tale, opening=lambda app: app.begin(Invitation(load("conquer"), kinds, names)), size=LARGE)
