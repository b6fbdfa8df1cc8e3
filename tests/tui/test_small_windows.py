"""The smallest window that will do shows everything, and a smaller one says that it does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from duelbook.games import load_all
from duelbook.tui import SMALLEST
from duelbook.tui.lobby import TITLE, Lobby
from tui_helper import at_home, match_of, press, resize, rows, run, text

TOO_SMALL = "The window is too small for the full screen: 70x20 at least"


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at_home(monkeypatch, tmp_path)


def test_the_lobby_says_everything_whole() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        lines = rows(pilot.app)
        for line, words in zip(lines, TITLE.plain.splitlines(), strict=False):
            assert words in line
        assert isinstance(pilot.app.screen, Lobby)
        for game in load_all():
            await press(pilot, "down")
            left = " ".join(line.partition("│")[0][5:].strip(" ▁▂▃▄▅▆▇█") for line in rows(pilot.app)[4:])
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


@pytest.mark.parametrize("coach", [False, True])
def test_the_card_that_was_drawn_in_deck_is_there_whole(coach: bool) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter")
        lines = rows(pilot.app)
        (at,) = [at for at, line in enumerate(lines) if "│  the card" in line]
        assert "╭────╮" in lines[at - 1]
        assert "╰────╯" in lines[at + 1]

    run(tale, size=SMALLEST, opening=match_of("deck", "human", "random", coach=coach))


def test_a_window_that_becomes_too_small_says_so_until_it_is_large_enough() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert "too small" not in text(pilot.app)
        for size in ((69, 20), (70, 19)):
            await resize(pilot, *size)
            assert TOO_SMALL in rows(pilot.app)[-1]
        await resize(pilot, 45, 12)
        assert "The window is too small: 70x20 at least" in rows(pilot.app)[-1]
        await resize(pilot, *SMALLEST)
        assert "too small" not in text(pilot.app)
        assert "q Leave" in text(pilot.app)

    run(tale, size=SMALLEST, opening=match_of("secret", "human", "perfect"))
