"""Saved games, replays, examples and files: listed by what they are, opened or refused kindly."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from duelbook import load
from duelbook.core import LUCK
from duelbook.games import ROOMS, example
from duelbook.record import writes
from duelbook.saves import Save
from duelbook.speech import with_article
from duelbook.table.invitation import Invitation, accept
from duelbook.table.keeper import start_record
from duelbook.table.listing import saved_games
from duelbook.tui.dialogs import Ask, AskForText, Page
from duelbook.tui.heading import Heading
from duelbook.tui.lobby import Lobby
from duelbook.tui.replay import Replay
from duelbook.tui.shelf import DAMAGED, EXAMPLES, FINISHED, UNFINISHED, Several, Shelf, on_the_shelf
from duelbook.tui.story import Story
from duelbook.tui.table import Table
from slow_helper import first_row_now, slow
from tui_helper import LARGE, SMALL, at_home, press, resize, rows, run, say, seen, settle, text, told, wait_until


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    return tmp_path


def put(home: Path, name: str, words: str) -> Path:
    path = home / "duelbook" / "games" / f"{name}.duel"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(words, encoding="utf-8")
    return path


def unfinished(id: str = "tower", name: str = "Ada") -> str:
    match, kinds = accept(Invitation(load(id), ("human", "random"), (name, None), seed=1))
    return writes(start_record(match, kinds))


def finished(id: str = "energy") -> str:
    return example(load(id)).read_text(encoding="utf-8")


def test_a_game_that_is_gone_on_with_is_told_to_whoever_plays_it(home: Path) -> None:
    """`You drew a 3` was `Player 1 drew a 3` from then on."""
    match, kinds = accept(Invitation(load("deck"), ("human", "level:1"), seed=1))
    for seat in (0, 1):
        card = match.deal()
        match.play(seat, 0)
    put(home, "deck-1", writes(start_record(match, kinds)))

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "r")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Table))
        told = [line.text for line in pilot.app.screen.query_one(Story).told]
        assert "You chose to Attack." in told
        assert "Player 1 chose to Attack." not in told
        assert f"Player 2 drew {with_article(str(card))}." in told

    run(tale)


@pytest.mark.parametrize(("id", "move"), [("tower", "build 1"), ("deck", "draw")])
def test_a_game_that_is_only_looked_into_is_not_the_last_one_that_was_played(id: str, move: str, home: Path) -> None:
    """Also for `duelbook review`, which looks back at the last one. What is promised of cards is written meanwhile."""
    match, kinds = accept(Invitation(load(id), ("human", "level:1"), seed=1))
    for seat in (0, 1):
        if match.turn == LUCK:
            match.deal()
        match.play(seat, 0)
    path = put(home, f"{id}-1", writes(start_record(match, kinds)))
    os.utime(path, (1e9, 1e9))

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "r")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Table))
        await press(pilot, "escape")
        await wait_until(pilot, lambda: not isinstance(pilot.app.screen, Table))
        assert path.stat().st_mtime == 1e9
        await press(pilot, "r")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Table))
        await say(pilot, move)
        assert path.stat().st_mtime > 1e9

    run(tale)


def shelf(pilot: Pilot[int]) -> Shelf:
    return next(screen for screen in pilot.app.screen_stack if isinstance(screen, Shelf))


def groups(pilot: Pilot[int]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for entry in shelf(pilot).entries:
        found.setdefault(entry.group, []).append(entry.path.stem)
    return found


async def open_file(pilot: Pilot[int], name: str) -> None:
    await press(pilot, "f")
    assert isinstance(pilot.app.screen, AskForText)
    pilot.app.screen.query_one(Input).value = name
    await press(pilot, "enter")


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, slow(LARGE)])
def test_an_empty_shelf_has_the_books_examples(size: tuple[int, int]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "l")
        await seen(pilot, "To go on with: nothing yet")
        await seen(pilot, "From the rule books (5)")
        for id in ROOMS:
            assert load(id).name in text(pilot.app)
        await press(pilot, "down", "enter")
        assert isinstance(pilot.app.screen, Replay)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Shelf)
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, Page)
        await press(pilot, "escape", "escape")
        assert isinstance(pilot.app.screen, Lobby)

    run(tale, size=size)


def test_games_stand_under_the_heading_they_belong_to(home: Path) -> None:
    put(home, "going", unfinished())
    put(home, "over", finished())
    put(home, "torn", unfinished().replace("RulesHash", "RulesHush").replace("*\n", "fly *\n"))
    put(home, "none", "this is no game")
    put(home, "two", finished() + "\n" + finished("tower"))
    put(home, "empty", "")

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "l")
        await seen(pilot, "several games")
        assert groups(pilot)[UNFINISHED] == ["going"]
        assert groups(pilot)[FINISHED] == ["over"]
        assert sorted(groups(pilot)[DAMAGED]) == ["none", "torn", "two"]
        assert len(groups(pilot)[EXAMPLES]) == 5
        await seen(pilot, "random, as Player 1")
        await seen(pilot, "turn 1")
        await seen(pilot, "Cannot be read (3)")

    run(tale)


@pytest.mark.slow
def test_a_game_is_removed_once_that_was_confirmed_and_a_books_example_never(home: Path) -> None:
    path = put(home, "going", unfinished())

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "l")
        await seen(pilot, "turn 1")
        assert "X Remove" in text(pilot.app)
        await press(pilot, "x", "enter")  # a quick Enter keeps it
        assert path.exists()
        await press(pilot, "X", "y")
        await seen(pilot, "To go on with: nothing yet")
        assert not path.exists()
        assert "X Remove" not in text(pilot.app)
        await press(pilot, "delete")
        assert isinstance(pilot.app.screen, Shelf)
        assert all(example(load(id)).exists() for id in ROOMS)

    run(tale)


@pytest.mark.slow
def test_a_game_that_is_played_elsewhere_is_not_removed(home: Path) -> None:
    path = put(home, "going", unfinished())
    held = Save(path)
    held.hold()

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "l")
        await seen(pilot, "turn 1")
        await press(pilot, "x", "y")
        assert told(pilot, "being played in another terminal")
        assert path.exists()

    run(tale)
    held.let_go()


def test_a_row_says_whom_one_met_from_which_seat_and_how_it_ended(home: Path) -> None:
    won = unfinished().replace('[Result "*"]', '[Result "1-0"]\n[Termination "Player 2 resigned."]')
    lost = finished().replace('[Seat2 "human"]', '[Seat2 "level:3"]')
    put(home, "won", won.replace("*", "1-0"))
    put(home, "over", lost)
    put(home, "watched", lost.replace('[Seat1 "human"]', '[Seat1 "perfect"]'))
    put(home, "met", lost.replace('[Seat1 "human"]', '[Seat1 "brawler"]'))
    put(home, "two", finished())
    rows = {entry.path.stem: (entry.players, entry.state) for entry in on_the_shelf()}
    assert rows["won"] == ("random, as Player 1", "you won")
    assert rows["over"] == ("level 3, as Player 1", "you lost")
    assert rows["watched"] == ("perfect against level 3", "Player 2 won")
    assert rows["met"] == ("the brawler against level 3", "Player 2 won")
    assert rows["two"] == ("Player 1 against Player 2", "Player 2 won")


def test_a_seat_is_called_what_its_duel_calls_it(home: Path) -> None:
    put(home, "going", unfinished("secret"))
    (entry,) = (entry for entry in on_the_shelf() if entry.path.stem == "going")
    assert entry.players == "random, as Player A"


async def shown(pilot: Pilot[int], words: str) -> list[str]:
    """The row that shows these words, and the one below it."""
    await seen(pilot, words)
    lines = rows(pilot.app)
    at = next(at for at, line in enumerate(lines) if words in line)
    return [line.rstrip() for line in lines[at : at + 2]]


def test_a_row_that_is_too_long_for_the_window_breaks_between_its_parts(home: Path) -> None:
    put(home, "two", finished())
    put(home, "many", finished() + "\n" + finished("tower"))

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "l")
        first, second = await shown(pilot, "Player 1 against Player 2")
        assert first == " Energy Duel          Player 1 against Player 2"
        assert second.startswith(" " * first.index("Player 1") + "Player 2 won  ")
        await resize(pilot, 78, 24)
        first, second = await shown(pilot, "Player 1 against Player 2")
        assert "Player 2 won" in first
        assert second == ""
        await open_file(pilot, "many")
        first, second = await shown(pilot, "Player 1 against Player 2")
        assert "Player 2 wins" in first
        await resize(pilot, 60, 18)
        first, second = await shown(pilot, "Player 1 against Player 2")
        assert second == " " * first.index("Player 1") + "Player 2 wins"

    run(tale, size=(60, 18))


@pytest.mark.parametrize(("foe", "counts"), first_row_now([("human", False), ("random", True)], 2))
def test_who_removes_a_game_is_told_of_the_record_where_it_is_in_it(home: Path, foe: str, counts: bool) -> None:
    resigned = unfinished().replace('[Result "*"]', '[Result "1-0"]\n[Termination "Player 2 resigned."]')
    put(home, "over", resigned.replace("*", "1-0").replace('[Seat2 "random"]', f'[Seat2 "{foe}"]'))

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "l")
        await seen(pilot, "To look at again (1)")
        await press(pilot, "x")
        question = pilot.app.screen
        assert isinstance(question, Ask)
        assert "Remove this game for good?" in question.question
        assert ("It will not count in your record any more." in question.question) == counts

    run(tale)


UNUSUAL = (
    ('[Rules "lp=30"]\n', "lp=30"),
    ('[Position "12 9 1 1-10"]\n', "from 12 9 1 1-10"),
    ('[Rules "lp=30"]\n[Position "30 12 2 1-10"]\n', "lp=30, from 30 12 2 1-10"),
    ('[Position "20 20 2 1-10"]\n', ""),  # the other player starts
)


def test_a_game_that_is_not_by_the_book_shows_on_which_terms_it_was_played(home: Path) -> None:
    for at, (tags, _) in enumerate(UNUSUAL):
        put(home, f"deck-{at}", f'[Game "deck"]\n[Seat2 "level:4"]\n{tags}[Result "*"]\n\n*\n')

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "l")
        await seen(pilot, "turn 1")
        assert {entry.path.stem: entry.terms for entry in shelf(pilot).entries if entry.group == UNFINISHED} == {
            f"deck-{at}": terms for at, (_, terms) in enumerate(UNUSUAL)
        }
        assert {terms for _, terms in UNUSUAL} <= {row.strip(" ▁▂▃▄▅▆▇█") for row in rows(pilot.app)}
        await press(pilot, "x")
        assert "Number Duel (deck), " in text(pilot.app)

    run(tale)
    said = {row["id"]: str(row["summary"]) for row in saved_games()}
    assert said["deck-2"].startswith(
        "Number Duel (deck), lp=30, from 30 12 2 1-10, you (Player 1) against level 4 club"
    )
    assert said["deck-3"].startswith("Number Duel (deck), you (Player 1) against level 4 club player, turn 1")


@pytest.mark.slow
def test_ones_own_game_is_told_to_the_one_who_played_it_and_a_friends_is_not(home: Path) -> None:
    over = finished().replace('[Seat2 "human"]', '[Seat2 "level:3"]')
    put(home, "mine", over)
    (home / "theirs.duel").write_text(over, encoding="utf-8")

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "l")
        await seen(pilot, "level 3, as Player 1")
        await press(pilot, "enter")
        await seen(pilot, "you lost")
        await press(pilot, "escape")
        await open_file(pilot, str(home / "theirs.duel"))
        assert isinstance(pilot.app.screen, Replay)
        await settle(pilot)
        assert "you" not in str(pilot.app.screen.query_one(Heading).render())

    run(tale, size=LARGE)


def test_a_game_that_the_bell_ended_is_over(home: Path) -> None:
    belled = unfinished().replace('[Result "*"]', '[Result "*"]\n[Termination "The bell rang after 1 turn."]')
    put(home, "belled", belled)
    (entry,) = (entry for entry in on_the_shelf() if entry.path.stem == "belled")
    assert (entry.group, entry.state) == (FINISHED, "nobody won")


@pytest.mark.slow
def test_an_unfinished_game_goes_on_and_comes_back_to_the_shelf(home: Path) -> None:
    put(home, "going", unfinished())

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "l", "enter")
        assert isinstance(pilot.app.screen, Table)
        await say(pilot, "4")
        await seen(pilot, "Enter your move")
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Shelf)
        await seen(pilot, "turn 3")

    run(tale)


@pytest.mark.slow
def test_a_game_opens_by_mouse(home: Path) -> None:
    put(home, "over", finished())

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "l")
        await seen(pilot, "To look at again (1)")
        await pilot.click(OptionList, offset=(10, 4))
        await settle(pilot)
        assert isinstance(pilot.app.screen, Replay)

    run(tale)


@pytest.mark.parametrize("size", [SMALL, slow(LARGE)])
def test_what_is_damaged_is_refused_with_the_reason(home: Path, size: tuple[int, int]) -> None:
    put(home, "none", "this is no game")

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "l")
        await seen(pilot, "damaged")
        await press(pilot, "home", "enter")
        assert told(pilot, "A game begins with its tags")
        assert isinstance(pilot.app.screen, Shelf)

    run(tale, size=size)


@pytest.mark.slow
def test_a_wide_window_shows_the_highlighted_game(home: Path) -> None:
    put(home, "going", unfinished())

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "l")
        await seen(pilot, "Turn 1.")
        await press(pilot, "down")
        await seen(pilot, "Player 1's HP dropped to -2")

    run(tale, size=LARGE)


@pytest.mark.slow
def test_files_are_opened_by_their_path(home: Path) -> None:
    (home / "one.duel").write_text(finished(), encoding="utf-8")
    (home / "two.duel").write_text(finished() + "\n" + finished("tower"), encoding="utf-8")
    (home / "going.duel").write_text(unfinished(), encoding="utf-8")
    (home / "bytes.duel").write_bytes(b"\xff\xfe\x00")

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "l")
        await open_file(pilot, str(home / "one.duel"))
        assert isinstance(pilot.app.screen, Replay)
        await press(pilot, "escape")
        await open_file(pilot, "nowhere.duel")
        assert told(pilot, "There is no file and no saved game called 'nowhere.duel'.")
        await open_file(pilot, "bytes.duel")
        assert told(pilot, "is not text")
        await open_file(pilot, "")
        assert isinstance(pilot.app.screen, Shelf)
        await open_file(pilot, "two.duel")
        assert isinstance(pilot.app.screen, Several)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Shelf)
        await open_file(pilot, "two.duel")
        await press(pilot, "down", "enter")
        assert isinstance(pilot.app.screen, Replay)
        await press(pilot, "escape")
        await open_file(pilot, "going.duel")
        assert isinstance(pilot.app.screen, Table)

    run(tale)


def test_hundreds_of_games_are_listed_by_their_tags_at_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(300):
        put(home, f"game-{number:03}", finished("conquer"))
    monkeypatch.setattr("duelbook.record.reads", lambda words: pytest.fail("a list must not replay games"))
    monkeypatch.setattr("duelbook.table.shelf.reads", lambda words: pytest.fail("a list must not replay games"))
    entries = on_the_shelf()
    assert sum(entry.group == FINISHED for entry in entries) == 300
    assert all(entry.state == "Player 2 won" for entry in entries if entry.group == FINISHED)


@pytest.mark.slow
def test_a_long_list_can_be_walked_to_its_end(home: Path) -> None:
    for number in range(120):
        put(home, f"game-{number:03}", finished("conquer"))

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "l")
        await seen(pilot, "To look at again (120)")
        await press(pilot, "end")
        await seen(pilot, "From the rule books (5)")
        await press(pilot, "home", "pagedown")
        assert pilot.app.screen.query_one(OptionList).highlighted is not None

    run(tale)
