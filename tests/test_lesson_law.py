"""A guest's guided game: what cannot be played or is not true is named, with the position where it goes wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from duelbook.conformance import check_game
from duelbook.conformance.lesson_law import the_lesson_is_playable_and_true
from duelbook.core import Game, Lesson
from duelbook.games import ROOMS, load
from duelbook.positions.size import TooLarge
from duelbook.solving.solution import NotInTable
from duelbook.table.lesson import Guide
from guests_helper import EXAMPLES, spoilt


def lesson_of(id: str) -> Lesson:
    lesson = load(id).lesson
    assert lesson is not None
    return lesson


CONQUER, DECK, ENERGY, SECRET, TOWER = (lesson_of(id) for id in sorted(ROOMS))


def changed(lesson: Lesson, at: int, **fields: Any) -> Lesson:
    """A lesson with another task in one place."""
    return lesson._replace(tasks=tuple(t._replace(**fields) if i == at else t for i, t in enumerate(lesson.tasks)))


def other(lesson: Lesson, **fields: Any) -> Lesson:
    """A lesson as an author without a type checker can write it."""
    return lesson._replace(**fields)


def told(game: Game) -> str:
    return " ".join(str(each) for each in the_lesson_is_playable_and_true(game))


@pytest.mark.parametrize("id", ROOMS)
def test_the_lessons_of_our_own_duels_keep_the_law(id: str) -> None:
    assert told(load(id)) == ""


@pytest.mark.parametrize(
    ("id", "lesson", "said"),
    [
        ("tower", "a lesson", "it must be a Lesson"),
        ("tower", other(TOWER, tasks=[*TOWER.tasks]), "a tuple of Tasks"),
        ("tower", other(TOWER, tasks=(1, 2, 3)), "its tasks must be Tasks"),
        ("tower", changed(TOWER, 0, also=["attack"]), "a tuple of words"),
        ("tower", TOWER._replace(tasks=TOWER.tasks[:2]), "it has 2 tasks; a guided game has 3 to 5."),
        ("tower", TOWER._replace(seat=2), "its seat is 2; it must be 0 or 1."),
        ("tower", other(TOWER, luck=[1]), "its luck is [1]; it must be a tuple of faces."),
        ("tower", TOWER._replace(luck=(1,)), "its luck fixes 1 draws, and luck acts 0 times in it."),
        ("tower", TOWER._replace(idea=" "), "its idea is ' '; it must be one line of words."),
        ("tower", changed(TOWER, 1, praise=None), "its praise is None"),
        ("tower", changed(TOWER, 1, says="no " * 200), "has 600 letters; at most 300"),
        ("tower", TOWER._replace(position="99 1"), "it cannot begin at '99 1': "),
        ("tower", TOWER._replace(position="15 3 2"), "has nothing to decide"),
        ("tower", TOWER._replace(position="10 11 2"), "where the learner in seat 0 has nothing to decide"),
        ("tower", changed(TOWER, 1, play="build 3"), "at '10 12 1': 'build 3' is not the word of a move."),
        ("tower", changed(TOWER, 0, play="build 4"), "at '10 11 1': 'build 4' is asked for and gives something away"),
        ("tower", changed(TOWER, 0, also=("build 1",)), "best is ['attack']"),
        ("tower", changed(TOWER, 0, reply="build 3"), "The reply 'build 3' is not the word of a move."),
        ("tower", changed(TOWER, 0, reply=""), "after 'attack' it cannot go on: The opponent is to move"),
        ("tower", TOWER._replace(tasks=(*TOWER.tasks, TOWER.tasks[0])), "the game is over, and another task follows"),
        ("energy", changed(ENERGY, 0, play="pass"), "'pass' is asked for and cannot be played there."),
        ("conquer", changed(CONQUER, 1, also=()), "would be refused; name it in `also`."),
        ("deck", DECK._replace(luck=DECK.luck[:2]), "luck fixes 2 draws, and after 'attack' another follows"),
        ("deck", DECK._replace(luck=(9,)), "A 9 cannot be drawn now"),
        ("deck", DECK._replace(position="2 10 1 1-3,10"), "has nothing to decide"),
        ("secret", changed(SECRET, 0, reply=""), "Both pick at once, and no reply is given."),
    ],
)
def test_a_mistake_in_a_lesson_is_named(id: str, lesson: Any, said: str) -> None:
    assert said in told(load(id)._replace(lesson=lesson))


def test_a_position_that_was_not_solved_cannot_be_taught(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: object) -> None:
        raise NotInTable("The position 10 11 1 cannot come up in play, so it was not solved.")

    monkeypatch.setattr("duelbook.conformance.lesson_law.solution_at", nowhere)
    assert "it cannot begin at '10 11 1': The position 10 11 1 cannot come up" in told(load("tower"))


def test_without_a_solution_it_is_only_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(*_: object) -> None:
        raise TooLarge("It is large.")

    monkeypatch.setattr("duelbook.conformance.lesson_law.solution_at", too_large)
    assert told(load("tower")) == ""
    assert "cannot be played there" in told(load("energy")._replace(lesson=changed(ENERGY, 0, play="pass")))


def test_the_lesson_on_the_page_keeps_the_law(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (EXAMPLES.parent / "add-a-game.md").read_text(encoding="utf-8")
    (code,) = (block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "LESSON = " in block)
    written: dict[str, Any] = {}
    exec(code, written)
    race = spoilt(monkeypatch, tmp_path, "race")._replace(lesson=written["LESSON"])
    assert told(race) == ""
    guide = Guide(race)
    while guide.task is not None:
        guide.answer(race.dialogue.words(race.book).index(guide.task.play))
    assert guide.match.outcome is not None
    assert guide.match.outcome.winner == 0


def test_check_game_tries_the_lesson() -> None:
    game = load("tower")._replace(lesson=changed(TOWER, 2, play="build 2"))
    (found,) = check_game(game, 50).mistakes
    assert (found.law, found.function) == ("the lesson is playable and true", "lesson.LESSON")
    assert found.position == "'14 14 1'"
