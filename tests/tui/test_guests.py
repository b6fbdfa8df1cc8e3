"""Duels of other packages on the full screen: seen at once, played by keys of their own, in their own words."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from duelbook.games import load
from duelbook.tui.preview import Glimpse
from duelbook.tui.puzzles import PuzzleScreen
from guests_helper import GUESTS, arrive, install
from slow_helper import slow
from tui_helper import LARGE, at_home, match_of, press, rows, run, say, settle, text

NAMES = ("Pig", "Race to 21", "Rock, Paper, Scissors")


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    site = tmp_path / "site"
    site.mkdir()
    for guest in GUESTS:
        install(site, guest)
    arrive(monkeypatch, site)
    return site


@pytest.mark.slow
def test_nobody_starts_below_the_fold() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert all(name in text(pilot.app) for name in NAMES)
        assert "Tower Defense Duel" in text(pilot.app)
        await press(pilot, "question_mark")
        assert "1-8 A duel." in text(pilot.app)

    run(tale)


@pytest.mark.slow
def test_a_guest_is_played_with_the_same_keys_and_words() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        foot = rows(pilot.app)[-1]
        assert "I Hint  Z Undo  O Rules" in foot
        await say(pilot, "rules")
        assert "Roll a die as often as you dare" in text(pilot.app)
        await say(pilot, "rules", "roll")
        assert "Enter Throw you choose once you have seen your roll" in text(pilot.app)
        assert rows(pilot.app)[-1] == foot
        await press(pilot, "enter")
        assert "You rolled a" in text(pilot.app) or "A 1!" in text(pilot.app)

    run(tale, opening=match_of("pig"))


@pytest.mark.slow
def test_where_a_guests_word_begins_with_the_tables_letter_a_function_key_does_it(installed: Path) -> None:
    voice = installed / "race" / "dialogue.py"
    voice.write_text(voice.read_text(encoding="utf-8").replace('f"add {', 'f"inch {'), encoding="utf-8")

    async def tale(pilot: Pilot[int]) -> None:
        assert "F2 Hint  Z Undo" in rows(pilot.app)[-1]
        await press(pilot, "i")
        assert "i▏" in text(pilot.app)
        await press(pilot, "escape", "f2")
        assert "A hint" in text(pilot.app)

    run(tale, opening=match_of("race"))


@pytest.mark.slow
def test_words_are_picked_behind_the_curtain_and_revealed() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter")
        assert "Type it or click its card, then Enter. The screen shows it only if you ask." in text(pilot.app)
        assert "rock (r)│ │paper (p)│ │scissors (s)" in text(pilot.app)
        await press(pilot, "x", "enter")
        assert "That is none of the choices." in text(pilot.app)
        await press(pilot, "r", "enter", "enter", *"paper", "enter")
        shown = " ".join(row[9:71].strip("│ ") for row in rows(pilot.app))
        assert "Left: rock! Right: paper! Left loses 1 heart." in shown
        await press(pilot, "enter")
        assert "last picks │rock │ to │paper│" in text(pilot.app)

    run(tale, opening=match_of("rps"))


@pytest.mark.slow
@pytest.mark.parametrize(("id", "label"), [slow("race", "Total 0"), ("rps", "hearts 4"), slow("pig", "points 0")])
def test_a_bar_says_what_it_counts(id: str, label: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert label in text(pilot.app)

    run(tale, opening=match_of(id))


@pytest.mark.slow
def test_puzzles_have_a_tab_for_each() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await pilot.app.push_screen(PuzzleScreen())
        await settle(pilot)
        assert all(id.capitalize() in text(pilot.app) for id in GUESTS)

    run(tale, size=LARGE)


@pytest.mark.slow
def test_a_guest_whose_table_cannot_be_drawn_leaves_the_lobby_open(installed: Path) -> None:
    scene = installed / "pig" / "scene.py"
    scene.write_text(scene.read_text(encoding="utf-8").replace("one, two = ", "one, two = 1 / 0 or "), encoding="utf-8")

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *["down"] * 5)
        said = str(pilot.app.screen.query_one("#glimpse-verdict", Static).render())
        assert "The duel pig, which another package brings, failed in scene.scene: ZeroDivisionError" in said
        await press(pilot, "up")
        await settle(pilot)
        assert pilot.app.screen.query_one(Glimpse).game is not None

    run(tale, size=LARGE)


@pytest.mark.slow
def test_in_a_puzzle_the_keys_are_the_same_too() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await pilot.app.push_screen(PuzzleScreen(load("pig")))
        await settle(pilot)
        foot = rows(pilot.app)[-1]
        assert all(key in foot for key in ("O Rules", "I Clue", "N Another"))
        await say(pilot, "r")
        assert "N Another" in rows(pilot.app)[-1]

    run(tale, size=LARGE)
