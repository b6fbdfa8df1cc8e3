"""Guided games: short, true by the solution, kind to mistakes, and offered once."""

from __future__ import annotations

from pathlib import Path

import pytest

from duelbook.core import DuelError, Game, IllegalMove
from duelbook.games import ROOMS, load, load_all
from duelbook.solving.library import solution_for
from duelbook.table import newcomers
from duelbook.table.lesson import Guide

SAME = 1e-9


def word(game: Game, text: str) -> int:
    return game.dialogue.words(game.book).index(text)


@pytest.mark.parametrize("id", ROOMS)
def test_every_task_has_the_right_moves_and_no_others(id: str) -> None:
    """What is asked for gives nothing away; whatever else can be played does."""
    game = load(id)
    solution = solution_for(game, game.book)
    guide = Guide(game)
    assert 3 <= len(guide.lesson.tasks) <= 5
    while (task := guide.task) is not None:
        state = guide.match.state
        right = {
            move
            for move in game.legal_moves(game.book, state, guide.seat)
            if solution.loss(state, guide.seat, move) <= SAME
        }
        assert right == {word(game, text) for text in (task.play, *task.also)}
        guide.answer(word(game, task.play))
    assert guide.match.outcome is not None
    assert guide.match.outcome.winner == guide.seat


@pytest.mark.parametrize("id", ROOMS)
def test_a_wrong_move_is_answered_with_a_reason_and_changes_nothing(id: str) -> None:
    game, guide = load(id), Guide(load(id))
    while (task := guide.task) is not None:
        before = guide.match.state
        for move in game.moves:
            if not game.legal(game.book, before, guide.seat, move):
                continue
            if game.dialogue.words(game.book)[move] in (task.play, *task.also):
                continue
            told = guide.answer(move)
            assert not told.right
            assert guide.match.state == before
            said = " ".join(line.text for line in told.lines)
            assert said.endswith("Nothing is lost: try again.")
            assert len(told.lines[0].text) > len("Not attack. ")
        guide.answer(word(game, task.play))


@pytest.mark.parametrize("id", ROOMS)
def test_a_hint_says_the_move_and_why(id: str) -> None:
    guide = Guide(load(id))
    while (task := guide.task) is not None:
        move, reasons = f"The move is {task.play}. ", guide.hint().removeprefix(f"The move is {task.play}. ")
        assert guide.hint() == move + reasons
        assert reasons.endswith(".")
        assert len(reasons.split()) >= 5
        guide.answer(word(guide.game, task.play))


def test_what_is_as_good_is_said_so_and_the_lesson_goes_on() -> None:
    game = load("conquer")
    guide = Guide(game)
    guide.answer(word(game, "defend"))
    told = guide.answer(word(game, "defend"))
    assert told.right
    assert told.lines[0].text == "Defend is just as good. Here we go on with heal."
    assert guide.match.steps[-2].play == word(game, "heal")


def test_what_the_rules_forbid_is_refused_as_everywhere() -> None:
    guide = Guide(load("energy"))
    with pytest.raises(IllegalMove, match="You may pass only"):
        guide.answer(word(load("energy"), "pass"))


def test_a_repeated_number_is_not_played_out() -> None:
    game, guide = load("secret"), Guide(load("secret"))
    told = guide.answer(word(game, "9"))
    assert not told.right
    assert "forfeit" in told.lines[0].text


SPOKEN_OF = {
    "conquer": ["2r 3r 1", "2d 3r 1", "3c 4h 1"],
    "deck": ["2 10 1 1-3,10:5", "3 10 1 2,10:3", "3 8 1 -:10"],
    "energy": ["5 4d 1", "4 3d 1", "2 1 1"],
    "secret": ["2 2 9 10", "2 1 10 9", "1 1 9 10"],
    "tower": ["10 11 1", "10 12 1", "14 14 1"],
}
"""The numbers in the coach's sentences are these."""


@pytest.mark.parametrize("id", ROOMS)
def test_the_positions_are_those_that_the_coach_speaks_of(id: str) -> None:
    game, guide = load(id), Guide(load(id))
    seen = []
    while (task := guide.task) is not None:
        seen.append(game.write_position(game.book, guide.match.state))
        guide.answer(word(game, task.play))
    assert seen == SPOKEN_OF[id]


def test_it_is_offered_once_in_each_duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert all(newcomers.to_be_offered(game) for game in load_all())
    newcomers.was_offered(load("tower"))
    assert [game.id for game in load_all() if not newcomers.to_be_offered(game)] == ["tower"]


def test_a_guest_without_a_lesson_offers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    guest = load("tower")._replace(id="guest", lesson=None)
    assert not newcomers.to_be_offered(guest)
    with pytest.raises(DuelError, match="has no guided game"):
        Guide(guest)
