"""Daily puzzles are the same for everybody, differ from day to day, and come from positions of real play."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date, timedelta
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from duelbook import load, variant
from duelbook.core import DuelError
from duelbook.games import ROOMS
from duelbook.puzzles.source import all_puzzles, daily, daily_game, random_puzzle
from duelbook.solving.library import solution_for
from helpers import calls, reachable
from slow_helper import first_now, slow, slow_if

NEW_YEAR = date(2026, 1, 1)
EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples"


def days(count: int) -> list[date]:
    return [NEW_YEAR + timedelta(days=number) for number in range(count)]


@pytest.mark.parametrize("id", ROOMS)
def test_a_day_has_one_puzzle(id: str) -> None:
    assert daily(load(id), NEW_YEAR) == daily(load(id), NEW_YEAR)


@pytest.mark.slow
def test_another_process_has_the_same_puzzles() -> None:
    code = (
        "import json\nfrom datetime import date\nfrom duelbook import load\n"
        "from duelbook.puzzles.source import daily, random_puzzle\n"
        f"games = [load(id) for id in {list(ROOMS)!r}]\n"
        "found = [each for game in games for each in (daily(game, date(2026, 1, 1)), random_puzzle(game, 7))]\n"
        "print(json.dumps([[each.position, each.seat, each.word, each.rating] for each in found]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    here = [each for id in ROOMS for each in (daily(load(id), NEW_YEAR), random_puzzle(load(id), 7))]
    assert json.loads(done.stdout) == [[each.position, each.seat, each.word, each.rating] for each in here]


PINNED = [
    ("conquer", "1c 3r 1", "defend"),
    ("deck", "14 9 1 6,7,9,10:2", "attack"),
    ("energy", "6 4d 1", "defend"),
    ("secret", "88 88 8 7", "10"),
    ("tower", "9 12 1", "build 4"),
]


@pytest.mark.parametrize(("id", "at", "word"), PINNED)
def test_what_a_day_has_stays_what_it_was(id: str, at: str, word: str) -> None:
    puzzle = daily(load(id), date(2026, 1, 5))
    assert (puzzle.position, puzzle.word) == (at, word)


@pytest.mark.parametrize("id", [slow_if(id in ("deck", "secret"), id) for id in ROOMS])
def test_no_puzzle_comes_twice_as_long_as_there_are_others(id: str) -> None:
    game = load(id)
    solution = solution_for(game, game.book)
    count = 60
    if solution.kind == "backwards":
        count = 2 * sum(not puzzle.at_once for puzzle in all_puzzles(solution))  # once for each side
    found = [daily(game, day) for day in days(count)]
    assert len({(puzzle.position, puzzle.seat) for puzzle in found}) == count
    assert not any(puzzle.at_once for puzzle in found)


@pytest.mark.parametrize("id", ["conquer", "energy", "tower"])
def test_a_mirror_comes_no_sooner_than_the_list_is_through(id: str) -> None:
    game = load(id)
    solution = solution_for(game, game.book)
    length = sum(not puzzle.at_once for puzzle in all_puzzles(solution))
    every = [solution.numbering.find(daily(game, day).state)[0] for day in days(2 * length)]
    assert all(len(set(every[at : at + length])) == length for at in range(len(every) - length))


@pytest.mark.slow
def test_where_both_pick_no_puzzle_stands_where_no_game_comes() -> None:
    """As with just one of two last numbers: the table holds such places, too."""
    game = load("secret")
    rules = variant(game, ["hp=6"])
    found = {random_puzzle(game, seed, rules=rules).state for seed in range(60)}
    assert len(found) > 10
    assert found <= reachable(game, rules)


@pytest.mark.slow
@pytest.mark.parametrize("id", ["deck", slow("secret")])
def test_dailies_ask_for_more_than_one_answer_and_of_both_players(id: str) -> None:
    found = [daily(load(id), day) for day in days(40)]
    for words in ([puzzle.word for puzzle in found], [str(puzzle.seat) for puzzle in found]):
        assert min(words.count(word) for word in set(words)) >= 8
        assert len(set(words)) >= 2


@pytest.mark.parametrize("id", first_now(["deck", "secret"]))
def test_drawn_positions_can_come_up_in_play(id: str) -> None:
    game = load(id)
    solution = solution_for(game, game.book)
    for seed in range(20):
        assert solution.holds(random_puzzle(game, seed).state)


@pytest.mark.parametrize("id", [slow_if(id == "secret", id) for id in ROOMS])
def test_a_wished_rating_is_answered_nearby(id: str) -> None:
    game = load(id)
    low = [random_puzzle(game, seed, 500).rating for seed in range(6)]
    high = [random_puzzle(game, seed, 1500).rating for seed in range(6)]
    assert sum(low) < sum(high)
    assert max(low) < max(high)


@pytest.mark.parametrize("id", [slow_if(id == "secret", id) for id in ROOMS])
def test_different_seeds_give_different_puzzles(id: str) -> None:
    found = {random_puzzle(load(id), seed).position for seed in range(12)}
    assert len(found) >= 6


def test_the_five_duels_take_turns() -> None:
    assert sorted(daily_game(day).id for day in days(5)) == sorted(ROOMS)
    assert daily_game(NEW_YEAR).id == daily_game(NEW_YEAR + timedelta(days=5)).id


def test_a_duel_of_your_own_has_puzzles_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.syspath_prepend(str(EXAMPLES))
    race = import_module("race").GAME
    found = [daily(race, day) for day in days(10)]
    assert len({puzzle.position for puzzle in found}) == 10
    assert random_puzzle(race, 1, 900).wrong


def test_puzzles_belong_to_what_the_rules_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two duels of one id and one set of numbers, as before and after an author's change."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.syspath_prepend(str(EXAMPLES))
    race = import_module("race").GAME

    def loses(rules: Any, state: Any) -> int:
        return int(state.mover)

    turned = race._replace(winner=loses)
    one, two = (
        {puzzle.position: puzzle.answer for puzzle in all_puzzles(solution_for(game, game.book))}
        for game in (race, turned)
    )
    assert one != two


def test_a_duel_that_cannot_be_solved_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    both = load("deck")._replace(id="both", rules_file=SimpleNamespace(resolve=None))
    with pytest.raises(DuelError, match="has both luck and secret picks; such duels cannot be solved here yet"):
        daily(both, NEW_YEAR)


def test_a_duel_without_puzzles_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.puzzles.source._known", {})
    monkeypatch.setattr("duelbook.puzzles.source.make", lambda *_: None)
    for id in ("tower", "deck", "secret"):
        with pytest.raises(DuelError, match=r"There are no puzzles for .*: at no position"):
            daily(load(id), NEW_YEAR)


@pytest.mark.parametrize("id", [slow_if(id == "secret", id) for id in ROOMS])
def test_a_puzzle_is_there_at_once(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.puzzles.source._known", {})
    work = calls(lambda: daily(load(id), NEW_YEAR))
    assert work < 1_000_000  # about a second; 25,000 to 340,000 are usual


@pytest.mark.parametrize(
    ("id", "setting"),
    [("tower", "goal=12"), ("energy", "may_pass=always"), slow("deck", "lp=8"), slow("secret", "hp=12")],
)
def test_changed_rules_have_puzzles_of_their_own(id: str, setting: str) -> None:
    game = load(id)
    rules = variant(game, [setting])
    for seed in range(5):
        puzzle = random_puzzle(game, seed, rules=rules)
        assert puzzle.rules == rules
        lost = {each.move: each.lost for each in solution_for(game, rules).options(puzzle.state, puzzle.seat)}
        assert lost.pop(puzzle.answer) == pytest.approx(0, abs=1e-9)
        assert min(lost.values()) > 0.01
        assert puzzle == random_puzzle(game, seed, rules=rules), "the same seed gives the same one"
