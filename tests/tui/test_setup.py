"""Before a game: every choice by key and by mouse, and the game that comes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from duelbook import load
from duelbook.games import ROOMS
from duelbook.policies.characters import CHARACTERS
from duelbook.tui.dialogs import Page
from duelbook.tui.ladder import Ladder, Rung, key_of
from duelbook.tui.lobby import Lobby
from duelbook.tui.menu import Dial
from duelbook.tui.options import Options
from duelbook.tui.people import characters, opponents
from duelbook.tui.preferences import Preferences, remembered
from duelbook.tui.setup import Setup
from duelbook.tui.table import Table
from duelbook.tui.watch import Watch
from slow_helper import first_now, slow, slow_if
from tui_helper import LARGE, SMALL, at_home, press, rows, run, seen, settle, still, text, told


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    return tmp_path


def table(pilot: Pilot[int]) -> Table:
    assert isinstance(pilot.app.screen, Table)
    return pilot.app.screen


def dial(pilot: Pilot[int], id: str) -> Dial[Any]:
    return pilot.app.screen.query_one(f"#{id}", Dial)


# The shortest way


@pytest.mark.parametrize("id", [slow_if(id != "tower", id) for id in ROOMS])
def test_two_keys_lead_from_the_lobby_into_a_game(id: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, str(list(ROOMS).index(id) + 1), "enter")
        assert table(pilot).match.game.id == id
        assert table(pilot).kinds == ("human", "level:2")

    run(tale)


@pytest.mark.slow
def test_whoever_leaves_a_game_is_in_the_lobby_again() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "enter", "escape")
        assert isinstance(pilot.app.screen, Lobby)
        assert not any(isinstance(screen, Setup) for screen in pilot.app.screen_stack)

    run(tale)


@pytest.mark.slow
def test_opponent_and_duel_are_remembered(home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "3", "6", "enter")
        assert table(pilot).kinds == ("human", "level:6")

    run(tale)
    kept = json.loads((home / "duelbook" / "settings.json").read_text(encoding="utf-8"))
    assert (kept["opponent"], kept["duel"]) == ("level:6", "energy")

    async def again(pilot: Pilot[int]) -> None:
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, Setup)
        assert pilot.app.screen.game.id == "energy"
        assert pilot.app.screen.query_one(Ladder).chosen == "level:6"

    run(again, preferences=remembered())


@pytest.mark.slow
def test_an_opponent_that_is_not_known_is_no_trouble() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5")
        assert pilot.app.screen.query_one(Ladder).chosen == "level:2"

    run(tale, preferences=Preferences(opponent="level:99", duel="chess", motion=False))


# Opponents


@pytest.mark.slow
@pytest.mark.parametrize("kind", [slow_if(one.kind != "perfect", one.kind) for one in opponents()])
def test_every_opponent_by_key(kind: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "1", key_of(kind).lower())
        assert pilot.app.screen.query_one(Ladder).chosen == kind
        await press(pilot, "enter")
        assert table(pilot).kinds == ("human", kind)

    run(tale)


def test_every_opponent_says_what_it_means_in_a_small_window() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "1")
        words = text(pilot.app)
        for one in opponents():
            assert one.label in words
            assert one.about in words

    run(tale)


@pytest.mark.slow
def test_walking_past_an_opponent_chooses_nothing() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "1", "down", "down")
        ladder = pilot.app.screen.query_one(Ladder)
        assert ladder.chosen == "level:2"
        await press(pilot, "space")
        assert ladder.chosen == "level:4"
        assert isinstance(pilot.app.screen, Setup)
        await press(pilot, "down", "enter")
        assert table(pilot).kinds == ("human", "level:5")

    run(tale)


@pytest.mark.slow
def test_an_opponent_by_mouse() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "1")
        await pilot.click(pilot.app.screen.query(Rung)[0])
        assert pilot.app.screen.query_one(Ladder).chosen == "human"
        await pilot.click("#start")
        await settle(pilot)
        assert table(pilot).kinds == ("human", "human")

    run(tale)


# Seats, names, who starts, coach


@pytest.mark.slow
def test_the_other_seat_and_who_starts_by_keys() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "t", "f")
        assert "Player 2 (you)" in text(pilot.app)
        assert (dial(pilot, "seat").value, dial(pilot, "first").value) == (1, "2")
        await press(pilot, "s")
        assert table(pilot).kinds == ("level:2", "human")
        assert table(pilot).match.start.mover == 1

    run(tale)


@pytest.mark.parametrize("key", first_now(["t", "T", "f", "C"]))
def test_enter_starts_after_what_has_been_turned_and_the_foot_says_so(key: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", key)
        assert "Enter Start  S Start" in rows(pilot.app)[-1]
        await press(pilot, "enter")
        assert table(pilot).match.turns in (0, 1)  # one, where a program has begun

    run(tale)


@pytest.mark.slow
def test_dials_turn_by_arrows_and_by_mouse() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5")
        first = dial(pilot, "first")
        first.focus()
        await press(pilot, "left")
        assert first.value == "toss"
        await press(pilot, "right", "space", "space")
        assert first.value == "toss"
        row = next(at for at, row in enumerate(rows(pilot.app)) if "Who starts" in row)
        for words, value in (("○ Player 2", "2"), ("○ Player 1 (you)", "1"), ("○ toss", "toss")):
            await pilot.click(offset=(rows(pilot.app)[row].index(words) + 2, row))
            assert first.value == value
        await pilot.click(offset=(8, row))
        assert first.value == "1"
        await press(pilot, "c")
        assert dial(pilot, "coach").value is True
        await press(pilot, "s")
        assert table(pilot).host.coaching

    run(tale)


@pytest.mark.slow
def test_a_coin_can_be_tossed() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "f", "f", "p", "s")
        assert "The coin says that" in table(pilot).preface

    run(tale)


@pytest.mark.slow
def test_a_duel_without_a_first_player_does_not_ask_who_starts() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "4")
        assert "Who starts" not in text(pilot.app)
        await press(pilot, "f", "t", "s")
        assert table(pilot).kinds == ("level:2", "human")

    run(tale)


@pytest.mark.slow
def test_names_come_from_the_settings() -> None:
    async def person(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "p", "enter")
        assert table(pilot).match.names == ("Ada", "Bo")

    async def program(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "t", "1", "enter")
        assert table(pilot).match.names == ("Player 1", "Ada")

    for tale in (person, program):
        run(tale, preferences=Preferences(name="Ada", guest="Bo", motion=False))


@pytest.mark.slow
def test_names_that_cannot_be_are_said_and_the_choices_stay() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "7", "enter")
        assert told(pilot, "Both players cannot be called player 2.")
        assert isinstance(pilot.app.screen, Setup)
        assert pilot.app.screen.query_one(Ladder).chosen == "perfect"

    run(tale, preferences=Preferences(name="player 2", motion=False))


@pytest.mark.slow
def test_settings_that_cannot_be_written_do_not_stop_a_game(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "settings"))
    (home / "settings").write_text("a file where the folder should be", encoding="utf-8")

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "enter")
        assert told(pilot, "Your settings could not be written")
        assert isinstance(pilot.app.screen, Table)

    run(tale)


# Rules, help, size


@pytest.mark.slow
def test_other_rules_are_shown_and_played() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5")
        assert "as the book has them" in text(pilot.app)
        await press(pilot, "o")
        assert isinstance(pilot.app.screen, Options)
        await press(pilot, "right", "escape")
        await seen(pilot, "goal=16")
        await press(pilot, "0", "enter")
        assert table(pilot).match.rules.goal == 16

    run(tale)
    run(tale, size=LARGE)


@pytest.mark.slow
def test_rules_by_mouse() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5")
        await pilot.click("#rules")
        await settle(pilot)
        assert isinstance(pilot.app.screen, Options)

    run(tale)


@pytest.mark.parametrize("size", [SMALL, slow(LARGE)])
@pytest.mark.parametrize("id", [slow_if(id != "tower", id) for id in ROOMS])
def test_nothing_is_cut_off(id: str, size: tuple[int, int]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, str(list(ROOMS).index(id) + 1))
        await seen(pilot, "Start the game")
        assert "…" not in " ".join(row[:76] for row in rows(pilot.app))
        await seen(pilot, load(id).pitch if size == SMALL else "Solved.")

    run(tale, size=size)


@pytest.mark.slow
def test_help_opens_over_the_choices() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "question_mark")
        assert isinstance(pilot.app.screen, Page)
        await press(pilot, "escape", "escape", "w", "question_mark")
        assert isinstance(pilot.app.screen, Page)

    run(tale)


@pytest.mark.slow
def test_going_back_while_rules_are_worked_out_starts_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    go_on = threading.Event()
    monkeypatch.setattr("duelbook.tui.app.make_ready", lambda match, kinds: go_on.wait(20))

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5")
        await pilot.press("enter")
        await pilot.press("escape")
        go_on.set()
        await settle(pilot)
        assert isinstance(pilot.app.screen, Lobby)

    run(tale)


# Watching


@pytest.mark.slow
def test_two_keys_lead_to_a_game_to_watch() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "w", "enter")
        assert table(pilot).kinds == ("level:2", "perfect")
        assert table(pilot).watching
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Lobby)

    run(tale)


def test_left_and_right_turn_to_another_character() -> None:
    """The line of the characters shows two arrows, and the right arrow answered that it does nothing."""

    async def tale(pilot: Pilot[int]) -> None:
        ladder = pilot.app.screen.query_one(Ladder)
        await press(pilot, "8", "right")
        second = ladder.chosen
        assert "◂ 2/4 ▸" in text(pilot.app)
        assert "←→ Next" in text(pilot.app)
        await press(pilot, "left", "left")
        assert "◂ 4/4 ▸" in text(pilot.app)
        row = next(at for at, row in enumerate(rows(pilot.app)) if "/4 ▸" in row)
        await pilot.click(offset=(rows(pilot.app)[row].index("▸"), row))
        await pilot.click(offset=(rows(pilot.app)[row].index("▸"), row))
        assert ladder.chosen == second
        await pilot.click(offset=(rows(pilot.app)[row].index("◂"), row))
        assert "◂ 1/4 ▸" in text(pilot.app)
        await press(pilot, "7", "right")
        assert "→ does nothing here." in text(pilot.app)
        await press(pilot, "down", "left")  # whoever turns the line has chosen from it
        assert ladder.rung.has_focus

    run(tale, opening=lambda app: app.push_screen(Setup(load("tower"))))


@pytest.mark.slow
def test_everything_about_a_watched_game_by_keys() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "down", "w")
        screen = pilot.app.screen
        assert isinstance(screen, Watch)
        assert screen.game.id == "deck"
        await press(pilot, "d", "d", "d", "left")
        assert screen.game.id == "secret"
        assert "Who starts" not in text(pilot.app)
        assert "Player B" in text(pilot.app)
        await press(pilot, "right", "3")
        assert "Level 3: casual: " in text(pilot.app)
        await press(pilot, "right", "down", "space", "left")
        one, two = screen.query(Ladder)
        assert (one.chosen, two.chosen) == ("level:3", "level:4")
        await press(pilot, "enter")
        assert pilot.app.focused is two.rung
        await press(pilot, "up", "up", "up", "enter")
        assert two.chosen == "level:1"
        assert pilot.app.focused is screen.query_one("#start")
        await press(pilot, "f", "v", "o", "escape", "s")
        assert table(pilot).match.game.id == "tower"
        assert table(pilot).kinds == ("level:4", "level:1")
        assert table(pilot).match.start.mover == 1

    run(tale)
    assert remembered().pace == 0.5


@pytest.mark.slow
def test_everything_about_a_watched_game_by_mouse() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await pilot.click(
            next(item for item in pilot.app.screen.query(".item") if getattr(item, "does", "") == "watch")
        )
        await settle(pilot)
        screen = pilot.app.screen
        row = next(at for at, row in enumerate(rows(pilot.app)) if "◂" in row)
        await pilot.click(offset=(rows(pilot.app)[row].index("◂"), row))
        assert isinstance(screen, Watch)
        assert screen.game.id == "tower"
        await pilot.click(offset=(rows(pilot.app)[row].index("▸"), row))
        assert screen.game.id == "conquer"
        one, two = screen.query(Ladder)
        await pilot.click(one.query(Rung)[7])
        await pilot.click(two.query(Rung)[0])
        await pilot.click("#start")
        await settle(pilot)
        assert table(pilot).kinds == ("perfect", "random")

    run(tale)


@pytest.mark.slow
def test_nobody_is_watched_who_is_a_person() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "w")
        one, _ = pilot.app.screen.query(Ladder)
        assert one.chosen == "level:3"
        assert "A person" not in text(pilot.app)

    liked = still()
    liked.opponent = "human"
    run(tale, preferences=liked)
    run(tale, preferences=liked, size=LARGE)


@pytest.mark.parametrize("key", ["f", "F"])
def test_where_there_is_no_first_player_nobody_is_told_that_one_can_be_chosen(key: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "4", key)
        assert "Number Duel (secret) has no first player." in text(pilot.app)
        await press(pilot, "question_mark")
        assert "who starts" not in text(pilot.app)
        assert "toss" not in text(pilot.app)

    run(tale)


def test_the_help_of_watching_says_what_enter_does_there() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "w", "question_mark")
        assert "Enter chooses an opponent and goes on" in text(pilot.app)
        assert "Enter starts" not in text(pilot.app)

    run(tale)


# What is seen of it


@pytest.mark.parametrize("id", [slow_if(id != "conquer", id) for id in ROOMS])  # whose sentence takes two lines
def test_all_of_it_is_seen_in_24_rows_wherever_one_is(id: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, str(list(ROOMS).index(id) + 1))
        walked = []
        while pilot.app.focused not in walked:
            walked.append(pilot.app.focused)
            on_characters = isinstance(here := pilot.app.focused, Rung) and key_of(here.opponent.kind) == "8"
            for _ in characters() if on_characters else "1":
                assert "Esc Back" in rows(pilot.app)[-1]  # and all keys in one line
                assert load(id).pitch in text(pilot.app)
                assert "S Start the game" in text(pilot.app)
                await press(pilot, *["right"] * on_characters)
            await press(pilot, "down")
        assert len(walked) > 12

    run(tale)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(60, 18), (70, 20)])
def test_what_an_opponent_is_like_is_whole_where_one_is_and_elsewhere_a_cut_is_seen(size: tuple[int, int]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "p")
        for one in known:
            assert one.about in text(pilot.app).replace("▌ ", "")
            for row in rows(pilot.app):
                if "Level" in row and not row.startswith("▌"):
                    said = row.rstrip(" ▁▂▃▄▅▆▇█")  # without the scroll bar
                    assert said.endswith("…") or any(said.endswith(each.about) for each in known)
            await press(pilot, "right" if one.kind in CHARACTERS else "down")

    known = [*opponents(), *characters()]
    run(tale, size=size)
