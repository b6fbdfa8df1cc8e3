"""A tournament from its plan to its last game: what is computed, what is played, and when it is enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from duelbook.arena.exact import Exact, exact_results, to_play
from duelbook.arena.openings import USUAL_START, Openings
from duelbook.arena.play import Settings
from duelbook.arena.results import Entrant, Result, Task
from duelbook.arena.run import MOST_AT_ONCE, results_of
from duelbook.arena.schedule import ROUND_ROBIN, Duel, fingerprint, schedule
from duelbook.arena.store import Store
from duelbook.arena.table import Table, cross_table
from duelbook.arena.workers import Crew
from duelbook.match import BELL

Pair = tuple[Result, Result]
Judge = Callable[[Pair], bool]
"""Hears of pair after pair, in the order of the schedule, and says when enough is known."""


MOST_WITH_A_JUDGE = 10


class Plan(NamedTuple):
    """What was asked for."""

    entrants: tuple[Entrant, ...]
    duels: tuple[Duel, ...]
    tournament: str = ROUND_ROBIN
    rounds: int = 1
    seed: int = 0
    max_turns: int = BELL
    play: bool = False
    """Play what could be computed, too."""
    event: str = "Duelbook arena"
    date: str = "????.??.??"
    openings: Openings = USUAL_START

    def fingerprint(self) -> str:
        begun = [self.openings] if self.openings.kind else []
        return fingerprint(self.entrants, self.duels, self.tournament, self.seed, self.max_turns, self.play, *begun)

    def settings(self) -> Settings:
        return Settings(self.event, self.fingerprint(), self.date)


class Programme(NamedTuple):
    """What a plan comes to: games to play, chances that are known, and sentences about what could not be computed."""

    plan: Plan
    tasks: list[Task]
    known: list[Exact]
    refused: list[str]


class Finished(NamedTuple):
    """All that is known in the end. Whoever played the games, and in whatever order they ended, it is the same."""

    programme: Programme
    results: list[Result]
    """By number. Where a judge stopped the games, only those that it heard of."""
    extra: int = 0
    """Games that had ended by then, and are in the file, but not in the results."""

    def table(self) -> Table:
        plan = self.programme.plan
        return cross_table(plan.entrants, self.results, self.programme.known, plan.rounds)


def programme(plan: Plan) -> Programme:
    tasks = schedule(
        plan.entrants,
        plan.duels,
        tournament=plan.tournament,
        rounds=plan.rounds,
        seed=plan.seed,
        max_turns=plan.max_turns,
        openings=plan.openings,
    )
    if plan.play:
        return Programme(plan, tasks, [], [])
    known, refused = exact_results(
        plan.entrants, plan.duels, plan.tournament, plan.max_turns, usual_start=not plan.openings.kind
    )
    return Programme(plan, to_play(tasks, known), known, refused)


def hold(
    programme: Programme,
    crew: Crew,
    *,
    store: Store | None = None,
    played: Iterable[Result] = (),
    judge: Judge | None = None,
    hear: Callable[[list[Result]], None] = lambda results: None,
) -> Finished:
    """Play every game that is not played yet. `hear` is told of the games as they end, once they are on the disk."""
    plan = programme.plan
    results = {result.task.number: result for result in played}
    pairs = Pairs(programme.tasks)
    last = _listen(pairs.add(results.values()), judge)
    missing = [task for task in programme.tasks if task.number not in results]
    if missing and last is None:
        # What a judge does not want to hear of any more is played for nothing, so it gets small portions.
        most = MOST_AT_ONCE if judge is None else MOST_WITH_A_JUDGE
        portions = results_of(missing, plan.entrants, plan.settings(), crew, most)
        try:
            for portion in portions:
                if store is not None:
                    store.append(portion)
                results.update((result.task.number, result) for result in portion)
                hear(portion)
                last = _listen(pairs.add(portion), judge)
                if last is not None:
                    break
        finally:
            portions.close()
    counted = [results[number] for number in sorted(results) if last is None or results[number].task.pair <= last]
    return Finished(programme, counted, len(results) - len(counted))


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

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._order = iter(list(dict.fromkeys(task.pair for task in tasks)))
        self._next = next(self._order, None)
        self._ended: dict[int, list[Result]] = {}

    def add(self, results: Iterable[Result]) -> Iterator[Pair]:
        for result in results:
            self._ended.setdefault(result.task.pair, []).append(result)
        while self._next is not None and len(self._ended.get(self._next, ())) == 2:
            one, two = sorted(self._ended.pop(self._next), key=lambda result: result.task.number)
            self._next = next(self._order, None)
            yield one, two


__all__ = ["Finished", "Pairs", "Plan", "Programme", "hold", "programme"]
