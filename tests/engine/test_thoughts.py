"""What a program says of its thinking: kept with the game where that is asked for, and shown while one watches."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from duelbook.engine.replies import Info, info_words
from duelbook.record import reads
from engine_helper import bad, invoke
from slow_helper import first_now
from tui_helper import at_home, match_of, run, say, settle

THINKER = f"engine:{bad('info')}"
WORDS = "depth 3, score 0.25: looks good"


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("info", "words"),
    [
        (Info(3, 0.25, "looks good"), WORDS),
        (Info(None, -1.0), "score -1"),
        (Info(string="a \x1b[2J"), r"a \x1b[2J"),
        (Info(), ""),
    ],
)
def test_it_is_told_in_a_few_words(info: Info, words: str) -> None:
    assert info_words(info) == words


@pytest.mark.parametrize("keep", [True, False])
def test_a_game_keeps_it_where_that_is_asked_for(keep: bool, home: Path) -> None:
    options = ["--keep-info"] if keep else []
    seats = ("--p1", THINKER, "--p2", "random", "--max-turns", "3", "--save", "game.duel")
    assert invoke("play", "tower", "--line", *seats, *options).exit_code == 0
    (record,) = reads((home / "game.duel").read_text(encoding="utf-8"))
    said = {1: f"Player 1: {WORDS}", 3: f"Player 1: {WORDS}"}
    assert record.comments == (said if keep else {})


def test_two_who_pick_are_heard_when_both_have_picked(home: Path) -> None:
    seats = ("--p1", THINKER, "--p2", THINKER, "--max-turns", "1", "--save", "game.duel", "--keep-info")
    invoke("play", "secret", "--line", *seats)
    (record,) = reads((home / "game.duel").read_text(encoding="utf-8"))
    assert record.comments == {1: f"Player A: {WORDS}; Player B: {WORDS}"}


@pytest.mark.parametrize("where", first_now(["one-process", "local"]))
def test_an_arena_keeps_it_too(where: str, home: Path) -> None:
    words = ("--games", "tower", "--rounds", "1", "--max-turns", "2", "--out", "games.duel", "--on", where)
    assert invoke("arena", THINKER, "random", *words, "--keep-info").exit_code == 0
    records = reads((home / "games.duel").read_text(encoding="utf-8"))
    assert [record.comments for record in records] == [{1: f"bad.py: {WORDS}"}, {2: f"bad.py: {WORDS}"}]
    assert invoke("arena", THINKER, "random", *words, "--resume").exit_code == 0


@pytest.mark.slow
def test_who_watches_sees_it(home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        line = pilot.app.screen.query_one("#thoughts", Static)
        assert not line.display
        for _ in range(400):
            await settle(pilot)
            if line.display:
                break
        assert str(line.render()) == f"Player 1: {WORDS}"

    run(tale, opening=match_of("tower", THINKER, "random"))


def test_who_plays_does_not(home: Path) -> None:
    """It might tell what the other has picked."""

    async def tale(pilot: Pilot[int]) -> None:
        match = pilot.app.screen.match  # type: ignore[attr-defined]  # it is a table
        await say(pilot, "7")
        for _ in range(400):
            await settle(pilot)
            if match.turns:
                break
        assert match.turns == 1
        assert not pilot.app.screen.query_one("#thoughts").display

    run(tale, opening=match_of("secret", "human", THINKER))
