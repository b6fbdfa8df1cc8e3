"""What the answers of one candidate come to: points lost per decision, and where they were lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from duelbook.exam.examinee import Answer, Candidate, Usage
from duelbook.exam.marks import FAULTS, MISTAKES, Mark, given_by_plan, mark, mark_plan, worst
from duelbook.exam.paper import Question
from duelbook.exam.sure import mean_of_duels
from duelbook.intervals import Estimate


class Marked(NamedTuple):
    """What a candidate did at one question, over all times it was asked."""

    question: Question
    lost: float
    """On average; a fault counts as the worst legal move."""
    clean: float | None
    """The same without the faults; None where there was nothing else."""
    mistakes: Mapping[str, float]
    """How much of `clean` each kind of mistake lost."""
    faults: tuple[str, ...]
    asks: int
    said: bool
    """It said its whole plan."""
    planned: float
    """What it loses to an opponent who knows its plan: the one it said, or the one that its answers show. A few answers
    show less variety than there is, so that is too much where they came from a lot."""


def marked(question: Question, answers: Sequence[Answer]) -> Marked:
    """Put the answers to one question together; there is at least one."""
    marks = [_mark(question, answer) for answer in answers]
    clean = [each for each in marks if each is not None]
    bad = worst(question).lost
    lost = fsum(bad if each is None else each.lost for each in marks) / len(marks)
    kinds = {kind for each in clean for kind in each.mistakes}
    mistakes = {kind: fsum(each.mistakes.get(kind, 0.0) for each in clean) / len(clean) for kind in kinds}
    faults = tuple(answer.fault for answer in answers if answer.fault)
    said = answers[0].plan is not None
    kept = fsum(each.lost for each in clean) / len(clean) if clean else None
    planned = given_by_plan(question, _shown(question, answers)) if clean else bad
    return Marked(question, lost, kept, mistakes, faults, len(answers), said, planned)


def _mark(question: Question, answer: Answer) -> Mark | None:
    if answer.plan is not None:
        return mark_plan(question, answer.plan)
    return None if answer.move is None else mark(question, answer.move)


def _shown(question: Question, answers: Sequence[Answer]) -> tuple[float, ...]:
    """The plan that was said, or the one that the answers show."""
    plans = [answer.plan for answer in answers if answer.plan is not None]
    if plans:
        return plans[0]
    moves = [answer.move for answer in answers if answer.move is not None]
    return tuple(moves.count(move) / len(moves) for move in question.subject.solution.game.moves)


class Score(NamedTuple):
    """All of it. Losses are in win probability, from 0 to 1; a point is a hundredth of that."""

    candidate: Candidate
    marks: tuple[Marked, ...]
    lost: Estimate
    """Per decision, a fault counting as the worst legal move."""
    clean: Estimate | None
    """Per decision that was made; None where none was in some duel."""
    duels: Mapping[str, Estimate]
    """`lost` of each duel."""
    seats: tuple[float, float]
    """`lost` in each seat, the mean over the duels."""
    mistakes: Mapping[str, float]
    """How much of `clean` each kind of mistake lost, the mean over the duels."""
    faults: Mapping[str, int]
    asked: int
    """How often anything was asked or said."""
    secret: Estimate | None
    """`clean` at secret picks alone; None where no duel has any."""
    planned: float | None
    """The same to an opponent who knows the plan."""
    usage: Usage
    faulty: tuple[Answer, ...] = ()
    """The faults, with what was said."""


def score(candidate: Candidate, questions: Sequence[Question], answers: Iterable[Answer]) -> Score:
    """The score of all that was answered so far. Raises ValueError where a duel was asked nothing yet."""
    by_question: dict[int, list[Answer]] = {}
    used = Usage()
    for answer in sorted(answers, key=lambda each: (each.question, each.ask)):
        by_question.setdefault(answer.question, []).append(answer)
        used = used.and_(answer.usage)
    marks = tuple(marked(questions[at], given) for at, given in by_question.items())
    faulty = tuple(answer for given in by_question.values() for answer in given if answer.fault)
    return score_of(candidate, marks, used)._replace(faulty=faulty)


def score_of(candidate: Candidate, marks: tuple[Marked, ...], used: Usage = Usage()) -> Score:  # noqa: B008 - a value
    duels: dict[str, list[Marked]] = {}
    for each in marks:
        duels.setdefault(each.question.subject.name, []).append(each)
    lost = mean_of_duels([[each.lost for each in group] for group in duels.values()])
    if lost is None:
        raise ValueError("nothing was answered")
    clean = [[each.clean for each in group if each.clean is not None] for group in duels.values()]
    secret = [[each for each in group if each.question.secret and each.clean is not None] for group in duels.values()]
    picks = [group for group in secret if group]
    return Score(
        candidate,
        marks,
        lost,
        mean_of_duels(clean),
        {name: _only([each.lost for each in group]) for name, group in duels.items()},
        (_seat(duels.values(), 0), _seat(duels.values(), 1)),
        {kind: _mean([_kind(group, kind) for group in duels.values()]) for kind in MISTAKES},
        {kind: sum(each.faults.count(kind) for each in marks) for kind in FAULTS},
        sum(each.asks for each in marks),
        mean_of_duels([[each.clean or 0.0 for each in group] for group in picks]),
        _mean([_mean([each.planned for each in group]) for group in picks]) if picks else None,
        used,
    )


def _only(values: Sequence[float]) -> Estimate:
    found = mean_of_duels([values])
    assert found is not None  # there are values
    return found


def _seat(groups: Iterable[Sequence[Marked]], seat: int) -> float:
    found = [[each.lost for each in group if each.question.seat == seat] for group in groups]
    return _mean([_mean(values) for values in found if values]) if any(found) else 0.0


def _kind(group: Sequence[Marked], kind: str) -> float:
    made = [each for each in group if each.clean is not None]
    return _mean([each.mistakes.get(kind, 0.0) for each in made]) if made else 0.0


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)
