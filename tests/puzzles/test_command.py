"""`duelbook puzzle` on the day itself: streaks, second tries, hints, and how it is left."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from duelbook import load
from duelbook.cli import duelbook, puzzle
from duelbook.puzzles.memory import place
from duelbook.puzzles.source import daily
from terminal_helper import CTRL_C, CTRL_D, PROMPTS, terminal

TODAY = date(2026, 1, 5)
OTHERS = "For the streak a daily puzzle counts only on its own day."


@pytest.fixture(autouse=True)
def that_day(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(puzzle, "today", lambda: TODAY)


def ask(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(duelbook, ["puzzle", *words], input=typed, standalone_mode=False)


def test_a_streak_grows_from_day_to_day(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        today = TODAY + timedelta(days=number)
        monkeypatch.setattr(puzzle, "today", lambda today=today: today)
        said = ask("tower", "--plain", typed=f"{daily(load('tower'), today).word}\n").output
        days = f"{number + 1} day{'s' if number else ''}"
        assert f"Your streak: {days} in a row in this duel (best {number + 1}), {number + 1} in any" in said
    assert "3 of 3 puzzles solved; your rating is " in said
    assert "Right! " in said


def test_only_the_first_try_counts() -> None:
    said = ask("tower", typed="attack\n").output
    assert "Not attack: it loses in 6 moves, they answer build 4." in said
    assert "Your streak: 0 days in a row in this duel (best 0), 0 in any (best 0)." in said
    again = ask("tower", typed="build 4\n").output
    assert "Right! build 4" in again
    assert "You have answered this one before; only the first try counts." in again
    assert "0 of 1 puzzle solved" in again


def test_a_hint_comes_at_a_price_that_is_named_first() -> None:
    said = ask("tower", typed="hint\nhint\nhint\nhint\nhint\nbuild 4\n").output
    assert "With a hint the puzzle counts as missed, for the rating too. Say hint once more" in said
    assert "The right one wins in at most 5 moves, if you go on playing as well." in said
    assert "Not build 1: it loses in 4 moves" in said
    assert "Not build 2: it loses in 8 moves" in said
    assert "There are no more hints: two choices are left." in said
    assert "With a hint it does not count as solved." in said
    assert "0 of 1 puzzle solved" in said


def test_asking_for_the_price_alone_costs_nothing() -> None:
    assert "1 of 1 puzzle solved" in ask("tower", typed="hint\nbuild 4\n").output


def test_another_day_counts_for_everything_but_the_streak() -> None:
    said = ask("tower", "--date", "2025-12-24", "--move", daily(load("tower"), date(2025, 12, 24)).word).output
    assert "1 of 1 puzzle solved" in said
    assert OTHERS in said
    assert "Your streak" not in said


def test_a_random_puzzle_says_nothing_of_streaks() -> None:
    said = ask("tower", "--random", "--move", "build 4").output
    assert "of 1 puzzle solved" in said
    assert "streak" not in said
    assert "Tower Defense Duel: puzzle " in said


def test_without_a_duel_the_five_take_turns() -> None:
    names = {json.loads(ask("--json", "--date", f"2026-01-0{day}").output)["game"] for day in range(1, 6)}
    assert names == {"conquer", "deck", "energy", "secret", "tower"}


def test_a_program_is_told_the_same() -> None:
    shown = json.loads(ask("tower", "--json").output)
    assert "answer" not in shown
    assert (shown["date"], shown["at"], shown["player"]) == ("2026-01-05", "9 12 1", 1)
    assert not place().exists()
    solved = json.loads(ask("tower", "--json", "--show").output)
    assert solved["answer"] == "build 4"
    assert not place().exists()
    judged = json.loads(ask("tower", "--json", "--move", "build 4").output)
    assert (judged["right"], judged["counted"]) == (True, True)
    assert judged["progress"] == {"tried": 1, "solved": 1, "rating": 1206.5, "streak": 1, "best_streak": 1}
    assert json.loads(ask("tower", "--json", "--move", "attack").output)["counted"] is False


def test_results_that_cannot_be_read_or_written_do_not_stop_anybody() -> None:
    place().parent.mkdir(parents=True)
    place().write_text("nonsense", encoding="utf-8")
    done = ask("tower", typed="build 4\n")
    assert done.exit_code == 0
    assert "were damaged and start again" in done.stderr
    assert "1 of 1 puzzle solved" in done.stdout
    place().unlink()
    place().mkdir()
    done = ask("tower", typed="build 4\n")
    assert done.exit_code == 0
    assert "this one is not remembered" in done.stderr
    assert "Right! " in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("key", "code"), [(CTRL_C, 130), (CTRL_D, 1), ("quit\r", 0)])
def test_it_is_left_like_a_game(key: str, code: int, tmp_path: Path) -> None:
    with terminal("puzzle", "tower", home=tmp_path) as window:
        window.wait_for(PROMPTS["tower"])
        window.press(key)
        assert window.ends() == code
        assert window.sane
        assert "Traceback" not in window.said
    assert not (tmp_path / "duelbook" / "puzzles.json").exists()


def test_a_puzzle_of_changed_rules_is_answered_and_not_counted() -> None:
    said = ask("tower", "--rule", "goal=20", "--seed", "3", "--move", "build 4").output
    assert said.startswith("Tower Defense Duel with goal=20: puzzle 3, rated ")
    assert "Right! build 4" in said
    assert said.endswith("A puzzle of changed rules is not counted.\n")
    data = json.loads(ask("tower", "--rule", "goal=20", "--seed", "3", "--move", "build 4", "--json").output)
    assert (data["rules"], data["right"], data["counted"]) == (["goal=20"], True, False)
    assert data["progress"]["tried"] == 0
    assert not place().exists()
    assert ask("tower", "--rule", "goal=15", "--seed", "3", "--show").output.startswith("Tower Defense Duel: puzzle 3")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["tower", "--rule", "goal=20", "--daily"], "--daily asks for a daily puzzle and --rule for a random one"),
        (["tower", "--rule", "goal=20", "--date", "2026-01-05"], "--date asks for a daily puzzle and --rule"),
        (["--rule", "goal=20"], "--rule changes the rules of one duel: say which"),
        (["tower", "--rule", "goal=0"], "'0' is not allowed for goal"),
    ],
)
def test_changed_rules_that_have_no_puzzle_are_refused(words: list[str], why: str) -> None:
    error = ask(*words).exception
    assert isinstance(error, click.UsageError)
    assert why in error.message
