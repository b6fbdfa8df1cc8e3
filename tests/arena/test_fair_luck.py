"""Luck has the mean 0 whoever plays: where it has not, the report asks who knows the cards to come."""

from __future__ import annotations

import pytest

from duelbook.arena.judge.findings import findings
from duelbook.arena.play.results import Duel, Entrant, Result, Settings
from duelbook.arena.play.schedule import Plan, Schedule
from duelbook.arena.play.telling import new_match, result_of
from duelbook.arena.play.tournament import Finished, Programme
from duelbook.arena.report.data import as_json
from duelbook.arena.report.html import page
from duelbook.arena.report.text import terminal_lines
from duelbook.core import LUCK
from duelbook.match import Match
from duelbook.players import seat_player
from duelbook.solving.library import solution_for


def work_for(rounds: int, kinds: tuple[str, str] = ("engine:x", "engine:y")) -> Programme:
    asked = Plan((Entrant("X", kinds[0]), Entrant("Y", kinds[1])), (Duel("deck"),), rounds=rounds, seed=4, play=True)
    return Programme(asked, Schedule(Plan(asked.entrants, asked.duels, rounds=rounds, seed=4)), [], [])


def dealt(lucks: list[tuple[float, float]], kinds: tuple[str, str] = ("engine:x", "engine:y")) -> Finished:
    """Pairs of games in which luck did this for X, made up."""
    work = work_for(len(lucks), kinds)
    results = []
    for task in work.tasks:
        luck = lucks[task.pair][task.number % 2]
        results.append(Result(task, 0, "", 9, luck=luck if task.seats[0] == 0 else -luck))
    return Finished(work, results)


def asked_about_luck(finished: Finished) -> list[str]:
    return [each for each in findings(finished).cautions if each.startswith("Luck ")]


def test_more_luck_than_chance_allows_is_asked_about() -> None:
    """Of 40 pairs that vary by 0.2 the mean is sure to 0.032: 0.1 may be chance, 0.2 is not."""
    lucky = dealt([(0.3, 0.0), (-0.1, 0.0)] * 20)
    assert asked_about_luck(lucky) == []
    more = dealt([(0.4, 0.0), (0.0, 0.0)] * 20)
    said = (
        "Luck favoured X by 5.0 points a game, 6 standard errors: more than chance allows. "
        "Does it know the cards to come?"
    )
    assert asked_about_luck(more) == [said]
    found = findings(more)
    assert said in as_json(found)["notes"]
    assert said in "\n".join(terminal_lines(found))
    assert said in page(found)


def test_luck_is_asked_about_only_where_there_is_something_to_see() -> None:
    assert asked_about_luck(dealt([(0.4, 0.0), (0.0, 0.0)] * 14)) == []  # too few pairs
    assert asked_about_luck(dealt([(0.5, -0.5)] * 40)) == []  # the same cards help both, one after the other
    assert asked_about_luck(dealt([(0.2, 0.2)] * 40)) == []  # nothing varies: made up, or never weighed


def test_of_two_programs_the_favoured_one_is_asked_and_tables_never_are() -> None:
    against = [(-0.4, 0.0), (0.0, 0.0)] * 20
    assert [each.partition(" by ")[0] for each in asked_about_luck(dealt(against))] == ["Luck favoured Y"]
    (said,) = asked_about_luck(dealt(against, ("engine:x", "level:3")))
    assert said.startswith("Luck went against X by 5.0 points a game, 6 standard errors")
    assert asked_about_luck(dealt(against, ("level:4", "level:3"))) == []


@pytest.mark.slow
def test_who_sees_the_next_card_is_found_out() -> None:
    """Really played: X tries every move, looks which card comes, and takes the best; Y plays as level:4."""
    work = work_for(1000)
    results = []
    for task in work.tasks:
        match, honest = new_match(task, work.plan.entrants), seat_player("level:4", task.own[task.seats.index(1)])
        assert honest is not None
        while match.outcome is None:
            if match.turn == LUCK:
                match.deal()
            elif task.seats[match.turn] == 0:
                match.play(match.turn, peeked(match, match.turn))
            else:
                match.play(match.turn, honest.choose(match.view(match.turn)))
        results.append(result_of(task, match, work.plan.entrants, Settings())._replace(record=""))
    assert [each.partition(" by ")[0] for each in asked_about_luck(Finished(work, results))] == ["Luck favoured X"]


def peeked(match: Match, seat: int) -> int:
    """The move after which the card that comes is best."""
    solution = solution_for(match.game, match.rules)
    found = {}
    for move in match.game.moves:
        if match.game.legal(match.rules, match.state, seat, move):
            match.play(seat, move)
            if match.turn == LUCK:
                match.deal()
            found[move] = solution.value(match.state)
            match.take_back()
    return max(found, key=lambda move: found[move] if seat == 0 else -found[move])
