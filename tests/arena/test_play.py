"""One game: refereed, weighed, written down; and a program that fails loses it, and nothing else happens."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from math import fsum
from pathlib import Path

import pytest
from bench.rehearsal import play_task

from arena_helper import Failing, Program, fake_players, plan
from duelbook.arena.judge import weighing
from duelbook.arena.play import seats
from duelbook.arena.play.pairs import MOST_OUTPUT, play_some
from duelbook.arena.play.results import Entrant, Fault, Result, Settings
from duelbook.arena.play.schedule import Plan, Schedule, duel
from duelbook.arena.play.telling import fault_in, given_up
from duelbook.coach.review import review
from duelbook.core import DuelError
from duelbook.games import ROOMS
from duelbook.record import reads
from duelbook.solving import library
from slow_helper import slow_if

SETTINGS = Settings("A test", "0123456789abcdef", "2026.01.31")


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(seats, "seat_player", fake_players)
    Program.alive.clear()
    Program.started = Failing.started = 0
    yield
    seats.close_all()


def games(*kinds: str, game: str = "tower", rounds: int = 1, stay: bool = True) -> list[Result]:
    """Games between players of these kinds. Programs stay from game to game, or they begin each one anew."""
    entrants = tuple(Entrant(f"{kind} {number}", kind) for number, kind in enumerate(kinds))
    results = []
    for task in Schedule(Plan(entrants, (duel(game),), rounds=rounds, seed=0)):
        results.append(play_task(task, entrants, SETTINGS))
        if not stay:
            seats.close_all()
    return results


@pytest.mark.parametrize("game", ROOMS)
def test_a_game_is_refereed_weighed_and_written_down(game: str) -> None:
    for result in games("random", "level:4", game=game):
        (record,) = reads(result.record)
        assert record.match.outcome is not None
        assert record.match.outcome.winner == result.winner
        assert record.match.outcome.reason == result.reason
        assert record.match.turns == result.turns
        assert [stretch.seed for stretch in record.match.luck.past] == [result.task.seed]
        assert record.seats == (("random", "level:4") if result.task.seats == (0, 1) else ("level:4", "random"))
        assert record.date == "2026.01.31"
        assert record.extra == {
            "Event": "A test",
            "Round": "1",
            "Arena": "0123456789abcdef",
            "ArenaTask": str(result.task.number),
        }


@pytest.mark.parametrize("game", [slow_if(game == "conquer", game) for game in ROOMS])
def test_the_weights_are_the_coachs(game: str) -> None:
    for result in games("random", "level:4", game=game, rounds=2):
        told = review(reads(result.record)[0])
        for seat in (0, 1):
            assert list(result.losses[seat]) == [each.lost for each in told.decisions if each.seat == seat]
        assert result.start == told.accounting.start
        assert result.luck == pytest.approx(told.accounting.luck, abs=1e-12)
        assert result.guess == pytest.approx(told.accounting.guess, abs=1e-12)
        skill = 2 * (fsum(result.losses[1]) - fsum(result.losses[0]))
        ended = told.accounting.ended
        assert result.start + result.luck + result.guess + skill + ended == pytest.approx(told.accounting.result)


def test_perfect_loses_nothing() -> None:
    for game in ROOMS:
        for result in games("random", "perfect", game=game):
            assert set(result.losses[result.seat_of(1)]) <= {0.0}


def test_a_duel_that_cannot_be_solved_is_played_without_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise DuelError("It cannot be solved.")

    monkeypatch.setattr(library, "solution_for", refuse)
    weighing.scale_of.cache_clear()
    try:
        (result, _) = games("random", "random")
    finally:
        weighing.scale_of.cache_clear()
    assert result.winner in (0, 1)
    assert (result.losses, result.start, result.luck, result.guess) == (((), ()), 0.0, 0.0, 0.0)


def test_the_same_task_gives_the_same_game() -> None:
    assert games("random", "level:2", game="deck", rounds=3) == games("random", "level:2", game="deck", rounds=3)


def test_results_go_between_processes_as_they_are() -> None:
    for result in games("failing:time", "random"):
        assert pickle.loads(pickle.dumps(result)) == result


# Faults


@pytest.mark.parametrize(
    ("how", "kind", "sentence"),
    [
        ("crash", "crash", "bot failed [2J."),
        ("time", "time", "bot failed [2J."),
        ("protocol", "protocol", "bot failed [2J."),
        ("illegal", "illegal", "bot failed [2J."),
        ("wrong", "illegal", "There is no such move. You can play: build 1, build 2, build 4 or attack."),
        ("absent", "crash", "bot did not start."),
    ],
)
def test_a_program_that_fails_loses_by_a_named_fault(how: str, kind: str, sentence: str) -> None:
    for result in games(f"failing:{how}", "random"):
        mine = result.seat_of(0)
        assert result.winner == 1 - mine
        assert result.fault is not None
        assert result.fault[:2] == (mine, kind)
        if how != "wrong":
            assert result.fault.sentence == sentence
        assert result.reason == f"failing:{how} 0 lost by a fault ({kind}): {result.fault.sentence}"
        assert len(result.losses[mine]) == (0 if how == "absent" else 2)


@pytest.mark.parametrize("how", ["time", "wrong", "absent"])
def test_a_fault_is_in_the_record_with_what_the_program_said_last(how: str) -> None:
    for result in games(f"failing:{how}", "random"):
        (record,) = reads(result.record)
        assert fault_in(record) == result.fault
        assert record.match.outcome is not None
        assert record.match.outcome.reason == result.reason


def test_only_the_last_of_a_long_complaint_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    from duelbook.engine.fault import EngineFault

    def choose(self: Failing, view: object) -> int:
        raise EngineFault("crash", "", "x" * 10_000 + "y")

    monkeypatch.setattr(Failing, "choose", choose)
    result = games("failing:crash", "random")[0]
    assert result.fault == Fault(0, "crash", "It failed.", "x" * (MOST_OUTPUT - 1) + "y")
    assert fault_in(reads(result.record)[0]) == result.fault


def test_where_both_pick_at_once_the_fault_is_that_of_the_one_who_failed() -> None:
    for result in games("failing:time", "random", game="secret"):
        assert result.fault is not None
        assert result.fault.seat == result.seat_of(0)
        assert result.turns == 2


def test_the_opponent_of_a_failing_program_plays_on_undisturbed() -> None:
    """What it chooses is what it chooses against anybody else, up to the fault."""
    failing = games("failing:time", "random", game="conquer", stay=False)
    whole = games("program", "random", game="conquer", stay=False)
    for cut, full in zip(failing, whole, strict=True):
        moves = cut.record.split("\n\n")[1].split()[:-1]
        assert full.record.split("\n\n")[1].split()[: len(moves)] == moves


def test_a_mistake_of_ours_is_not_taken_for_a_programs_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def choose(self: Program, view: object) -> int:
        raise RuntimeError("ours")

    monkeypatch.setattr(Program, "choose", choose)
    with pytest.raises(RuntimeError, match="ours"):
        games("program", "program")
    assert Program.alive == []


# Programs that stay


def test_a_program_stays_for_the_next_game() -> None:
    games("program", "random", "perfect", rounds=3)
    assert Program.started == 1
    assert [program.games for program in Program.alive] == [12]


def test_no_program_meets_the_same_cards_twice() -> None:
    """The two games of a pair share their luck; whoever remembers the first must not play the second."""
    games("program", "random", game="deck", rounds=3)
    assert [program.games for program in Program.alive] == [3, 3]
    seats.close_all()
    games("program", "random", game="tower", rounds=3)
    assert [program.games for program in Program.alive] == [6]


def test_a_program_that_is_entered_twice_is_started_twice() -> None:
    games("program", "program", rounds=3)
    assert Program.started == 2


def test_a_program_that_failed_is_ended_and_started_anew_and_its_opponent_stays() -> None:
    games("failing:time", "program", rounds=2)
    assert Failing.started == 4
    assert [type(program) for program in Program.alive] == [Program]
    assert Program.alive[0].games == 4


def test_programs_end_with_the_worker() -> None:
    games("program", "random")
    assert len(Program.alive) == 1
    seats.close_all()
    assert Program.alive == []


def test_a_person_is_refused() -> None:
    with pytest.raises(DuelError, match="is a person"):
        games("human", "random")


# Portions


def test_a_worker_hands_back_what_it_has_when_its_time_is_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = plan(rounds=4)
    tasks = Schedule(Plan(asked.entrants, asked.duels, rounds=4, seed=0))
    pairs = [(tasks[0], tasks[1]), (tasks[2], tasks[3])]
    monkeypatch.setattr("duelbook.arena.play.pairs.SLICE", 3600.0)
    all_of_them = play_some(pairs, asked.entrants, "run", tmp_path, {})
    assert [played.number for played in all_of_them] == [0, 1, 2, 3]
    monkeypatch.setattr("duelbook.arena.play.pairs.SLICE", 0.0)
    again = play_some(pairs, asked.entrants, "run", tmp_path, {})
    assert [played.plays for played in again] == [played.plays for played in all_of_them[:2]]


def test_a_game_that_was_given_up_has_no_result_and_is_nobodys_fault() -> None:
    asked = plan()
    task = Schedule(Plan(asked.entrants, asked.duels, seed=0))[0]
    result = given_up(task, asked.entrants, SETTINGS)
    (record,) = reads(result.record)
    assert (result.winner, result.fault, result.turns) == (None, None, 0)
    assert "died" in result.reason
    assert record.extra["Fault"] == "worker"
    assert fault_in(record) is None
