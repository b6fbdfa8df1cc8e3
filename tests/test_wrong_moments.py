"""A table that is asked at the wrong moment, or by somebody who makes things up: a sentence, and nothing changes.

Whoever carries a game on over a network hands on what others send, whenever it comes.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from duelbook import DRAW, DuelError, Match, load
from duelbook.match import Player, PlayerFault
from duelbook.players.random import RandomPlayer
from duelbook.record import Record, writes
from duelbook.saves import Save
from duelbook.table.host import Due, Host, What, sit_down
from duelbook.table.keeper import Keeper

LATE = PlayerFault("time", "It was late.")
NO_SEATS = (2, -1, 7, "x", None, 1.5)
ASKED: dict[str, Callable[[Host, Due], object]] = {
    "draw": lambda host, due: host.draw(due),
    "answer": lambda host, due: host.answer(due, 0),
    "nonsense": lambda host, due: host.answer(due, "x"),  # type: ignore[arg-type]
    "nothing": lambda host, due: host.answer(due, None),  # type: ignore[arg-type]
    "no such move": lambda host, due: host.answer(due, 99),
    "fault": lambda host, due: host.answer(due, LATE),
    "question": lambda host, due: host.question(due),
    "resign": lambda host, due: host.resign(0),
    "take over": lambda host, due: host.take_over(0),
    "take back": lambda host, due: host.take_back(host.may_take_back(0)),
    "hint": lambda host, due: host.hint(0),
}


def host_of(id: str, *, program: bool = False, save: Save | None = None) -> Host:
    players: tuple[Player | None, Player | None] = (RandomPlayer(1) if program else None, None)
    record = Record(Match(load(id), seed=5, names=("Ann", "Bo")), ("random" if program else "human", "human"))
    return Host(Keeper(record, save, None), players)


def refused(host: Host, ask: Callable[[], object]) -> str:
    """The sentence; whatever was refused has changed nothing."""
    before = writes(host.keeper.record), host.due()
    with pytest.raises(DuelError) as error:
        ask()
    assert (writes(host.keeper.record), host.due()) == before
    assert str(error.value).endswith(".")
    return str(error.value)


@pytest.mark.parametrize(
    ("id", "program", "asked", "said"),
    [
        ("tower", False, "draw", "There is nothing to draw now. Ann is to decide."),
        ("tower", True, "draw", "There is nothing to draw now. The program in Ann's seat is to decide."),
        ("secret", False, "draw", "There is nothing to draw now. Ann is to pick."),
        ("deck", False, "answer", "A card must be drawn first."),
        ("deck", True, "answer", "A card must be drawn first."),
        ("tower", False, "nonsense", "'x' is not a move: a move is a whole number."),
        ("tower", False, "nothing", "'None' is not a move: a move is a whole number."),
        ("tower", False, "no such move", "There is no such move. You can play: build 1, build 2 or build 4."),
        ("tower", False, "fault", "Only a program loses by a fault; a person resigns. Ann is to decide."),
        ("deck", True, "fault", "Only a program loses by a fault; a person resigns. Luck acts first, for Ann."),
        ("tower", False, "question", "No program is to think here. Ann is to decide."),
        ("deck", True, "question", "No program is to think here. Luck acts first, for Ann."),
        ("secret", False, "question", "No program is to think here. Ann is to pick."),
        ("tower", False, "take over", "A person sits in Ann's seat already."),
        ("tower", False, "take back", "There is no move to take back yet."),
    ],
)
def test_what_is_not_due_is_refused_and_what_is_due_is_said(id: str, program: bool, asked: str, said: str) -> None:
    host = host_of(id, program=program)
    assert refused(host, lambda: ASKED[asked](host, host.due()[0])) == said


@pytest.mark.parametrize("id", ["tower", "deck", "secret"])
@pytest.mark.parametrize("program", [False, True])
@pytest.mark.parametrize("asked", [each for each in ASKED if each != "take back"])
def test_when_it_is_over_nothing_more_is_done(id: str, program: bool, asked: str) -> None:
    host = host_of(id, program=program)
    host.resign(1)
    assert "over" in refused(host, lambda: ASKED[asked](host, host.due()[0]))


@pytest.mark.parametrize("id", ["tower", "deck", "secret"])
@pytest.mark.parametrize("asked", ASKED)
def test_at_a_table_that_was_left_nothing_happens(id: str, asked: str) -> None:
    host = host_of(id, program=True)
    (due, *_) = host.due()
    host.leave()
    before = writes(host.keeper.record)
    with suppress(DuelError):
        ASKED[asked](host, due)
    assert writes(host.keeper.record) == before


@pytest.mark.parametrize("seat", NO_SEATS)
@pytest.mark.parametrize("id", ["tower", "deck", "secret"])
def test_there_are_two_seats(id: str, seat: Any) -> None:
    host = host_of(id, program=True)
    asked: list[Callable[[Any], object]] = [
        host.resign,
        host.take_over,
        host.may_take_back,
        host.hint,
        host.match.view,
        host.match.choices,
    ]
    for ask in asked:
        assert refused(host, partial(ask, seat)) == f"There is no seat '{seat}': Ann's is 0, Bo's is 1."


def test_a_hint_is_for_who_decides() -> None:
    host = host_of("tower")
    assert refused(host, lambda: host.hint(1)) == "It is Ann's turn: a hint is for who decides."
    assert host.hint(0)
    assert host_of("secret").hint(1), "both decide"
    assert host_of("deck").hint(1), "before a card both may ask"


@pytest.mark.parametrize("made_up", [3, None, "ask", (What.ASK, 0, 0)])
def test_what_is_no_question_cannot_be_answered(made_up: Any) -> None:
    host = host_of("tower")
    asks: list[Callable[[], object]] = [
        lambda: host.answer(made_up, 0),
        lambda: host.draw(made_up),
        lambda: host.question(made_up),
        lambda: host.take_back(made_up),
    ]
    for ask in asks[: 3 if isinstance(made_up, tuple) else 4]:
        assert refused(host, ask)


@pytest.mark.parametrize(
    "made_up", [Due(What.DRAW, 0, 0), Due(What.ASK, 1, 0), Due(What.ASK, 0, 9), Due(What.OVER, -1, 0)]
)
def test_an_answer_to_what_is_not_asked_changes_nothing(made_up: Due) -> None:
    host = host_of("tower")
    assert host.answer(made_up, 0) == host.draw(made_up) == []
    assert host.match.steps == []


def test_who_leaves_twice_is_told_the_same(tmp_path: Path) -> None:
    host = host_of("tower", save=Save(tmp_path / "game.duel"))
    host.answer(host.due()[0], 0)
    assert (host.leave(), host.leave()) == (True, True)


def test_a_match_is_ended_by_a_winner_and_a_sentence_only() -> None:
    match = Match(load("tower"))
    for winner in (2.5, 7, -1, "Ann"):
        with pytest.raises(DuelError, match="won by seat 0 or 1"):
            match.adjudicate(winner, "So it was decided.")  # type: ignore[arg-type]  # what is tried
    with pytest.raises(DuelError, match="a sentence"):
        match.adjudicate(0, 3)  # type: ignore[arg-type]  # what is tried
    with pytest.raises(DuelError, match="a function"):
        match.listen(3)  # type: ignore[arg-type]  # what is tried
    assert match.outcome is None
    match.adjudicate(DRAW, "They agreed.")
    assert match.verdict() == "Nobody wins."


def test_two_sit_at_a_table_and_play_a_recorded_game() -> None:
    record = Record(Match(load("tower")))
    with pytest.raises(DuelError, match="Two sit at a table"):
        Host(Keeper(record, None, None), [None])
    with pytest.raises(DuelError, match="carried on by a Keeper"):
        Host(record, [None, None])  # type: ignore[arg-type]  # what is tried
    with pytest.raises(DuelError, match="is a Record"):
        sit_down(3)  # type: ignore[arg-type]  # what is tried
