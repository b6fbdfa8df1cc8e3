"""A whole tournament: what is computed, what is played, when a judge stops it, and the table in the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_helper import Program, plan
from duelbook.arena.judge.tally import Tally, cross_table
from duelbook.arena.play import seats
from duelbook.arena.play.crews import crew
from duelbook.arena.play.ledger import read
from duelbook.arena.play.openings import USUAL_START, Openings
from duelbook.arena.play.results import Entrant, Fault, Result
from duelbook.arena.play.schedule import Plan, Schedule, duel, enter
from duelbook.arena.play.store import Store
from duelbook.arena.play.tournament import Pair, Pairs, hold, programme
from duelbook.arena.play.traces import found
from duelbook.arena.report.table_text import table_lines
from duelbook.core import DRAW
from duelbook.fairness import proof_of_luck
from duelbook.games import ROOMS, load
from duelbook.match import View
from duelbook.policies.standings import standings
from duelbook.record import reads

HERE = crew("one-process")


# Players that are tables


@pytest.mark.parametrize("game", ROOMS)
def test_between_tables_nothing_is_played_and_the_chances_are_exact(game: str) -> None:
    work = programme(plan("random level:3 perfect", game, rounds=50, play=False))
    assert len(work.tasks) == 0
    table = standings(load(game), load(game).book)
    kinds = [entrant.kind for entrant in work.plan.entrants]
    assert len(work.known) == 6
    for each in work.known:
        assert each.meeting == table[kinds[each.seats[0]], kinds[each.seats[1]]]


def test_a_program_among_tables_is_played_and_the_tables_are_not() -> None:
    entrants = (*enter(["random", "level:3"]), Entrant("bot", "engine:./bot"))
    asked = Plan(entrants, (duel("tower"),), rounds=2, seed=0)
    work = programme(asked)
    assert work.refused == []
    assert {each.seats for each in work.known} == {(0, 1), (1, 0)}
    assert {task.seats for task in work.tasks} == {(0, 2), (2, 0), (1, 2), (2, 1)}
    assert set(work.tasks) <= set(Schedule(asked))  # with the numbers and the luck that they have anyway


def test_with_another_bell_everything_is_played_and_that_is_said() -> None:
    work = programme(plan(rounds=1, play=False, max_turns=50))
    assert work.known == []
    assert len(work.tasks) == 4
    assert work.refused == [
        "Exact chances are known for a bell after 200 turns; with another one all games are played."
    ]


def test_what_cannot_be_computed_is_played_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from duelbook.core import DuelError

    def refuse(*args: object, **more: object) -> None:
        raise DuelError("That needs Numba.")

    monkeypatch.setattr("duelbook.arena.play.exact.standings", refuse)
    work = programme(plan("random level:3", "tower", rounds=1, play=False))
    assert len(work.tasks) == 2
    assert work.refused == ["That needs Numba. Until then these games are played."]


@pytest.mark.slow
def test_games_that_are_played_agree_with_what_is_computed() -> None:
    asked = plan("level:2 level:5", "tower energy", rounds=200)
    played = hold(programme(asked), HERE).table().totals[0]
    exact = hold(programme(asked._replace(play=False)), HERE).table().totals[0]
    assert exact.exact
    assert exact.games == played.games == 800
    # Four standard errors: a game's score has a deviation of at most a half.
    assert abs(exact.points - played.points) < 4 * 0.5 * 800**0.5


# Judges


def test_pairs_come_whole_and_in_the_order_of_the_schedule() -> None:
    work = programme(plan("random level:3", "tower", rounds=4))
    results = hold(work, HERE).results
    pairs = Pairs(work.tasks.pairs())
    order = [7, 2, 3, 0, 6, 5, 1, 4]
    heard = [[one.task.pair for one, _ in pairs.add([results[number]])] for number in order]
    assert heard == [[], [], [], [], [], [], [0, 1], [2, 3]]


def test_pairs_that_are_not_to_be_played_are_not_waited_for() -> None:
    work = programme(plan("random level:3", "tower", rounds=4))
    results = hold(work, HERE).results
    pairs = Pairs([2, 3])
    assert [one.task.pair for one, _ in pairs.add(results[4:])] == [2, 3]


@pytest.mark.slow
@pytest.mark.parametrize(("on", "at_once"), [("one-process", 1), ("local", 2)])
def test_a_judge_stops_the_games_and_the_table_holds_what_it_heard(on: str, at_once: int, tmp_path: Path) -> None:
    work = programme(plan("random level:3", "tower", rounds=300))
    heard: list[int] = []

    def judge(pair: Pair) -> bool:
        heard.append(pair[0].task.pair)
        return len(heard) == 20

    store = Store(tmp_path / "games.duel", work.plan.settings())
    store.open(work.tasks, work.plan.entrants, resume=False)
    finished = hold(work, crew(on, at_once), store=store, judge=judge)
    store.close()
    assert heard == list(range(20))
    assert [result.task for result in finished.results] == list(work.tasks)[:40]
    assert finished.table().totals[0].games == 40

    # Who goes on finds the judge of the same mind, and plays nothing.
    heard.clear()
    store = Store(tmp_path / "games.duel", work.plan.settings())
    played = store.open(work.tasks, work.plan.entrants, resume=True)
    again = hold(work, crew(on, at_once), store=store, played=played, judge=judge)
    store.close()
    assert len(played) == len(finished.results) + finished.extra
    assert again == finished


# Going on


@pytest.mark.parametrize(("already", "whole_pairs"), [(0, 0), (1, 0), (7, 6), (24, 24)])
def test_only_what_is_missing_is_played_and_the_end_is_the_same(already: int, whole_pairs: int) -> None:
    work = programme(plan("random level:3 perfect", "tower energy", rounds=2))
    whole = hold(work, HERE)
    heard: list[int] = []
    played = whole.results[::-1][:already]
    again = hold(work, HERE, played=played, hear=lambda portion: heard.extend(each.task.number for each in portion))
    assert sorted(heard) == list(range(24 - whole_pairs))
    assert again == whole


class Death(BaseException):
    pass


class Stops(Program):
    """A program that stops the arena at its n-th question."""

    at, asked = 0, 0

    def choose(self, view: View) -> int:
        Stops.asked += 1
        if Stops.asked == Stops.at:
            raise Death
        return super().choose(view)


@pytest.mark.parametrize("at", [2, 5, 9, 14])
@pytest.mark.parametrize("openings", [USUAL_START, Openings("random", 3)])
def test_a_tournament_without_a_seed_goes_on_with_the_cards_it_has_shown_and_others_after_them(
    at: int, openings: Openings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "seat_player", lambda *_: Stops(7))
    entrants = (Entrant("bot", "program"), Entrant("other", "program"))
    asked = Plan(entrants, (duel("deck"),), rounds=2, openings=openings)
    Stops.at, Stops.asked = at, 0
    first = programme(asked)
    store = Store(tmp_path / "games.duel", asked.settings())
    store.open(first.tasks, entrants, resume=False)
    with pytest.raises(Death):
        hold(first, HERE, store=store)
    store.close()
    before = read(found(store.folder)[0])

    Stops.at = 0
    again = programme(asked)
    store = Store(tmp_path / "games.duel", asked.settings())
    finished = hold(again, HERE, store=store, played=store.open(again.tasks, entrants, resume=True))
    store.close()
    assert not store.folder.exists()
    assert finished.seed is None
    for begun, result in zip(before, finished.results, strict=False):
        (record,) = reads(result.record)
        assert [step.play for step in record.match.steps][: len(begun.plays)] == begun.plays
        assert record.match.stacked == result.task.stacked
        assert record.match.luck.past[0].seed != first.tasks[result.task.number].seed
        assert proof_of_luck(record.match).broken is None
    assert finished.results[0].task.opening == first.tasks[0].opening
    # And what is in the file is what came of it.
    store = Store(tmp_path / "games.duel", asked.settings())
    third = programme(asked)
    kept = store.open(third.tasks, entrants, resume=True)
    store.close()
    assert {each.record for each in kept} == {each.record for each in finished.results}


def test_nothing_is_told_or_written_before_both_games_of_a_pair_are_over(tmp_path: Path) -> None:
    work = programme(plan("random level:3", "deck", rounds=30))
    store = Store(tmp_path / "games.duel", work.plan.settings())
    store.open(work.tasks, work.plan.entrants, resume=False)
    written: list[int] = []

    def hear(portion: list[Result]) -> None:
        assert [result.task.pair for result in portion][::2] == [result.task.pair for result in portion][1::2]
        written.append((tmp_path / "games.duel").read_text().count("[ArenaTask "))

    hold(work, crew("local", 2), store=store, hear=hear)
    store.close()
    assert written
    assert all(games % 2 == 0 for games in written)


# The table

WORK = programme(plan("random level:3 perfect", "tower", rounds=1))


def result(number: int, winner: int | None, fault: int | None = None) -> Result:
    task = WORK.tasks[number]
    return Result(task, winner, "", 200, None if fault is None else Fault(fault, "time", "late"))


def test_the_table_counts_draws_no_results_and_faults_apart() -> None:
    # Seats: 0-1, 1-0, 0-2, 2-0, 1-2, 2-1.
    games = [result(0, 0), result(1, 0, fault=1), result(2, DRAW), result(3, None), result(4, 1), result(5, 0)]
    table = cross_table(WORK.plan.entrants, games)
    random, level, perfect = table.totals
    assert random == Tally(4, wins=1, draws=1, losses=0, no_results=1, faults=1)
    assert level == Tally(4, wins=1, draws=0, losses=3)
    assert perfect == Tally(4, wins=2, draws=1, losses=0, no_results=1)
    assert table.order() == [2, 0, 1]
    assert table.cells[0, 1] == Tally(2, wins=1, faults=1)
    assert [each.points for each in table.totals] == [2, 1, 3]
    assert cross_table(WORK.plan.entrants, games[::-1]) == table


def test_the_table_for_people() -> None:
    games = [result(0, 0), result(1, 0, fault=1), result(2, DRAW), result(3, None), result(4, 1), result(5, 0)]
    table = cross_table(WORK.plan.entrants, games)
    assert list(table_lines(table, 120)) == [
        "    player   games  points     %  W  D  L  none  faults  #1  #2  #3",
        "#1  perfect      4       3  75.0  2  1  0     1       0   .   1   2",
        "#2  random       4       2  50.0  1  1  0     1       1   1   .   1",
        "#3  level:3      4       1  25.0  1  0  3     0       0   0   1   .",
        "",
        "none: games without a result, half a point each. faults: games lost away from the board, not among L.",
    ]
    assert list(table_lines(table, 60))[1] == "#1  perfect      4       3  75.0  2  1  0     1       0"


def test_what_was_computed_is_marked_in_the_table() -> None:
    lines = list(table_lines(hold(programme(WORK.plan._replace(play=False)), HERE).table(), 120))
    assert "=" in lines[1]
    assert lines[-1] == (
        "Between random, the levels and perfect nothing was played: their chances (=) are computed exactly."
    )
