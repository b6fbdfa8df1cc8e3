"""Marks: what an answer loses is what the solution says, and what a plan loses is known without asking."""

from __future__ import annotations

import pytest

from duelbook.core import DuelError
from duelbook.exam.editions import edition, subjects_of
from duelbook.exam.examinee import Answer, Candidate, Seated, candidate
from duelbook.exam.marks import (
    CHANCES,
    CRASHED,
    FAULTS,
    FOUL,
    HELD,
    LATE,
    THROWN,
    UNREADABLE,
    WON,
    fault_named,
    given_by_plan,
    habit_plan,
    mark,
    mark_plan,
    worst,
)
from duelbook.exam.paper import Question, ask_at
from duelbook.exam.score import marked, score
from duelbook.match import PlayerFault, View
from duelbook.policies.levels import TABULAR
from duelbook.policies.plans import plan_by


def at(duel: str, position: str, seat: int = 0) -> Question:
    (subject,) = subjects_of("book", [duel])
    return ask_at(subject, subject.game.read_position(subject.rules, position), seat)


@pytest.mark.parametrize(
    ("duel", "position", "word", "lost", "kind"),
    [
        ("tower", "5 8 1", "build 4", 0.0, None),
        ("tower", "5 8 1", "attack", 1.0, WON),
        ("conquer", "1r 3h 1", "defend", 0.5, THROWN),
        ("conquer", "2h 6r 1", "heal", 0.5, HELD),
        ("deck", "20 13 2 1-3,5,6,8-10:4", "heal", 0.0582, CHANCES),
    ],
)
def test_a_move_loses_what_the_solution_says(
    duel: str, position: str, word: str, lost: float, kind: str | None
) -> None:
    question = at(duel, position, int(position.split()[2]) - 1)
    found = mark(question, question.subject.game.dialogue.words(question.subject.rules).index(word))
    assert found.lost == pytest.approx(lost, abs=1e-4)
    assert list(found.mistakes) == ([] if kind is None else [kind])


def test_a_foul_is_an_answer_and_costs_what_the_rules_say() -> None:
    question = at("secret", "72 70 2 4")
    repeated = question.subject.game.dialogue.words(question.subject.rules).index("2")
    found = mark(question, repeated)
    assert found.lost == found.mistakes[FOUL] > 0


def test_a_move_that_cannot_be_made_has_no_mark() -> None:
    with pytest.raises(DuelError, match="cannot be made"):
        mark(at("tower", "5 2 1"), 3)


def test_the_perfect_plan_loses_nothing_even_to_who_knows_it() -> None:
    for question in edition("book", 20, ["secret", "tower"]).questions:
        plan = plan_by("perfect", question.subject.solution, question.state, question.seat)
        assert mark_plan(question, plan).lost == 0
        assert given_by_plan(question, plan) <= question.subject.solution.same


def test_who_knows_a_plan_takes_no_less_than_who_does_not_where_the_answer_is_mixed() -> None:
    question = at("secret", "1 1 - -")
    anything = plan_by("random", question.subject.solution, question.state, 0)
    assert given_by_plan(question, anything) >= mark_plan(question, anything).lost - 1e-9


def test_a_habit_does_anything_where_its_move_is_not_legal() -> None:
    assert habit_plan(at("tower", "5 8 1"), 3) == (0, 0, 0, 1)
    assert habit_plan(at("tower", "5 2 1"), 3) == (1 / 3, 1 / 3, 1 / 3, 0)


def test_the_worst_move_loses_most() -> None:
    question = at("deck", "20 13 2 1-3,5,6,8-10:4", 1)
    assert worst(question).lost == max(option.lost for option in question.options)


def test_every_fault_has_a_column() -> None:
    said = ["illegal", "unreadable", "time", "refused", "cut", "crash", "protocol", "whatever"]
    assert {fault_named(kind) for kind in said} == set(FAULTS)
    assert [fault_named(kind) for kind in ("time", "protocol", "whatever")] == [LATE, UNREADABLE, CRASHED]


class Failing:
    """Fails in a way that it is told."""

    def __init__(self, error: Exception | None, move: int = 0) -> None:
        self.error, self.move = error, move

    def choose(self, view: View) -> int:
        if self.error is not None:
            raise self.error
        return self.move


@pytest.mark.parametrize(
    ("player", "fault"),
    [
        (Failing(PlayerFault("time", "It took an hour.")), "late"),
        (Failing(PlayerFault("refused", "It would rather not.")), "refused"),
        (Failing(PlayerFault("cut", "It ran out of")), "cut off"),
        (Failing(PlayerFault("unreadable", "It rambled.")), "unreadable"),
        (Failing(ZeroDivisionError("oh")), "crashed"),
        (Failing(None, 99), "illegal"),
        (Failing(None, "build"), "illegal"),  # type: ignore[arg-type]  # an object can answer anything
    ],
)
def test_a_fault_is_an_answer_of_its_own_and_counts_as_the_worst_move(player: Failing, fault: str) -> None:
    question = at("tower", "5 8 1")
    answer = Seated(candidate(player), 1).answer(question, 0)
    assert answer.fault == fault
    found = marked(question, [answer])
    assert (found.lost, found.clean, found.faults) == (worst(question).lost, None, (fault,))


def test_faults_are_left_out_of_the_other_score() -> None:
    question = at("tower", "5 8 1")
    found = score(Candidate("one", "one"), [question], [Answer(0, 0, 2), Answer(0, 1, fault="late")])
    assert found.lost.value == 0.5
    assert found.clean is not None
    assert found.clean.value == 0
    assert found.faults["late"] == 1


def test_an_object_that_says_its_plan_is_not_asked() -> None:
    class Planner:
        def choose(self, view: View) -> int:
            raise AssertionError

        def plan(self, view: View) -> list[float]:
            return [0.0, 0.5, 0.5, 0.0]

    answer = Seated(candidate(Planner()), 1).answer(at("tower", "5 8 1"), 0)
    assert answer.plan == (0, 0.5, 0.5, 0)


@pytest.mark.parametrize("plan", [[1.0], [0.5, 0, 0, 0], [2.0, -1.0, 0, 0], [0, 0, 0, 1.0]])
def test_a_plan_that_is_none_is_a_fault(plan: list[float]) -> None:
    class Planner(Failing):
        def plan(self, view: View) -> list[float]:
            return plan

    assert Seated(candidate(Planner(None)), 1).answer(at("tower", "5 2 1"), 0).fault == "illegal"


@pytest.mark.parametrize("kind", TABULAR)
def test_who_is_a_table_says_its_plan(kind: str) -> None:
    answer = Seated(candidate(kind), 1).answer(at("tower", "5 8 1"), 0)
    assert answer.plan is not None
    assert sum(answer.plan) == pytest.approx(1)


def test_people_and_things_take_no_exam() -> None:
    with pytest.raises(DuelError, match="People"):
        candidate("human")
    with pytest.raises(DuelError, match="choose"):
        candidate(3)  # type: ignore[arg-type]  # on purpose
