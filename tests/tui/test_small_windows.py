"""The smallest window that will do shows everything, and a smaller one says that it does not."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from textual.pilot import Pilot

from duelbook import load
from duelbook.games import example, load_all
from duelbook.record import reads
from duelbook.speech import Line
from duelbook.tui import SMALLEST
from duelbook.tui.actions import MOST_IN_A_LIST, Actions
from duelbook.tui.aftermath import CHOICES, OVER, Aftermath
from duelbook.tui.board import Board
from duelbook.tui.dialogs import Page
from duelbook.tui.keybar import KeyBar
from duelbook.tui.lobby import NARROW_TITLE, Lobby
from duelbook.tui.menu import Dial
from duelbook.tui.preferences import Preferences
from duelbook.tui.prose import broken
from duelbook.tui.puzzles import PuzzleScreen
from duelbook.tui.story import Story
from slow_helper import first_now, slow, slow_if
from tui_helper import at_home, match_of, press, resize, rows, run, settle, text

TOO_SMALL = "The window is too small for the full screen: 60x18 at least"


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at_home(monkeypatch, tmp_path)


def test_the_lobby_says_everything_whole() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        lines = rows(pilot.app)
        for line, words in zip(lines, NARROW_TITLE.plain.splitlines(), strict=False):
            assert words in line
        assert isinstance(pilot.app.screen, Lobby)
        for game in load_all():
            await press(pilot, "down")
            left = " ".join(line[5:].partition("│")[0].strip(" ▁▂▃▄▅▆▇█") for line in rows(pilot.app)[4:])
            assert pilot.app.screen.games[pilot.app.screen.current].pitch in left, game.id

    run(tale, size=SMALLEST)


@pytest.mark.slow
def test_all_numbers_of_secret_are_there_side_by_side() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        (cards,) = [line for line in rows(pilot.app) if "10 (0)" in line]
        assert all(f" {number} " in cards for number in range(1, 10))
        assert cards.rstrip().endswith("│10 (0)│")
        await resize(pilot, 80, 24)
        assert any("│ │10 (0)│" in line for line in rows(pilot.app))  # with gaps where there is room for them

    run(tale, size=SMALLEST, opening=match_of("secret", "human", "perfect"))


@pytest.mark.parametrize("coach", [False, slow(True)])
def test_the_card_that_was_drawn_in_deck_is_there_whole(coach: bool) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter")
        lines = rows(pilot.app)
        (at,) = [at for at, line in enumerate(lines) if "│  the card" in line]
        assert "╭────╮" in lines[at - 1]
        assert "╰────╯" in lines[at + 1]

    run(tale, size=SMALLEST, opening=match_of("deck", "human", "random", coach=coach))


SIZES = (SMALLEST, (70, 20), (80, 24), (100, 30), (120, 40))
DUELS = ("conquer", "deck", "energy", "secret", "tower")


async def at_every_size(pilot: Pilot[int], look: Callable[[str], None]) -> None:
    """Look at the screen in windows of all sizes. Nothing on it ends in dots, and no key stands apart from its word."""
    for size in SIZES:
        await resize(pilot, *size)
        seen = "\n".join(rows(pilot.app))
        assert "…" not in seen, seen
        for bar in pilot.app.screen.query(KeyBar):
            keys = bar.keys()
            assert [words for _, key, words in keys if f"{key} {words}" not in seen] == [], seen
        look(" ".join(seen.replace("▌", " ").split()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "coach"),
    [slow_if(id != "deck" or coach, id, coach) for id in DUELS for coach in (False, True)],
)
def test_a_table_shows_what_every_action_does(id: str, coach: bool) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        actions = pilot.app.screen.query_one(Actions)
        if id == "deck":
            await press(pilot, "enter")

        def look(words: str) -> None:
            if len(actions.offered) <= MOST_IN_A_LIST:
                assert [action.about for action in actions.offered if action.about not in words] == [], words
            else:
                assert all(f"│ {number} │" in words for number in range(2, 10)), words
                assert "│10 (0)│" in words.replace("│ 10", "│10"), words
            if id == "deck":
                assert "the card" in words or "Card 9" in words, words
            assert pilot.app.screen.query_one(Story).is_vertical_scroll_end

        await at_every_size(pilot, look)

    run(tale, opening=match_of(id, "human", "level:2", coach=coach))


@pytest.mark.slow
@pytest.mark.parametrize("coach", first_now([False, True]))
def test_what_is_known_of_both_players_is_there_whole(coach: bool) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        def look(words: str) -> None:
            (board,) = pilot.app.screen.query(Board)
            drawn = " ".join(board.render().plain.split("\n")[: board.content_size.height])
            assert "just defended: cannot attack" in " ".join(drawn.split()), words
            assert "healing: exposed to 4 damage" in " ".join(drawn.split()), words

        await at_every_size(pilot, look)

    opening = match_of("conquer", "human", "level:2", position="8d 9h 1", coach=coach)
    run(tale, opening=opening)


@pytest.mark.slow
@pytest.mark.parametrize("id", ["deck", *map(slow, (id for id in DUELS if id != "deck"))])
def test_a_game_that_is_watched_shows_every_key_and_how_fast_it_goes(id: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "space")

        def look(words: str) -> None:
            assert "[paused, 4 s a move]" in words, words
            if id == "deck":
                assert "10 left" in words, words

        await at_every_size(pilot, look)

    unhurried = Preferences(motion=False, pace=4.0)  # no game is over before it is paused
    run(tale, opening=match_of(id, "random", "random"), preferences=unhurried)


@pytest.mark.slow
@pytest.mark.parametrize("id", ["secret", *map(slow, (id for id in DUELS if id != "secret"))])
def test_a_replay_shows_the_whole_title_and_what_every_move_lost(id: str) -> None:
    (record,) = reads(example(load(id)).read_text(encoding="utf-8"))

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "right", "right")

        def look(words: str) -> None:
            ended = record.match.outcome.result if record.match.outcome else "unfinished"
            assert record.match.game.name in words
            assert f"of {record.match.turns}" in words
            assert ended in words

        await at_every_size(pilot, look)

    run(tale, opening=lambda app: app.open_replay(record))


@pytest.mark.slow
@pytest.mark.parametrize("id", ["tower", *map(slow, (id for id in DUELS if id != "tower"))])
def test_after_a_game_every_way_on_is_there(id: str) -> None:
    (record,) = reads(example(load(id)).read_text(encoding="utf-8"))

    async def tale(pilot: Pilot[int]) -> None:
        def look(words: str) -> None:
            assert [way.label for way in CHOICES if f"{way.key.upper()} {way.label}" not in words] == [], words
            assert "? Help" in words
            assert record.match.game.name in words

        await at_every_size(pilot, look)
        await press(pilot, "question_mark")
        assert "Save the game as a .duel file." in text(pilot.app)

    run(tale, opening=lambda app: app.push_screen(Aftermath(record, None)))


@pytest.mark.parametrize("id", ["tower", *map(slow, (id for id in DUELS if id != "tower"))])
def test_what_each_way_on_does_is_said_whole_in_one_line(id: str) -> None:
    (record,) = reads(example(load(id)).read_text(encoding="utf-8"))

    async def tale(pilot: Pilot[int]) -> None:
        for way in CHOICES:
            (said,) = [row for row in rows(pilot.app) if "? Help" in row]
            assert "PgDn More" in said
            assert way.about in said
            await press(pilot, "right")
        assert "Look at this moment of the game." in text(pilot.app)
        if id != "secret":  # whose commands are numbers
            await press(pilot, *"attack", "enter")
            assert OVER in text(pilot.app)

    run(tale, size=SMALLEST, opening=lambda app: app.push_screen(Aftermath(record, None)))


@pytest.mark.slow
@pytest.mark.parametrize("id", ["deck", *map(slow, (id for id in DUELS if id != "deck"))])
def test_a_puzzle_is_there_whole_and_so_is_the_card_that_was_drawn(id: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        puzzle = pilot.app.screen.query_one(Actions).screen
        assert isinstance(puzzle, PuzzleScreen)
        assert puzzle.puzzle is not None
        rated = f"rated {puzzle.puzzle.rating}"

        def look(words: str) -> None:
            assert rated in words.partition("Conquer")[0] + words, words
            if id == "deck":
                assert "the card" in words or "Card 8" in words, words

        await at_every_size(pilot, look)

    run(tale, opening=lambda app: app.push_screen(PuzzleScreen(load(id), today=date(2026, 11, 15))))


@pytest.mark.slow
@pytest.mark.parametrize("keys", [("s",), *map(slow, (("3", "o"), ("5", "o"), ("w",), ("l",)))])
def test_the_screens_around_a_game_are_there_whole_and_have_help(keys: tuple[str, ...]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *keys)
        screen = pilot.app.screen
        await at_every_size(pilot, lambda words: None)
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, Page)
        await press(pilot, "escape")
        assert pilot.app.screen is screen

    run(tale)


def test_a_long_page_is_turned_as_a_book_is() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "question_mark")
        page = pilot.app.screen.query_one(".dialog-page")
        last = page.max_scroll_y
        assert last > 0
        await press(pilot, "pagedown")
        assert 1 < page.scroll_offset.y <= last
        await press(pilot, "end")
        assert page.scroll_offset.y == last
        await press(pilot, "pageup")
        assert page.scroll_offset.y < last
        await press(pilot, "home", "down")
        assert page.scroll_offset.y == 1

    run(tale, opening=match_of("conquer"), size=SMALLEST)


def test_a_page_of_help_breaks_between_words_under_its_words() -> None:
    said = "        D  defend: blocks your opponent's next attack; you cannot attack on your next turn"
    assert broken(said, 54) == [
        "        D  defend: blocks your opponent's next attack;",
        "           you cannot attack on your next turn",
    ]
    assert broken("no column here", 8) == ["no", "column", "here"]
    assert broken("", 20) == [""]


def test_what_is_said_in_passing_covers_nothing() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        before = Counter(re.findall(r"\w+", text(pilot.app)))
        pilot.app.notify("Something to know, and nothing to be in the way of.")
        await settle(pilot)
        assert "Something to know" in rows(pilot.app)[0]
        assert before - Counter(re.findall(r"\w+", text(pilot.app))) == Counter()

    run(tale, size=(80, 24), opening=match_of("secret", "human", "perfect"))


def test_a_new_note_takes_the_place_of_the_one_before_unless_that_tells_of_a_failure() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        for number in range(5):
            pilot.app.notify(f"note {number}")
            await settle(pilot)
        assert "note 4" in text(pilot.app)
        assert "note 3" not in text(pilot.app)
        pilot.app.notify("The disk is full.", severity="error")
        await settle(pilot)
        pilot.app.notify("The last note")
        await settle(pilot)
        assert "The disk is full." in text(pilot.app)
        assert "The last note" in text(pilot.app)
        assert "note 4" not in text(pilot.app)

    run(tale)


@pytest.mark.slow
def test_the_end_of_the_story_is_in_view_however_late_it_finds_its_place() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        story = pilot.app.screen.query_one(Story)
        with pilot.app.batch_update():  # a slow machine: more is told before anything is laid out
            for number in range(60):
                story.tell([Line(f"line {number}")])
                await asyncio.sleep(0)
            for _ in range(5):
                await pilot.pause()
        await settle(pilot)
        assert "line 59" in text(pilot.app)
        story.scroll_home(animate=False, immediate=True)
        await settle(pilot)
        story.tell([Line("the last")])
        await settle(pilot)
        assert "the last" in text(pilot.app)
        await resize(pilot, 70, 20)
        assert "the last" in text(pilot.app)

    run(tale, opening=match_of("tower", "human", "perfect"))


@pytest.mark.slow
def test_a_window_that_becomes_too_small_says_so_until_it_is_large_enough() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert "too small" not in text(pilot.app)
        await resize(pilot, 80, 17)
        assert TOO_SMALL in rows(pilot.app)[-1]
        await resize(pilot, 59, 18)
        assert "The window is too small: 60x18 at least" in rows(pilot.app)[-1]
        await resize(pilot, 45, 12)
        assert "The window is too small: 60x18 at least" in rows(pilot.app)[-1]
        await resize(pilot, *SMALLEST)
        assert "too small" not in text(pilot.app)
        assert "Esc Quit" in text(pilot.app)

    run(tale, size=SMALLEST, opening=match_of("secret", "human", "perfect"))


@pytest.mark.parametrize("id", ["tower", *map(slow, (id for id in DUELS if id != "tower"))])
def test_an_opponent_is_called_by_a_whole_name_or_by_its_number(id: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        def look(words: str) -> None:
            assert "level 4" in words
            assert "level 4 club" not in words or "level 4 club player" in words, words

        await at_every_size(pilot, look)

    run(tale, opening=match_of(id, "human", "level:4"))


@pytest.mark.parametrize("keys", first_now([("enter",), ("enter", "enter"), ("enter", "question_mark")]))
def test_a_screen_without_keys_at_its_foot_says_there_that_the_window_is_too_small(keys: tuple[str, ...]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *keys)
        assert not pilot.app.screen.query(KeyBar)
        await resize(pilot, 58, 16)
        assert "The window is too small: 60x18 at least" in rows(pilot.app)[-1]
        await resize(pilot, *SMALLEST)
        assert "too small" not in text(pilot.app)

    run(tale, opening=match_of("secret"))


@pytest.mark.parametrize("key", first_now("12345"))
def test_the_head_of_the_rules_and_the_arrows_of_a_dial_are_not_cut(key: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, key, "c")
        (coach,) = [row for row in rows(pilot.app) if " C  Coach" in row]
        assert "…" not in coach
        coaching = pilot.app.screen.query_one("#coach", Dial)
        coaching.offer([(False, "off"), (True, "on: " + "and on " * 9)], True)
        await settle(pilot)
        (coach,) = [row for row in rows(pilot.app) if " C  Coach" in row]
        assert coach.rstrip().endswith("… ▸")
        await press(pilot, "o")
        assert rows(pilot.app)[0].rstrip().endswith("everything by the book")

    run(tale, size=SMALLEST)


@pytest.mark.parametrize("size", first_now([(120, 40), (80, 24), SMALLEST]))
def test_the_lobby_says_that_no_game_waits(size: tuple[int, int]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        lines = rows(pilot.app)
        at = next(at for at, line in enumerate(lines) if "R  Resume" in line)
        assert "no unfinished" in lines[at + 1]

    run(tale, size=size)


def test_actions_that_have_room_bring_up_no_bar_for_scrolling() -> None:
    """One that came up while they found their place made them narrower, and so long that it stayed."""

    async def tale(pilot: Pilot[int]) -> None:
        actions = pilot.app.screen.query_one(Actions)
        for size in SIZES:
            await resize(pilot, *size)
            assert actions.styles.overflow_y == "hidden"
            assert actions.max_scroll_y == 0
        await resize(pilot, 34, 18)  # where they are longer than they may become
        assert actions.styles.overflow_y == "auto"
        assert actions.max_scroll_y > 0

    run(tale, size=SMALLEST, opening=match_of("energy", position="8 7 2", coach=True))
