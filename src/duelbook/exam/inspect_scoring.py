"""What an answer that Inspect has heard loses, and what all of them come to. Loads `inspect_ai`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from math import fsum
from typing import Any, NamedTuple

from inspect_ai.model import ModelOutput
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    ScoreReducer,
    Target,
    metric,
    score_reducer,
    scorer,
)
from inspect_ai.solver import TaskState

from duelbook.core import DuelError
from duelbook.exam.editions import Edition, edition
from duelbook.exam.marks import CUT, FAULTS, LATE, fault_named, mark, worst
from duelbook.exam.paper import Question
from duelbook.exam.sure import mean_of_duels
from duelbook.llm.reply import LENGTH, REFUSAL, STOP, Reply, read_move
from duelbook.match import PlayerFault
from duelbook.policies.levels import RANDOM

BESIDE = (RANDOM, "level:3")
"""Whose exact loss at the same questions stands beside the model's."""
ENDS = {"max_tokens": LENGTH, "model_length": LENGTH, "content_filter": REFUSAL}
"""Why an answer ended, where Inspect says that it is no whole one."""
EACH = "each"
"""In the metadata of a score over epochs: what every answer lost, and which fault it was."""


class Named(NamedTuple):
    """All that says which paper it is, as the samples carry it."""

    edition: str
    questions: int
    duels: str
    """With commas between; empty for all."""


@cache
def paper_named(named: Named) -> Edition:
    return edition(named.edition, named.questions, named.duels.split(",") if named.duels else None)


def _asked(about: Mapping[str, Any]) -> Question:
    """The question that a sample is; another version of Duelbook may have drawn another one."""
    question: Question = paper_named(Named(**about["paper"])).questions[about["question"]]
    if (question.position, question.seat + 1) != (about["position"], about["seat"]):
        raise DuelError(
            f"This log has another question where the paper has {question.position}: it is of another version of "
            "Duelbook, and that one can score it."
        )
    return question


@metric  # type: ignore[untyped-decorator]  # as above
def points() -> Metric:
    """Points of win probability lost per decision, with its 95 % interval, with and without faults, and the faults.

    The mean over the duels of the mean over the questions of each, as in `duelbook exam`.
    """

    def found(scores: list[SampleScore]) -> dict[str, float]:
        told: dict[str, float] = {}
        lost, clean = (mean_of_duels(_groups(scores, each)) for each in (_lost, _clean))
        if lost is not None:
            told |= {"lost": 100 * lost.value, "from": 100 * lost.low, "to": 100 * lost.high}
        if clean is not None:
            told |= {"without_faults": 100 * clean.value}
        for kind in BESIDE:
            exact = mean_of_duels(_groups(scores, partial(_beside, kind)))
            told |= {kind.replace(":", "_"): 100 * exact.value} if exact is not None else {}
        faults = [fault for each in scores for _, fault in _answers(each.score)]
        return told | {kind.replace(" ", "_"): float(faults.count(kind)) for kind in FAULTS}

    return found


@score_reducer  # type: ignore[untyped-decorator]  # as above
def every_answer() -> ScoreReducer:
    """The mean over epochs, with what every single answer lost and which of them were faults: Inspect's own would keep
    the faults of the first epoch alone."""

    def reduced(scores: list[Score]) -> Score:
        answers = [answer for score in scores for answer in _answers(score)]
        value = fsum(lost for lost, _ in answers) / len(answers)
        return scores[0].model_copy(update={"value": value, "metadata": {**(scores[0].metadata or {}), EACH: answers}})

    return reduced


def _answers(score: Score) -> list[tuple[float, str]]:
    """Of every answer that is in a score, the points that it lost and the kind of fault that it was, if any."""
    about = score.metadata or {}
    if EACH in about:
        return [(float(lost), str(fault)) for lost, fault in about[EACH]]
    return [(float(score.as_float()), str(about.get("fault", "")))]


def _lost(sample: SampleScore) -> list[float]:
    return [lost / 100 for lost, _ in _answers(sample.score)]


def _clean(sample: SampleScore) -> list[float]:
    return [lost / 100 for lost, fault in _answers(sample.score) if not fault]


def _beside(kind: str, sample: SampleScore) -> list[float]:
    return [float((sample.sample_metadata or {})["beside"][kind])]


def _groups(scores: Iterable[SampleScore], values: Callable[[SampleScore], list[float]]) -> list[list[float]]:
    """What was lost at each question, on average over all times it was asked, duel by duel."""
    found: dict[str, dict[int, list[float]]] = {}
    for each in scores:
        about = each.sample_metadata or {}
        asked = found.setdefault(about["duel"], {})
        if lost := values(each):
            asked.setdefault(about["question"], []).extend(lost)
    return [[fsum(each) / len(each) for each in asked.values()] for asked in found.values()]


@scorer(metrics=[points()])  # type: ignore[untyped-decorator]  # as above
def exact_loss() -> Scorer:
    """What an answer loses, exactly, in points of win probability: 0 is perfect. A fault counts as the worst legal
    move, and its kind is in the metadata of the score. Which paper was asked is in the metadata of the sample, so that
    `inspect score` can score it again."""

    async def judged(state: TaskState, target: Target) -> Score:
        question = _asked(state.metadata)
        words = question.subject.game.dialogue.words(question.subject.rules)
        best = f"Best: {', '.join(target)}."
        try:
            move = read_move(question.view, _reply(state.output), state.model.name)
        except PlayerFault as fault:
            kind, lost = fault_named(fault.kind), worst(question).lost
            said = f"{fault.sentence} It counts as the worst legal move. {best}"
            return Score(value=100 * lost, explanation=said, metadata={"fault": kind})
        found = mark(question, move)
        return Score(
            value=100 * found.lost,
            answer=words[move],
            explanation=f"{words[move]} loses {100 * found.lost:.2f} points. {best}",
            metadata={"fault": "", "mistake": next(iter(found.mistakes), "")},
        )

    return judged


def _reply(output: ModelOutput) -> Reply:
    """An answer as our own interfaces would have it. Where there is none at all, a limit of Inspect's came before."""
    if not output.choices:
        raise PlayerFault(LATE, "There was no answer before a limit was reached.")
    if output.stop_reason == "unknown" and not output.completion:
        raise PlayerFault(CUT, "The answer ended before anything was said.")
    return Reply(output.completion, ENDS.get(output.stop_reason, STOP))
