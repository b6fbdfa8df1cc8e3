"""An exam being taken: who is asked what, by how many at once, and what is left to ask.

Every answer belongs to a question and a time of asking, so the order in which slow players answer changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from queue import Empty, SimpleQueue
from typing import NamedTuple

from duelbook.exam.editions import Edition
from duelbook.exam.examinee import Answer, Candidate, Seated
from duelbook.exam.paper import Question
from duelbook.exam.score import marked
from duelbook.exam.sure import Apart, Bet

REPEATS = 4
"""How often a secret pick is asked of who does not say a plan."""

Keep = Callable[[Edition, Candidate, Sequence[Answer]], None]
"""Told of answers as they come; when it returns they are kept."""


class Task(NamedTuple):
    question: Question
    ask: int


class Sitting:
    """One edition taken by some candidates. `answers` grows as they answer."""

    def __init__(
        self,
        edition: Edition,
        candidates: Sequence[Candidate],
        *,
        repeats: int = REPEATS,
        concurrency: int = 1,
        given: Sequence[Sequence[Answer]] = (),
        keep: Keep = lambda edition, candidate, answers: None,
        hear: Callable[[int, int], None] = lambda done, of: None,
    ) -> None:
        self.edition, self.candidates, self.repeats, self.concurrency = edition, candidates, repeats, concurrency
        self.answers: list[list[Answer]] = [list(each) for each in given] or [[] for _ in candidates]
        self._keep, self._hear = keep, hear
        self._free: list[SimpleQueue[Seated]] = [SimpleQueue() for _ in candidates]
        self._made: list[Seated] = []
        self._done = sum(map(len, self.answers))
        self._all = sum(len(self._tasks(candidate, edition.questions)) for candidate in candidates)

    def take(self) -> None:
        """Ask everything that is not answered."""
        with self._seated():
            for at in range(len(self.candidates)):
                self._ask(at, self.edition.questions)

    def take_until_apart(self) -> Apart:
        """Ask two candidates lap by lap until they are apart, or the paper is through."""
        bet, lap, questions = Bet(self.edition.lap), self.edition.lap, self.edition.questions
        with self._seated():
            for begin in range(0, len(questions) - lap + 1, lap):
                part = questions[begin : begin + lap]
                for at in range(len(self.candidates)):
                    self._ask(at, part)
                if any(bet.hear(difference) for difference in self._differences(part)):
                    break
        return bet.stands

    def _differences(self, part: Sequence[Question]) -> list[float]:
        first, second = (
            [marked(question, _given(answers, question)).lost for question in part] for answers in self.answers
        )
        return [one - two for one, two in zip(first, second, strict=True)]

    # Asking

    def _tasks(self, candidate: Candidate, questions: Sequence[Question]) -> list[Task]:
        asks = 1 if candidate.says_plans() else self.repeats
        return [Task(each, ask) for each in questions for ask in range(asks if each.secret else 1)]

    def _ask(self, at: int, questions: Sequence[Question]) -> None:
        candidate, known = self.candidates[at], {(each.question, each.ask) for each in self.answers[at]}
        tasks = [task for task in self._tasks(candidate, questions) if (task.question.number, task.ask) not in known]
        if candidate.says_plans():  # nobody waits for it, so it is kept in one piece
            self._note(at, [self._answer(at, task) for task in tasks])
            return
        with closing(self._answered(at, tasks)) as answers:
            for answer in answers:
                self._note(at, [answer])

    def _answered(self, at: int, tasks: Sequence[Task]) -> Generator[Answer, None, None]:
        """The answers as they come; never more of them are under way than may be.

        When one cannot be had, a server being down or a limit used up, nothing more is asked, but what is under way
        comes to its end and is kept: it was paid for. Whoever interrupts does not wait for that.
        """
        many = 1 if self.candidates[at].player is not None else self.concurrency
        if many == 1:
            yield from (self._answer(at, task) for task in tasks)
            return
        with ThreadPoolExecutor(many) as pool:
            left, running, stopped = iter(tasks), set[Future[Answer]](), list[BaseException]()
            try:
                while True:
                    while not stopped and len(running) < many and (task := next(left, None)) is not None:
                        running.add(pool.submit(self._answer, at, task))
                    if not running:
                        break
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    good = [each.result() for each in done if each.exception() is None]
                    yield from sorted(good, key=lambda each: (each.question, each.ask))
                    stopped += [error for each in done if (error := each.exception()) is not None]
            except BaseException:
                self._let_go()
                raise
        if stopped:
            raise stopped[0]

    def _answer(self, at: int, task: Task) -> Answer:
        """Asked of one of the candidate's seats that is free, or of a new one."""
        try:
            seat = self._free[at].get_nowait()
        except Empty:
            seat = Seated(self.candidates[at], self.edition.seed)
            self._made.append(seat)
        try:
            return seat.answer(task.question, task.ask)
        finally:
            self._free[at].put(seat)

    def _note(self, at: int, answers: Sequence[Answer]) -> None:
        if answers:
            self._keep(self.edition, self.candidates[at], answers)
            self.answers[at] += answers
            self._done += len(answers)
            self._hear(self._done, self._all)

    def _seated(self) -> ExitStack:
        """Whoever was seated is let go in the end, however it comes."""
        stack = ExitStack()
        stack.callback(self._let_go)
        return stack

    def _let_go(self) -> None:
        for seat in list(self._made):
            seat.close()


def _given(answers: Sequence[Answer], question: Question) -> list[Answer]:
    return [each for each in answers if each.question == question.number]
