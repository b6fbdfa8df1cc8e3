"""The exam as tasks of Inspect: one for each edition, with our prompt, questions and scorer. Loads `inspect_ai`.

Inspect asks, limits, retries and keeps logs by its own means; what an answer loses is what it loses in our own exam.
The one difference is that a secret pick which is asked several times is as many samples.
"""

from __future__ import annotations

from collections.abc import Mapping

from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser
from inspect_ai.solver import generate

from duelbook.core import DuelError, whole
from duelbook.exam.editions import BOOK, FRESH, RENAMED
from duelbook.exam.inspect_scoring import BESIDE, Named, every_answer, exact_loss, paper_named
from duelbook.exam.paper import MOST_QUESTIONS, QUESTIONS, Question
from duelbook.exam.sitting import REPEATS
from duelbook.exam.taken import MOST_REPEATS
from duelbook.exam.yardstick import losses
from duelbook.llm.kind import Axes
from duelbook.llm.prompt import filled, prompt_hash, read_prompt, shipped
from duelbook.llm.told import told
from duelbook.speech import either, guess, quote

try:  # what Inspect's command tells of in a sentence; it has no public name
    from inspect_ai._util.error import PrerequisiteError
except ImportError:
    PrerequisiteError = Exception

TAKEN = ("questions", "duels", "repeats", "rules", "moves", "prompt")
"""What can be set by `-T`; a fresh edition has a seed, too."""


class Refused(DuelError, PrerequisiteError):  # type: ignore[misc]  # Inspect is skipped by the checker
    """What somebody asked for cannot be done. Inspect shows it without a traceback, and Python catches a DuelError."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.message = sentence


@task  # type: ignore[untyped-decorator]  # Inspect is skipped by the checker: not everybody has it
def exam_book(
    questions: int = QUESTIONS,
    duels: str | list[str] = "",
    repeats: int = REPEATS,
    rules: bool = True,
    moves: bool = True,
    prompt: str = "",
    **unknown: object,
) -> Task:
    """The duels by their books. `duels` names some of them, with commas between; `prompt` is a file."""
    return _exam(BOOK, questions, duels, repeats, rules, moves, prompt, unknown)


@task  # type: ignore[untyped-decorator]  # as above
def exam_renamed(
    questions: int = QUESTIONS,
    duels: str | list[str] = "",
    repeats: int = REPEATS,
    rules: bool = True,
    moves: bool = True,
    prompt: str = "",
    **unknown: object,
) -> Task:
    """The same questions under names and words that nobody has read."""
    return _exam(RENAMED, questions, duels, repeats, rules, moves, prompt, unknown)


@task  # type: ignore[untyped-decorator]  # as above
def exam_fresh(
    seed: int = 1,
    questions: int = QUESTIONS,
    duels: str | list[str] = "",
    repeats: int = REPEATS,
    rules: bool = True,
    moves: bool = True,
    prompt: str = "",
    **unknown: object,
) -> Task:
    """Rules that nobody has seen, drawn by the seed and solved on the spot."""
    return _exam(f"{FRESH}:{seed}", questions, duels, repeats, rules, moves, prompt, unknown)


def _exam(
    name: str,
    questions: int,
    duels: str | list[str],
    repeats: int,
    rules: bool,
    moves: bool,
    prompt: str,
    unknown: Mapping[str, object],
) -> Task:
    """The task; whatever is wrong with what was asked for is said in a sentence, before anything is asked."""
    try:
        _check_known(name, unknown)
        whole(questions, "The number of questions", 1, MOST_QUESTIONS)
        whole(repeats, "How often a secret pick is asked", 1, MOST_REPEATS)
        axes = Axes(_yes(rules, "rules"), _yes(moves, "moves"))
        listed = [duels] if isinstance(duels, str) else duels  # Inspect makes a list of what has commas
        named = Named(name, questions, ",".join(map(str, listed)))
        return _task(named, repeats, axes, read_prompt(str(prompt)) if prompt else shipped())
    except DuelError as error:
        raise Refused(str(error)) from None


def _check_known(name: str, unknown: Mapping[str, object]) -> None:
    """Inspect only warns of what a task does not take, and asks everything else, which may cost something."""
    known = ("seed", *TAKEN) if name.startswith(FRESH) else TAKEN
    for each in unknown:
        if each != "model":  # Inspect may name it to everybody
            raise DuelError(f"The exam takes no {quote(each)}.{guess(each, known)} It takes {either(known, 'and')}.")


def _yes(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise DuelError(f"{name} is true or false; {quote(str(value))} is neither.")
    return value


def _task(named: Named, repeats: int, axes: Axes, text: str) -> Task:
    paper = paper_named(named)
    beside = {kind: losses(kind, paper.questions) for kind in BESIDE}
    samples = [
        _sample(question, ask, axes, text, named, {kind: beside[kind][question.number] for kind in BESIDE})
        for question in paper.questions
        for ask in range(repeats if question.secret else 1)
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"duelbook {paper.name}"),
        solver=generate(),
        scorer=exact_loss(),
        epochs=Epochs(1, every_answer()),
        version=paper.hash,
        metadata={
            "paper": paper.hash,
            "seed": str(paper.seed),
            "edition": paper.name,
            "prompt": prompt_hash(text),
        },
    )


def _sample(question: Question, ask: int, axes: Axes, text: str, named: Named, beside: dict[str, float]) -> Sample:
    """One question asked once. Its number in the paper and the time of asking are its name."""
    view, words = question.view, question.subject.game.dialogue.words(question.subject.rules)
    system, user = filled(text, told(view, axes, (), in_a_game=False))
    messages: list[ChatMessage] = [ChatMessageSystem(content=system)] if system else []
    return Sample(
        input=[*messages, ChatMessageUser(content=user)],
        target=[words[option.move] for option in question.options if not option.lost],
        id=f"{question.number + 1}.{ask + 1}",
        metadata={
            "paper": named._asdict(),
            "question": question.number,
            "ask": ask,
            "duel": question.subject.name,
            "position": question.position,
            "seat": question.seat + 1,
            "both_at_once": question.secret,
            "beside": beside,
        },
    )
