"""A tournament from its plan to its last game: what is computed, what is played, and when it is enough."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from duelbook.arena.judge.tally import CrossTable, cross_table
from duelbook.arena.play.exact import Exact, exact_results
from duelbook.arena.play.ledger import read
from duelbook.arena.play.results import Entrant, Result, Task, pairs_of, unplayed
from duelbook.arena.play.run import MOST_AT_ONCE, Work
from duelbook.arena.play.schedule import Plan, Schedule
from duelbook.arena.play.store import Store
from duelbook.arena.play.telling import match_as_far_as
from duelbook.arena.play.workers import Crew
from duelbook.core import LUCK

Pair = tuple[Result, Result]
Judge = Callable[[Pair], bool]
"""Hears of pair after pair, in the order of the schedule, and says when enough is known."""


MOST_WITH_A_JUDGE = 5


class Programme(NamedTuple):
    """What a plan comes to: games to play, chances that are known, and sentences about what could not be computed."""

    plan: Plan
    tasks: Schedule
    known: list[Exact]
    refused: list[str]


class Finished(NamedTuple):
    """All that is known in the end. Whoever played the games, and in whatever order they ended, it is the same."""

    programme: Programme
    results: list[Result]
    """By number. Where a judge stopped the games, only those that it heard of."""
    extra: int = 0
    """Games that had ended by then, and are in the file, but not in the results."""
    redrawn: bool = False
    """Whether the tournament was interrupted and drew its luck anew when it went on."""

    @property
    def seed(self) -> int | None:
        """The seed that gives the same luck again. There is none where each part of the tournament drew its own."""
        given = self.programme.plan.seed
        return given if given is not None or self.redrawn else self.programme.tasks.seed

    def table(self) -> CrossTable:
        plan = self.programme.plan
        return cross_table(plan.entrants, self.results, self.programme.known, plan.rounds)


def programme(plan: Plan) -> Programme:
    tasks = Schedule(plan)
    known, refused = ([], []) if plan.play else exact_results(plan)
    return Programme(plan, tasks.without({(each.duel, each.seats) for each in known}), known, refused)


def hold(
    programme: Programme,
    crew: Crew,
    *,
    store: Store | None = None,
    played: Iterable[Result] = (),
    judge: Judge | None = None,
    hear: Callable[[list[Result]], None] = lambda results: None,
) -> Finished:
    """Play every game that is not played yet. `hear` is told of the games as they end, once they are on the disk, and
    always of both games of a pair together."""
    plan = programme.plan
    # A game whose partner is missing is played again with it.
    whole = [pair for pair in pairs_of(played) if len(pair) == 2]
    results = {result.task.number: result for pair in whole for result in pair}
    again = bool(results)
    pairs = Pairs(programme.tasks.pairs())
    last = _listen(pairs.add(results.values()), judge)
    missing = len(programme.tasks) - len(results)
    if missing and last is None:
        begun = store.begun() if store is not None else {}
        again = again or bool(begun)
        with TemporaryDirectory(prefix="duelbook-") as scratch:
            work = Work(
                _to_play(programme, results, begun),
                missing,
                _blind(plan.entrants, store),
                plan.settings(),
                crew,
                store.folder if store is not None else Path(scratch) / "begun",
                begun,
                # What a judge does not want to hear of any more is played for nothing, so it gets small portions.
                MOST_AT_ONCE if judge is None else MOST_WITH_A_JUDGE,
            )
            with closing(work.results()) as portions:
                for portion in portions:
                    if store is not None:
                        store.append(_kept(portion))
                    results.update((result.task.number, result) for result in portion)
                    hear(portion)
                    last = _listen(pairs.add(portion), judge)
                    if last is not None:
                        break
    counted = [results[number] for number in sorted(results) if last is None or results[number].task.pair <= last]
    return Finished(programme, counted, len(results) - len(counted), again and programme.tasks.drawn)


def _blind(entrants: tuple[Entrant, ...], store: Store | None) -> tuple[Entrant, ...]:
    """The same players, who are not to read how the games stand: the second of a pair has the cards of the first."""
    if store is None:
        return entrants
    with suppress(OSError):  # what comes to be only after a program has begun could not be hidden from it
        store.folder.mkdir(mode=0o700, exist_ok=True)
    kept = (str(store.path.absolute()), str(store.folder))
    return tuple(each._replace(limits=each.limits.hiding(*kept)) for each in entrants)


def _to_play(programme: Programme, results: Collection[int], begun: Mapping[int, str]) -> Iterator[Task]:
    """What is missing. A pair that was begun under luck that is gone keeps its opening and the cards it has shown."""
    for at in range(len(programme.tasks)):
        if programme.tasks.number_at(at) in results:
            continue
        task = programme.tasks[at]
        if programme.plan.seed is None and task.pair in begun:
            games = {game.number: game for game in read(begun[task.pair])}
            task = task._replace(opening=next((game.opening for game in games.values()), task.opening))
            if task.number in games:
                match = match_as_far_as(task, programme.plan.entrants, games[task.number].plays, believed=True)
                task = task._replace(stacked=tuple(step.play for step in match.steps if step.turn == LUCK))
        yield task


def _kept(portion: Iterable[Result]) -> list[Result]:
    """What is written down: not a pair of which a game was given up, for its luck is still needed."""
    gone = {result.task.pair for result in portion if unplayed(result)}
    return [result for result in portion if result.task.pair not in gone]


def _listen(pairs: Iterator[Pair], judge: Judge | None) -> int | None:
    """The pair after which the judge has heard enough."""
    for pair in pairs:
        if judge is not None and judge(pair):
            return pair[0].task.pair
    return None


class Pairs:
    """Games as they end, turned into whole pairs in the order of the schedule.

    A test that stops early must hear of pairs in an order that was fixed before: in the order in which they end, short
    games would come first, and the verdict would depend on the machine.
    """

    def __init__(self, order: Iterable[int]) -> None:
        self._order = iter(order)
        self._next = next(self._order, None)
        self._ended: dict[int, list[Result]] = {}

    def add(self, results: Iterable[Result]) -> Iterator[Pair]:
        for result in results:
            self._ended.setdefault(result.task.pair, []).append(result)
        while self._next is not None and len(self._ended.get(self._next, ())) == 2:
            one, two = sorted(self._ended.pop(self._next), key=lambda result: result.task.number)
            self._next = next(self._order, None)
            yield one, two
