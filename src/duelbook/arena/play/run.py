"""Pairs of games given out to workers, and what came of them, in whatever order they end.

A few pairs at a time are given to each worker and never more than it
can soon begin with, and whole pairs come back: nobody hears of a game before the other one with the same luck is over.

When a worker dies, every pair that it had begun goes on where it stood, for its trace says how far it was. It goes on
alone, with nothing beside it and each program running only while it is asked; so when the worker dies again, it is
known who ran. Twice with the same program asked is that program's fault. A game whose worker died three times with
nobody asked is given up as a game without a result.
"""

from __future__ import annotations

import secrets
import time
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import accumulate, groupby, takewhile
from pathlib import Path
from types import MappingProxyType

from duelbook.arena.play import traces
from duelbook.arena.play.ledger import DEATHS, read
from duelbook.arena.play.objects import check_that_they_can_be_sent
from duelbook.arena.play.pairs import Games, play_some
from duelbook.arena.play.results import Entrant, Played, Result, Settings, Task, unplayed
from duelbook.arena.play.telling import given_up, tell
from duelbook.arena.play.workers import Crew, Here, LocalWorkers, WorkerDied, Workers
from duelbook.core import DuelError

MOST_AT_ONCE = 100
"""The most pairs given to a worker together."""
AHEAD = 2
"""So many portions for every worker: one that it plays and one that waits, so that it need not."""
PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0)
"""Seconds between looks for workers that are alive."""
DIED = {"KilledWorker", "RayActorError", "ActorDiedError", "ActorUnavailableError", "WorkerCrashedError"}
"""What clusters say when a worker died. They need not be installed for us to know their words."""


class Work:
    """Games that are to be played, and where each of them is meanwhile. The two games of a pair follow each other."""

    def __init__(
        self,
        tasks: Iterable[Task],
        count: int,
        entrants: tuple[Entrant, ...],
        settings: Settings,
        crew: Crew,
        folder: Path,
        begun: Mapping[int, str] = MappingProxyType({}),
        most: int = MOST_AT_ONCE,
    ) -> None:
        """`count` is the number of the tasks, `folder` keeps the traces of pairs that are not over, and `begun` are
        traces of such pairs from before."""
        self.most, self.folder, self.known = most, folder, dict(begun)
        self.entrants, self.settings, self.crew = entrants, settings, crew
        self.run = secrets.token_hex(8)
        """Tells the programs of this tournament from those of others."""
        self.to_come = (tuple(games) for _, games in groupby(tasks, key=lambda task: task.pair))
        self.uncounted = -(-count // 2)
        self.back: deque[Games] = deque()
        """Pairs that were given out and not begun with."""
        self.suspects: deque[Games] = deque()
        """Pairs whose worker died: they are played alone."""
        self.gone: set[int] = set()
        """Games that were given up."""
        self.untraced: Counter[int] = Counter()
        """How often a worker died and left no trace, for each of the pairs that it had."""
        self.given: dict[Future[list[Played]], list[Games]] = {}
        if crew.open is not Here:
            check_that_they_can_be_sent(entrants)
        self.workers: Workers = crew.open()
        self.apart: Workers | None = None
        """Plays the suspects, where otherwise it would be this process."""
        self.bereaved = False

    def results(self) -> Generator[list[Result], None, None]:
        """Play every game once and yield what came of them, portion by portion. Closing the generator stops the
        workers."""
        hurry = True
        try:
            while self.uncounted or self.back or self.suspects or self.given:
                self.give_out()
                for results in self.take_in():
                    yield results
                    self.forget(results)
            hurry = False
        finally:
            self.workers.stop(self.run, hurry=hurry)
            self._end_apart()
            traces.stopped_in_peace(self.folder)
            traces.tidy(self.folder)

    # Giving out

    def give_out(self) -> None:
        """Hand out pairs until every worker has one portion and another that waits."""
        if not self.suspects and not self.given:
            self._end_apart()
        while not self.suspects and (self.uncounted or self.back):
            if len(self.given) >= AHEAD * self.crew.size:
                return
            share = -(-(self.uncounted + len(self.back)) // (2 * AHEAD * self.crew.size))
            portion = self._portion(min(share, self.most))
            if portion:
                self._give(portion, self.workers)
        if self.suspects and not self.given:
            self.workers.rest(self.run)  # so that no program but that of a suspect runs
            self._give([self.suspects.popleft()], self._workers_for_suspects(), alone=True)

    def _portion(self, count: int) -> list[Games]:
        """The next pairs; one over which somebody has died before is set aside."""
        portion: list[Games] = []
        while len(portion) < count and (self.back or self.uncounted):
            if self.back:
                games = self.back.popleft()
            else:
                games = next(self.to_come)
                self.uncounted -= 1
            if any(each.deaths or any(each.asked) for each in read(self.known.get(games[0].pair, ""))):
                self.suspects.append(games)
            else:
                portion.append(games)
        return portion

    def _give(self, portion: list[Games], workers: Workers, alone: bool = False) -> None:
        numbers = [games[0].pair for games in portion]
        known = {pair: self.known[pair] for pair in numbers if pair in self.known}
        if self.crew.here:
            future = workers.submit(play_some, portion, self.entrants, self.run, self.folder, known, alone)
        else:
            from duelbook.arena.play.clusters import play_apart

            future = workers.submit(play_apart, portion, self.entrants, self.run, known, alone)
        self.given[future] = portion

    def _workers_for_suspects(self) -> Workers:
        if not isinstance(self.workers, Here) or any(entrant.player is not None for entrant in self.entrants):
            return self.workers
        if self.apart is None:
            self.apart = LocalWorkers(1)  # a referee that may die, which this process may not
        return self.apart

    def _end_apart(self) -> None:
        if self.apart is not None:
            self.apart.stop()
            self.apart = None

    # Taking in

    def take_in(self) -> Iterator[list[Result]]:
        """What came back first."""
        done, _ = wait(self.given, return_when=FIRST_COMPLETED)
        for future in [each for each in self.given if each in done]:
            yield from self._settle(future, self.given.pop(future))
        if self.bereaved:
            self._look_for_life()

    def _look_for_life(self) -> None:
        """Where workers cannot even count to zero, no game is to blame, and none must be given up for it."""
        self.bereaved = False
        for pause in PAUSES:  # a worker that died is being started anew
            if self.workers.submit(int).exception() is None:
                return
            time.sleep(pause)
        raise DuelError("The workers die as soon as they are started, so no more games can be played.")

    def _settle(self, future: Future[list[Played]], portion: list[Games]) -> Iterator[list[Result]]:
        if future.cancelled():
            raise DuelError("The cluster gave up the games that it was given; is its scheduler still there?")
        error = future.exception()
        if error is None:
            yield self._told(future.result(), portion)
        elif _worker_died(error):
            self.bereaved = True
            left = error.traces if isinstance(error, WorkerDied) else None
            if left is None:
                left = traces.found(self.folder, [games[0].pair for games in portion]) if self.crew.here else {}
            yield from self._mourn(portion, left)
        elif isinstance(error, ImportError | AttributeError) and any(each.player is not None for each in self.entrants):
            raise DuelError(
                f'A worker cannot make use of a Python object that plays: {error}. crew("one-process") plays it here.'
            )
        else:
            raise error

    def _told(self, played: Sequence[Played], portion: list[Games]) -> list[Result]:
        """The results of a portion, of which there may be fewer pairs than were given out; the others come again."""
        whole = list(takewhile(lambda until: until <= len(played), accumulate(map(len, portion))))
        if not whole or whole[-1] != len(played):
            raise DuelError("A worker handed back other games than it was given.")
        self.back.extendleft(reversed(portion[len(whole) :]))
        tasks = [task for games in portion[: len(whole)] for task in games]
        return [self._tell(task, each) for task, each in zip(tasks, played, strict=True)]

    def _tell(self, task: Task, played: Played) -> Result:
        if task.number in self.gone:
            return given_up(task, self.entrants, self.settings)
        try:
            return tell(task, played, self.entrants, self.settings)
        except DuelError as error:
            raise DuelError(f"A worker handed back what cannot be. {error}") from None

    def _mourn(self, portion: list[Games], left: Mapping[int, str]) -> Iterator[list[Result]]:
        """What is to be done about the pairs whose worker died."""
        begun = [games for games in portion if left.get(games[0].pair) != self.known.get(games[0].pair)]
        for games in portion:
            pair = games[0].pair
            if games in begun:
                self.known[pair] = left[pair]
                yield from self._go_on(games)
            elif begun:
                self.back.append(games)
            else:
                self.untraced[pair] += 1  # it died over something else, or before it had begun
                if self.untraced[pair] < DEATHS:
                    self.suspects.append(games)
                else:
                    yield [given_up(task, self.entrants, self.settings) for task in games]

    def _go_on(self, games: Games) -> Iterator[list[Result]]:
        """Have a pair go on where it stood. A game over which too many died ends here."""
        pair = games[0].pair
        last = read(self.known[pair])[-1:]
        if last and not last[0].over:
            self.known[pair] += last[0].verdict()
        begun = {game.number: game for game in read(self.known[pair])}
        self.gone |= {game.number for game in begun.values() if game.gone}
        if all(task.number in begun and begun[task.number].over for task in games):
            yield [self._tell(task, begun[task.number].played()) for task in games]
        else:
            self.suspects.append(games)

    # The end

    def forget(self, results: Iterable[Result]) -> None:
        """These are told, and on the disk. What was given up is tried once more by who goes on with the tournament."""
        gone = {result.task.pair for result in results if unplayed(result)}
        over = {result.task.pair for result in results} - gone
        for pair in over:
            self.known.pop(pair, None)
        traces.forget(self.folder, over)


def _worker_died(error: BaseException) -> bool:
    return isinstance(error, WorkerDied) or type(error).__name__ in DIED
