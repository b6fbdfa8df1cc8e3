"""The paper: the same for everybody to the bit, spread over duels and seats, and drawn by what is at stake."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from duelbook.core import BOTH, DuelError
from duelbook.exam.editions import Edition, check_edition, edition
from duelbook.exam.paper import Question
from duelbook.games import ROOMS
from guests_helper import GUESTS, arrive, install

FEW = ("conquer", "energy", "tower")
HASHES = {"book": "d1aec38cd2a0ba93"}
"""The papers of 300 questions. Whoever changes one has made another exam: its scores do not compare with the old."""


@pytest.fixture(scope="module")
def book() -> Edition:
    return edition("book", 60, FEW)


def test_every_question_can_lose_something(book: Edition) -> None:
    for question in book.questions:
        assert max(option.lost for option in question.options) >= question.stake > 0
        assert min(option.lost for option in question.options) == 0


def test_the_questions_go_through_the_duels_and_their_seats_by_turns(book: Edition) -> None:
    asked = Counter((question.subject.name, question.seat) for question in book.questions)
    assert asked == {(duel, seat): 10 for duel in FEW for seat in (0, 1)}
    lap = book.questions[: book.lap]
    assert len({(question.subject.name, question.seat) for question in lap}) == len(lap) == 6


def test_a_longer_paper_begins_with_the_shorter_one(book: Edition) -> None:
    longer = edition("book", 90, FEW).questions
    assert [question.line for question in longer[:60]] == [question.line for question in book.questions]


def test_a_duel_is_asked_the_same_whatever_else_is(book: Edition) -> None:
    alone = [question.line for question in edition("book", 20, ["tower"]).questions]
    assert [question.line for question in book.questions if question.subject.name == "tower"] == alone


def test_the_player_who_is_asked_decides(book: Edition) -> None:
    for question in book.questions:
        assert question.subject.game.turn(question.subject.rules, question.state) in (question.seat, BOTH)


def test_the_paper_of_the_small_duels_is_pinned(book: Edition) -> None:
    assert book.hash == "26c58d15c4e28507"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "hash"), HASHES.items())
def test_the_paper_is_pinned(name: str, hash: str) -> None:
    asked = edition(name)
    assert list(dict.fromkeys(question.subject.solution.game.id for question in asked.questions)) == list(ROOMS)
    assert asked.hash == hash


@pytest.mark.slow
@pytest.mark.parametrize("id", FEW)
def test_a_position_comes_as_often_as_it_weighs(id: str) -> None:
    """4,000 draws against the exact weights of all decisions: no position is off by more than five standard errors."""
    from duelbook.exam.everything import decisions_of
    from duelbook.exam.paper import ask_at, paper

    asked = edition("book", 20, [id])
    (subject,) = asked.subjects
    count = 4000
    drawn = Counter(_folded(question) for question in paper([subject], count))
    weights = Counter[object]()
    whole = decisions_of(subject)
    total = 0.0
    seen = set[object]()
    for place in range(len(subject.solution.table)):
        if subject.solution.known(place) is not None:
            state = subject.solution.position(place)
            seat = subject.game.turn(subject.rules, state)
            stake = ask_at(subject, state, seat).stake
            seen.add(state)
            weights[state] = stake  # type: ignore[assignment]  # a share, not a count
            total += stake
    assert len(whole.weights) == sum(stake > 0 for stake in weights.values())
    for state, weight in weights.items():
        expected = count * weight / total
        assert abs(drawn[state] - expected) <= 5 * max(1.0, expected) ** 0.5


def _folded(question: Question) -> object:
    solution = question.subject.solution
    state = question.state
    place = solution.place(state)
    return solution.position(place)


@pytest.mark.slow
def test_a_guest_is_asked_if_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for guest in GUESTS:
        install(tmp_path, guest)
    arrive(monkeypatch, tmp_path)
    asked = edition("book", 12, ["race", "pig"])
    assert {question.subject.name for question in asked.questions} == {"race", "pig"}


@pytest.mark.slow
def test_where_no_single_answer_can_lose_nothing_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In rock, paper, scissors every pick is one of the perfect mixture's."""
    install(tmp_path, "rps")
    arrive(monkeypatch, tmp_path)
    with pytest.raises(DuelError, match="can a single answer lose"):
        edition("book", 12, ["rps"])


@pytest.mark.parametrize("name", ["fresh", "fresh:", "fresh:x", "fresh:²", "book:1", "renamed:2", "old", ""])
def test_an_edition_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(DuelError, match="There is no edition"):
        check_edition(name)


def test_a_paper_that_is_too_short_is_refused() -> None:
    with pytest.raises(DuelError, match="at least 2 questions"):
        edition("book", 1, ["tower"])
    with pytest.raises(DuelError, match="named twice"):
        edition("book", 10, ["tower", "tower"])
    with pytest.raises(DuelError, match="at least one duel"):
        edition("book", 10, [])
