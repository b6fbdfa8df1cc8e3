"""Python objects that play: in this process and in others, and what comes of their mistakes."""

from __future__ import annotations

import sys
import threading
from typing import Any

import pytest

from arena_helper import Lowest
from duelbook.arena.judge.findings import findings
from duelbook.arena.play.crews import crew
from duelbook.arena.play.results import Result
from duelbook.arena.play.schedule import Entry, Plan, duel, enter
from duelbook.arena.play.tournament import hold, programme
from duelbook.arena.report.data import as_json
from duelbook.arena.report.html import page
from duelbook.core import DuelError
from duelbook.duel import Duel
from duelbook.match import PlayerFault, View
from duelbook.record import reads


class Speechless(Exception):
    def __str__(self) -> str:
        raise RuntimeError


class Answers:
    """Gives one answer, whatever is asked; an exception is raised."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.prepared = 0

    def prepare(self, view: View) -> None:
        self.prepared += 1

    def choose(self, view: View) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def held(player: Any, on: str = "one-process", game: str = "tower") -> list[Result]:
    entrants = enter([Entry(player=player, name="mine"), "perfect"])
    plan = Plan(entrants, (duel(game),), rounds=2, seed=3)
    return hold(programme(plan), crew(on, 2 if on == "local" else None)).results


def test_an_object_plays_like_anybody_else() -> None:
    results = held(Lowest())
    assert len(results) == 4
    for result in results:
        (record,) = reads(result.record)
        assert record.match.names[result.seat_of(0)] == "mine"
        assert record.seats[result.seat_of(0)] == "python:Lowest"
        mine = [step.play for step in record.match.steps if step.turn == result.seat_of(0)]
        assert set(mine) == {0}


def test_in_other_processes_it_plays_the_same() -> None:
    assert [result.record for result in held(Lowest(), "local")] == [result.record for result in held(Lowest())]


def test_reports_know_it() -> None:
    entrants = enter([Entry(player=Lowest()), "perfect"])
    found = findings(hold(programme(Plan(entrants, (duel("tower"),), rounds=2, seed=3)), crew("one-process")))
    assert as_json(found)["players"][0] == {"name": "Lowest", "kind": "python:Lowest"}
    assert "Lowest" in page(found)


@pytest.mark.parametrize(
    ("answer", "kind", "sentence"),
    [
        (ZeroDivisionError("division by zero"), "crash", "It raised ZeroDivisionError: division by zero"),
        (RuntimeError(), "crash", "It raised RuntimeError."),
        (Speechless(), "crash", "It raised Speechless."),
        (PlayerFault("time", "It slept."), "time", "It slept."),
        (DuelError("No."), "crash", "It raised DuelError: No."),
        (99, "illegal", "There is no such move."),
        ("build 4", "illegal", "is not a move: a move is a whole number."),
        (None, "illegal", "is not a move: a move is a whole number."),
        (1.0, "illegal", "is not a move: a move is a whole number."),
    ],
)
def test_a_mistake_of_an_object_is_its_own_fault(answer: Any, kind: str, sentence: str) -> None:
    player = Answers(answer)
    for result in held(player):
        assert result.fault is not None
        assert (result.fault.seat, result.fault.kind) == (result.seat_of(0), kind)
        assert sentence in result.fault.sentence
        assert result.winner == 1 - result.seat_of(0)
    assert player.prepared == 4


@pytest.mark.parametrize("answer", ["build 4", None, 1.0])
def test_what_is_not_a_number_is_told_in_the_same_words_away_from_a_tournament(answer: Any) -> None:
    outcome = Duel("tower").play(Answers(answer), "perfect").match.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.kind) == (1, "fault")
    assert f"'{answer}' is not a move: a move is a whole number." in outcome.reason


def test_a_number_of_another_kind_is_a_move_like_any_other() -> None:
    class Two:
        def __index__(self) -> int:
            return 2

    match = Duel("tower").match()
    match.play(0, Two())  # type: ignore[arg-type]  # as numbers of NumPy come
    assert match.steps[0].play == 2
    assert type(match.steps[0].play) is int


def test_what_it_was_doing_is_kept() -> None:
    fault = held(Answers(ZeroDivisionError("division by zero")))[0].fault
    assert fault is not None
    assert fault.stderr.startswith("Traceback")
    assert "raise self.answer" in fault.stderr


def test_who_cannot_be_sent_plays_here_and_that_is_said() -> None:
    player = Answers(0)
    player.answer = threading.Lock()  # which cannot be pickled
    with pytest.raises(DuelError, match=r"mine cannot be sent to another process .* does: on=\"one-process\"\."):
        held(player, "local")
    assert all(result.fault is not None for result in held(player))


def test_who_is_not_known_where_it_was_sent_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its module is one that other processes cannot import."""
    monkeypatch.setitem(sys.modules, "known_here_alone", sys.modules[__name__])
    monkeypatch.setattr(Answers, "__module__", "known_here_alone")
    with pytest.raises(DuelError, match=r"A worker cannot make use of a Python object that plays: .*No module named"):
        held(Answers(0), "local")


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (Entry(player=3), "Only an object with a method choose(view) can play; 'int' has none."),
        (Entry("random", player=Lowest()), "An entry is a kind of player or a Python object, not both: 'random'"),
        (Entry(), "There is no player called ''"),
    ],
)
def test_what_cannot_enter_is_said(entry: Entry, sentence: str) -> None:
    with pytest.raises(DuelError) as said:
        enter([entry, "random"])
    assert sentence in str(said.value)


def test_two_of_a_class_are_told_apart() -> None:
    entrants = enter([Entry(player=Lowest()), Entry(player=Lowest()), Entry(player=Lowest(), name="perfect")])
    assert [entrant.name for entrant in entrants] == ["Lowest", "Lowest (2)", "perfect (2)"]
