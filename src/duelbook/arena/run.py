"""Games given out to workers, and what came of them, in whatever order they end.

Written against `concurrent.futures.Executor`. A few games at a time are given to each worker and never more than it
can soon begin with. When a worker dies, the games it had are given out again, one at a time and with nothing beside
them, so that a game that kills its worker is found out; after its third death it is given up as a game without a
result. No player is blamed for it: programs run in processes of their own and cannot end a worker, so what killed it
was the machine or Duelbook.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import suppress

from duelbook.arena.play import Settings, given_up, play_some
from duelbook.arena.results import Entrant, Result, Task
from duelbook.arena.workers import Crew, WorkerDied
from duelbook.core import DuelError

MOST_AT_ONCE = 200
"""The most games given to a worker together."""
AHEAD = 2
"""So many portions for every worker: one that it plays and one that waits, so that it need not."""
DEATHS = 3
"""After so many deaths of its worker a game is given up."""
DIED = {"KilledWorker", "RayActorError", "ActorDiedError", "ActorUnavailableError", "WorkerCrashedError"}
"""What clusters say when a worker died. They need not be installed for us to know their words."""


def results_of(
    tasks: Iterable[Task],
    entrants: tuple[Entrant, ...],
    settings: Settings,
    crew: Crew,
    most: int = MOST_AT_ONCE,
) -> Generator[list[Result], None, None]:
    """Play every game once and yield what came of them, portion by portion. Closing the generator stops the workers."""
    work = _Work(tasks, entrants, settings, crew, most)
    try:
        while work.left():
            work.give_out()
            yield from work.take_in()
    except BaseException:
        work.stop(hurry=True)
        raise
    work.stop(hurry=False)


class _Work:
    def __init__(
        self, tasks: Iterable[Task], entrants: tuple[Entrant, ...], settings: Settings, crew: Crew, most: int
    ) -> None:
        self.most = most
        self.entrants, self.settings, self.crew = entrants, settings, crew
        self.waiting = deque(tasks)
        self.suspects: deque[Task] = deque()
        """Games whose worker died: they are played alone."""
        self.deaths: Counter[int] = Counter()
        self.given: dict[Future[list[Result]], list[Task]] = {}
        self.executor: Executor = crew.open()
        self.broken = False
        self.bereaved = False

    def left(self) -> bool:
        return bool(self.waiting or self.suspects or self.given)

    def give_out(self) -> None:
        """Hand out games until every worker has one portion and another that waits."""
        if self.suspects:
            if not self.given:
                self._give(self.suspects, 1)
            return
        while self.waiting and len(self.given) < AHEAD * self.crew.size and not self.broken:
            share = -(-len(self.waiting) // (2 * AHEAD * self.crew.size))
            self._give(self.waiting, min(share, self.most))

    def _give(self, games: deque[Task], count: int) -> None:
        portion = [games.popleft() for _ in range(count)]
        try:
            self.given[self.executor.submit(play_some, portion, self.entrants, self.settings)] = portion
        except BrokenExecutor:
            self.broken = self.bereaved = True
            games.extendleft(reversed(portion))  # nobody had begun with them

    def take_in(self) -> Iterator[list[Result]]:
        """What came back first; when the workers broke down together, all that comes back, and then new workers."""
        done, _ = wait(self.given, return_when=FIRST_COMPLETED)
        for future in done:
            yield from self._settle(future, self.given.pop(future))
        if self.broken:
            for future in wait(self.given).done:
                yield from self._settle(future, self.given.pop(future))
            with suppress(Exception):
                self.executor.shutdown(wait=True, cancel_futures=True)
            self.executor, self.broken = self.crew.open(), False
        if self.bereaved:
            self._look_for_life()

    def _look_for_life(self) -> None:
        """Where workers cannot even count to zero, no game is to blame, and none must be given up for it."""
        self.bereaved = False
        error = self.executor.submit(int).exception()
        if error is not None:
            raise DuelError("The workers die as soon as they are started, so no more games can be played.")

    def _settle(self, future: Future[list[Result]], portion: list[Task]) -> Iterator[list[Result]]:
        if future.cancelled():
            raise DuelError("The cluster gave up the games that it was given; is its scheduler still there?")
        error = future.exception()
        if error is None:
            results = future.result()
            self.waiting.extendleft(reversed(portion[len(results) :]))
            yield results
            return
        if not _worker_died(error):
            raise error
        self.bereaved = True
        self.broken = self.broken or isinstance(error, BrokenExecutor)
        self.deaths.update(task.number for task in portion)
        hopeless = [task for task in portion if self.deaths[task.number] >= DEATHS]
        self.suspects.extend(task for task in portion if task not in hopeless)
        if hopeless:
            yield [given_up(task, self.entrants, self.settings) for task in hopeless]

    def stop(self, *, hurry: bool) -> None:
        self.executor.shutdown(wait=True, cancel_futures=hurry)


def _worker_died(error: BaseException) -> bool:
    return isinstance(error, BrokenExecutor | WorkerDied) or type(error).__name__ in DIED


__all__ = ["results_of"]
