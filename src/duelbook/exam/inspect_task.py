"""The exam as tasks of Inspect: one for each edition, with our prompt, questions and scorer. Loads `inspect_ai`.

Inspect asks, limits, retries and keeps logs by its own means; what an answer loses is what it loses in our own exam.
The one difference is that a secret pick which is asked several times is as many samples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser, ModelOutput
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from duelbook.core import DuelError, whole
from duelbook.exam.editions import BOOK, FRESH, RENAMED, Edition, edition
from duelbook.exam.marks import CUT, FAULTS, LATE, fault_named, mark, worst
from duelbook.exam.paper import QUESTIONS, Question
from duelbook.exam.sitting import REPEATS
from duelbook.exam.sure import mean_of_duels
from duelbook.exam.taken import MOST_REPEATS
from duelbook.exam.yardstick import losses
from duelbook.llm.kind import Axes
from duelbook.llm.prompt import filled, prompt_hash, read_prompt, shipped
from duelbook.llm.reply import LENGTH, REFUSAL, STOP, Reply, read_move
from duelbook.llm.told import told
from duelbook.match import PlayerFault
from duelbook.policies.levels import RANDOM

BESIDE = (RANDOM, "level:3")
"""Whose exact loss at the same questions stands beside the model's."""
ENDS = {"max_tokens": LENGTH, "model_length": LENGTH, "content_filter": REFUSAL}
"""Why an answer ended, where Inspect says that it is no whole one."""


@task  # type: ignore[untyped-decorator]  # Inspect is skipped by the checker: not everybody has it
def exam_book(
    questions: int = QUESTIONS,
    duels: str | list[str] = "",
    repeats: int = REPEATS,
    rules: bool = True,
    moves: bool = True,
    prompt: str = "",
) -> Task:
    """The duels by their books. `duels` names some of them, with commas between; `prompt` is a file."""
    return _exam(BOOK, questions, duels, repeats, Axes(rules, moves), prompt)


@task  # type: ignore[untyped-decorator]  # as above
def exam_renamed(
    questions: int = QUESTIONS,
    duels: str | list[str] = "",
    repeats: int = REPEATS,
    rules: bool = True,
    moves: bool = True,
    prompt: str = "",
) -> Task:
    """The same questions under names and words that nobody has read."""
    return _exam(RENAMED, questions, duels, repeats, Axes(rules, moves), prompt)


@task  # type: ignore[untyped-decorator]  # as above
def exam_fresh(
    seed: int = 1,
    questions: int = QUESTIONS,
    duels: str | list[str] = "",
    repeats: int = REPEATS,
    rules: bool = True,
    moves: bool = True,
    prompt: str = "",
) -> Task:
    """Rules that nobody has seen, drawn by the seed and solved on the spot."""
    return _exam(f"{FRESH}:{seed}", questions, duels, repeats, Axes(rules, moves), prompt)


@cache
def _paper(name: str, questions: int, duels: str) -> Edition:
    return edition(name, questions, duels.split(",") if duels else None)


def _exam(name: str, questions: int, duels: str | list[str], repeats: int, axes: Axes, prompt: str) -> Task:
    whole(repeats, "How often a secret pick is asked", 1, MOST_REPEATS)
    named = duels if isinstance(duels, str) else ",".join(duels)  # Inspect makes a list of what has commas
    paper, text = _paper(name, questions, named), read_prompt(prompt) if prompt else shipped()
    beside = {kind: losses(kind, paper.questions) for kind in BESIDE}
    samples = [
        _sample(question, ask, axes, text, {kind: beside[kind][question.number] for kind in BESIDE})
        for question in paper.questions
        for ask in range(repeats if question.secret else 1)
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"duelbook {paper.name}"),
        solver=[asked_once(), generate()],
        scorer=exact_loss(paper.name, questions, named),
        version=paper.hash,
        metadata={
            "paper": paper.hash,
            "seed": str(paper.seed),
            "edition": paper.name,
            "prompt": prompt_hash(text),
        },
    )


def _sample(question: Question, ask: int, axes: Axes, text: str, beside: dict[str, float]) -> Sample:
    """One question asked once. Its number in the paper and the time of asking are its name."""
    view, words = question.view, question.subject.game.dialogue.words(question.subject.rules)
    system, user = filled(text, told(view, axes, (), in_a_game=False))
    messages: list[ChatMessage] = [ChatMessageSystem(content=system)] if system else []
    return Sample(
        input=[*messages, ChatMessageUser(content=user)],
        target=[words[option.move] for option in question.options if not option.lost],
        id=f"{question.number + 1}.{ask + 1}",
        metadata={
            "question": question.number,
            "ask": ask,
            "duel": question.subject.name,
            "position": question.position,
            "seat": question.seat + 1,
            "both_at_once": question.secret,
            "beside": beside,
        },
    )


@solver  # type: ignore[untyped-decorator]  # as above
def asked_once() -> Solver:
    """Inspect would average over epochs and keep the faults of one of them, so that the figures were false."""

    async def asked(state: TaskState, generate: Generate) -> TaskState:
        if state.epoch > 1:
            raise DuelError(
                "Faults cannot be counted over epochs: leave out --epochs. Secret picks repeat by -T repeats=N."
            )
        return state

    return asked


# Scoring


@metric  # type: ignore[untyped-decorator]  # as above
def points() -> Metric:
    """Points of win probability lost per decision, with its 95 % interval, with and without faults, and the faults.

    The mean over the duels of the mean over the questions of each, as in `duelbook exam`.
    """

    def found(scores: list[SampleScore]) -> dict[str, float]:
        told: dict[str, float] = {}
        lost = mean_of_duels(_groups(scores, lambda each: float(each.score.as_float()) / 100))
        clean = mean_of_duels(_groups(scores, _clean))
        if lost is not None:
            told |= {"lost": 100 * lost.value, "from": 100 * lost.low, "to": 100 * lost.high}
        if clean is not None:
            told |= {"without_faults": 100 * clean.value}
        for kind in BESIDE:
            exact = mean_of_duels(_groups(scores, partial(_beside, kind)))
            told |= {kind.replace(":", "_"): 100 * exact.value} if exact is not None else {}
        faults = [(each.score.metadata or {}).get("fault", "") for each in scores]
        return told | {kind.replace(" ", "_"): float(faults.count(kind)) for kind in FAULTS}

    return found


def _beside(kind: str, sample: SampleScore) -> float:
    return float((sample.sample_metadata or {})["beside"][kind])


def _clean(sample: SampleScore) -> float | None:
    fault = (sample.score.metadata or {}).get("fault", "")
    return None if fault else float(sample.score.as_float()) / 100


def _groups(scores: Iterable[SampleScore], value: Callable[[SampleScore], float | None]) -> list[list[float]]:
    """What was lost at each question, on average over all times it was asked, duel by duel."""
    found: dict[str, dict[int, list[float]]] = {}
    for each in scores:
        about = each.sample_metadata or {}
        asked = found.setdefault(about["duel"], {})
        if (lost := value(each)) is not None:
            asked.setdefault(about["question"], []).append(lost)
    return [[sum(values) / len(values) for values in asked.values()] for asked in found.values()]


@scorer(metrics=[points()])  # type: ignore[untyped-decorator]  # as above
def exact_loss(edition: str, questions: int = QUESTIONS, duels: str = "") -> Scorer:
    """What an answer loses, exactly, in points of win probability: 0 is perfect. A fault counts as the worst legal
    move, and its kind is in the metadata of the score."""
    paper = _paper(edition, questions, duels)

    async def judged(state: TaskState, target: Target) -> Score:
        question = paper.questions[state.metadata["question"]]
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
