"""Workers: however many there are, whoever dies, every game is played once and the table is the same."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arena_helper import (
    Elsewhere,
    MortalWorkers,
    StillbornWorkers,
    die_answering,
    fake_players,
    idle_no_longer,
    plan,
    wait_for_ever,
)
from duelbook.arena.play.crews import crew
from duelbook.arena.play.pairs import Games
from duelbook.arena.play.results import Entrant, Fault, Played, Result, Task
from duelbook.arena.play.run import Work
from duelbook.arena.play.schedule import enter
from duelbook.arena.play.store import Store
from duelbook.arena.play.telling import GAVE_UP
from duelbook.arena.play.tournament import hold, programme
from duelbook.arena.play.workers import Crew, Here, LocalWorkers, WorkerDied, _no_ctrl_c
from duelbook.core import DuelError
from helpers import HANGING
from slow_helper import slow

ASKED = plan("random level:3 perfect", "tower energy deck conquer", rounds=4)
WORK = programme(ASKED)


@pytest.fixture(scope="module")
def alone() -> list[Result]:
    """The whole tournament in this process."""
    return hold(WORK, crew("one-process")).results


def portions_of(tasks: list[Task], workers: Crew, folder: Path) -> Generator[list[Result], None, None]:
    return Work(tasks, len(tasks), ASKED.entrants, ASKED.settings(), workers, folder).results()


def test_every_game_is_played_once(alone: list[Result]) -> None:
    assert [result.task for result in alone] == list(WORK.tasks)


@pytest.mark.slow
def test_two_processes_give_the_same(alone: list[Result]) -> None:
    assert hold(WORK, crew("local", 2)).results == alone
    assert multiprocessing.active_children() == []


class Disorderly(Elsewhere):
    """Of every four pieces of work the first is done last, after all that come later."""

    def __init__(self, of: int) -> None:
        self.left = of
        self.waiting: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.waiting.append((future, partial(work, *args)))
        self.left -= 1
        kept = 0 if not self.left else 1 if len(self.waiting) == 4 else 4
        while len(self.waiting) > kept:
            done, work_now = self.waiting.pop()
            done.set_result(work_now())
        return future


def test_the_order_in_which_games_end_changes_nothing(alone: list[Result], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.arena.play.tournament.MOST_AT_ONCE", 1)
    heard: list[list[int]] = []
    finished = hold(
        WORK,
        Crew(partial(Disorderly, len(WORK.tasks) // 2), 2),
        hear=lambda portion: heard.append([result.task.number for result in portion]),
    )
    assert max(map(len, heard)) == 2
    assert heard.index([0, 1]) > 40
    assert finished.results == alone


def test_a_worker_that_hands_back_less_than_it_was_given_gets_the_rest_again(
    alone: list[Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbook.arena.play.pairs.SLICE", 0.0)
    assert hold(WORK, crew("one-process")).results == alone


def test_no_more_is_given_out_than_workers_can_soon_begin_with(tmp_path: Path) -> None:
    most = given = 0

    class Watched(Here):
        def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
            nonlocal given, most
            given += 1
            most = max(most, given)
            return super().submit(work, *args)

    for _ in portions_of(list(WORK.tasks), Crew(Watched, 3), tmp_path):
        given = 0
    assert most == 6


@pytest.mark.slow
@pytest.mark.parametrize("deaths", [slow(1), 2])
def test_a_worker_that_dies_is_survived(alone: list[Result], tmp_path: Path, deaths: int) -> None:
    workers = Crew(partial(MortalWorkers, 2, str(tmp_path), 40, deaths), 2)
    heard: list[int] = []
    finished = hold(WORK, workers, hear=lambda portion: heard.extend(result.task.number for result in portion))
    assert len(list(tmp_path.iterdir())) == deaths
    assert finished.results == alone
    assert sorted(heard) == [task.number for task in WORK.tasks]


@pytest.mark.slow
def test_a_pair_that_kills_its_worker_three_times_is_given_up_and_no_other_is(
    alone: list[Result], tmp_path: Path
) -> None:
    finished = hold(WORK, Crew(partial(MortalWorkers, 2, str(tmp_path), 40, 99), 2))
    first, *later = sorted(mark.name for mark in tmp_path.iterdir())
    assert first != "0-1"
    assert later == ["1-1", "2-1"]  # then it is played alone
    for lost in finished.results[40:42]:
        assert (lost.winner, lost.fault, lost.reason) == (None, None, GAVE_UP)
    assert finished.results[:40] + finished.results[42:] == alone[:40] + alone[42:]


def test_workers_that_cannot_live_are_given_up_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.arena.play.run.PAUSES", (0.0, 0.0))
    with pytest.raises(DuelError, match="The workers die as soon as they are started"):
        hold(WORK, Crew(partial(StillbornWorkers, 1), 1))


def test_a_mistake_of_ours_stops_the_workers_and_is_heard_of(tmp_path: Path) -> None:
    wrong = [task._replace(game="chess") for task in WORK.tasks]
    with pytest.raises(DuelError, match="There is no duel called 'chess'"):
        list(portions_of(wrong, crew("local", 2), tmp_path))
    assert multiprocessing.active_children() == []


def test_who_has_heard_enough_stops_the_workers(tmp_path: Path) -> None:
    portions = portions_of(list(WORK.tasks) * 50, crew("local", 2), tmp_path)
    assert next(portions)
    portions.close()
    assert multiprocessing.active_children() == []


class Cancelling(Here):
    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.cancel()
        future.set_running_or_notify_cancel()
        return future


def test_a_cluster_that_went_away_is_said() -> None:
    with pytest.raises(DuelError, match="is its scheduler still there"):
        hold(WORK, Crew(Cancelling, 1))


def test_a_cluster_that_lost_too_many_workers_over_a_game_gets_it_alone(alone: list[Result]) -> None:
    """As Dask says it: the executor lives, one piece of work does not."""

    class KilledWorker(Exception):
        pass

    class Cluster(Here):
        def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
            pairs: list[Games] = args[0] if args else []
            if len(pairs) == 1 or all(games[0].number != 40 for games in pairs):
                return super().submit(work, *args)
            future: Future[Any] = Future()
            future.set_exception(KilledWorker())
            return future

    assert hold(WORK, Crew(Cluster, 2)).results == alone


# What workers say is not believed


class Lying(Here):
    """Workers that change the first of the games they hand back."""

    def __init__(self, lie: Callable[[Played], Played | None]) -> None:
        self.lie = lie

    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        future = super().submit(work, *args)
        first, *others = (Played(*each[:3]) for each in future.result())  # as it comes out of another process
        lied: Future[Any] = Future()
        told = self.lie(first)
        lied.set_result([*([told] if told else []), *others])
        return lied


CARDS = programme(plan("random level:3", "deck", rounds=2))


@pytest.mark.parametrize(
    ("lie", "sentence"),
    [
        (lambda game: game._replace(plays=game.plays[:-1]), "It is not over."),
        (lambda game: game._replace(plays=(*game.plays, 0)), "The game is over"),
        (lambda game: game._replace(plays=(99, *game.plays[1:])), "Another card was drawn than luck gives."),
        (lambda game: game._replace(plays=(game.plays[0] % 10 + 1, *game.plays[1:])), "Another card was drawn"),
        (lambda game: game._replace(plays=(game.plays[0], 7, *game.plays[2:])), "There is no such move."),
        (lambda game: game._replace(number=1), "It says that it is game 1."),
        (lambda game: game._replace(fault=Fault(1, "time", "late")), "a fault that there cannot be"),
        (lambda game: game._replace(plays=(), fault=Fault(2, "time", "late")), "a fault that there cannot be"),
        (lambda game: game._replace(plays=(), fault=Fault(0, "bribed", "x")), "a fault that there cannot be"),
        (lambda game: None, "other games than it was given"),
    ],
)
def test_a_worker_that_lies_is_an_error(lie: Callable[[Played], Played | None], sentence: str) -> None:
    with pytest.raises(DuelError, match="A worker handed back") as said:
        hold(CARDS, Crew(partial(Lying, lie), 1))
    assert sentence in str(said.value)


def test_a_worker_that_does_not_lie_is_none(alone: list[Result]) -> None:
    assert hold(WORK, Crew(partial(Lying, lambda game: game), 1)).results == alone


def test_a_pair_of_which_one_game_is_given_up_is_played_to_its_end_and_not_written_down(tmp_path: Path) -> None:
    """Its worker dies four times, and never while a program is asked: the game is nobody's fault."""
    asked = plan("random level:3", "tower", rounds=2)._replace(
        entrants=(Entrant("bot", "engine:x"), *enter(["random"]))
    )
    work = programme(asked)

    class Mortal(Elsewhere):
        deaths = 0

        def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
            future: Future[Any] = Future()
            if not args or args[0][0][0].pair != 0:
                return Here().submit(self.play if args else work, *args)
            Mortal.deaths += 1
            if Mortal.deaths > 3:
                future.set_result([Played(0, ()), Played(1, (), Fault(1, "crash", "It failed."))])
                return future
            _, _, _, folder, known, _ = args
            folder.mkdir(exist_ok=True)
            (folder / "0").write_text(known.get(0, "") + ("+\n" if 0 in known else "+\ngame 0\n"))
            future.set_exception(WorkerDied())
            return future

        def play(self, pairs: list[Games], *args: Any) -> list[Played]:
            return [Played(task.number, (), Fault(0, "crash", "It failed.")) for games in pairs for task in games]

    store = Store(tmp_path / "games.duel", asked.settings())
    store.open(work.tasks, asked.entrants, resume=False)
    finished = hold(work, Crew(Mortal, 1), store=store)
    store.close()
    assert [result.reason == GAVE_UP for result in finished.results] == [True, False, False, False]
    assert (tmp_path / "games.duel").read_text().count("[Game ") == 2
    store = Store(tmp_path / "games.duel", asked.settings())
    assert [result.task.number for result in store.open(work.tasks, asked.entrants, resume=True)] == [2, 3]
    assert list(store.begun()) == [0]
    store.close()


class DiesAfterwards(Elsewhere):
    """Plays all that it is given, and dies before it has said so."""

    played: list[int] = []  # noqa: RUF012 - shared on purpose, so that a test can look at it

    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        done = Here().submit(work, *args)
        if not args:
            return done
        self.played += [each.number for each in done.result()]
        future: Future[Any] = Future()
        future.set_exception(WorkerDied())
        return future


def test_games_that_had_ended_when_their_worker_died_count_and_are_not_played_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("duelbook.arena.play.seats.seat_player", fake_players)
    entrants = (Entrant("bot", "program"), Entrant("failing", "failing:time"), *enter(["random"]))
    work = programme(ASKED._replace(entrants=entrants))
    DiesAfterwards.played.clear()
    finished = hold(work, Crew(DiesAfterwards, 2))
    assert sorted(DiesAfterwards.played) == [task.number for task in work.tasks]
    assert [result.task for result in finished.results] == list(work.tasks)
    assert sum(result.fault is not None for result in finished.results) > 40


# Processes of this machine


def test_what_cannot_be_sent_is_heard_of() -> None:
    workers = LocalWorkers(1)
    try:
        assert isinstance(workers.submit(lambda: 1).exception(), AttributeError | pickle.PicklingError)
        assert isinstance(workers.submit(threading.Lock).exception(), TypeError)
        assert isinstance(workers.submit(int, "x").exception(), ValueError)
        assert workers.submit(int, "7").result() == 7
    finally:
        workers.stop()


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_of_an_answer_is_seen_and_replaced() -> None:
    """A pool with one pipe for all waits for the rest of that answer for ever."""
    workers = LocalWorkers(2)
    try:
        for _ in range(3):
            assert isinstance(workers.submit(die_answering).exception(timeout=HANGING), WorkerDied)
        assert [workers.submit(int, "7").result(timeout=HANGING) for _ in range(4)] == [7] * 4
    finally:
        workers.stop()


def test_a_worker_that_got_no_work_for_long_has_left_and_another_comes() -> None:
    workers = LocalWorkers(1)
    try:
        first = workers.submit(os.getpid).result(timeout=HANGING)
        workers.submit(idle_no_longer).result(timeout=HANGING)
        (idle,) = workers._idle
        idle.process.join(HANGING)
        assert idle.process.exitcode == 0
        assert workers.submit(os.getpid).result(timeout=HANGING) != first
    finally:
        workers.stop()


def test_what_waits_can_be_cancelled_and_nothing_follows() -> None:
    workers = LocalWorkers(1)
    busy = workers.submit(wait_for_ever)
    waiting = [workers.submit(int) for _ in range(3)]
    workers.stop(hurry=True)
    assert all(future.cancelled() for future in waiting)
    assert busy.cancelled() or isinstance(busy.exception(), WorkerDied)
    with pytest.raises(RuntimeError, match="after shutdown"):
        workers.submit(int)


def test_ctrl_c_while_a_worker_begins_is_not_lost() -> None:
    with pytest.raises(KeyboardInterrupt), _no_ctrl_c():
        signal.raise_signal(signal.SIGINT)


# Where to play


@pytest.mark.parametrize(
    ("on", "concurrency", "size", "kind"),
    [
        ("one-process", None, 1, Here),
        ("one process", 1, 1, Here),
        ("local", 1, 1, Here),
        ("local", 3, 3, LocalWorkers),
    ],
)
def test_who_plays(on: str, concurrency: int | None, size: int, kind: type) -> None:
    workers = crew(on, concurrency)
    executor = workers.open()
    executor.stop()
    assert (workers.size, type(executor)) == (size, kind)


def test_local_takes_every_processor() -> None:
    assert crew().size == len(os.sched_getaffinity(0))


def test_one_process_does_not_play_several_games_at_once() -> None:
    with pytest.raises(DuelError, match=r"One process plays one game at a time, not 8; local plays as many"):
        crew("one-process", 8)


def test_a_place_that_is_none_is_said() -> None:
    with pytest.raises(
        DuelError, match=r"Games can be played on: local, one-process, dask://HOST:PORT, ray; not on 'x'"
    ):
        crew("x")


@pytest.mark.parametrize(("on", "missing", "extra"), [("dask://x:1", "distributed", "dask"), ("ray", "ray", "ray")])
def test_an_extra_that_is_missing_is_named(on: str, missing: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, missing, None)
    with pytest.raises(DuelError, match=rf"pip install 'duelbook\[{extra}\]'"):
        crew(on)
