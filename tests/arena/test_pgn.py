"""PGN for rating programs: headers they know, results they count, nothing that breaks them."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from duelbook.arena.judge.tally import cross_table
from duelbook.arena.play.results import FAULTS, Entrant, Fault, Result, Task
from duelbook.arena.report.pgn import as_pgn
from duelbook.core import DRAW
from verdicts_helper import held

ENTRANTS = (Entrant('a "quoted" \\ name', "engine:a"), Entrant("b", "engine:b"))


def result(winner: int | None, fault: Fault | None = None, turns: int = 200, reason: str = "It ended.") -> Result:
    return Result(Task(5, 2, "tower", ("goal=12",), (1, 0), 1, 200, 3), winner, reason, turns, fault)


def tags(text: str) -> dict[str, str]:
    return dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.MULTILINE))


def test_the_first_seat_is_white_and_the_seven_tags_come_first() -> None:
    text = as_pgn(ENTRANTS, [result(0)], event="Cup", date="2026.11.15")
    assert list(tags(text))[:7] == ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
    found = tags(text)
    assert found["White"] == "b"
    assert found["Black"] == 'a \\"quoted\\" \\\\ name'
    assert (found["Event"], found["Date"], found["Round"], found["Result"]) == ("Cup", "2026.11.15", "3", "1-0")
    assert found["Duel"] == "tower goal=12"
    assert not {"Variant", "SetUp", "FEN"} & found.keys(), "that would be chess, and of a kind that nobody knows"
    assert found["Termination"] == "normal"
    assert text.endswith("{It ended.} 1-0\n")


@pytest.mark.parametrize(("winner", "shown"), [(0, "1-0"), (1, "0-1"), (2, "1/2-1/2"), (None, "1/2-1/2")])
def test_every_end_has_its_sign(winner: int | None, shown: str) -> None:
    text = as_pgn(ENTRANTS, [result(winner)])
    assert tags(text)["Result"] == shown
    assert text.endswith(f"}} {shown}\n")


def test_points_are_those_of_our_own_table() -> None:
    games = [result(winner) for winner in (0, 1, 1, DRAW, None, None, None)]
    ends = re.findall(r'\[Result "(.*)"\]', as_pgn(ENTRANTS, games))
    points = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
    assert sum(points[end] for end in ends) == cross_table(ENTRANTS, games).totals[1].points == 3.0


def test_the_bell_is_no_normal_end() -> None:
    assert tags(as_pgn(ENTRANTS, [result(None)]))["Termination"] == "adjudication"


@pytest.mark.parametrize(
    ("kind", "said"),
    list(zip(FAULTS, ("abandoned", "time forfeit", *["rules infraction"] * 4, *["abandoned"] * 2), strict=True)),
)
def test_a_fault_is_a_loss_with_a_reason(kind: str, said: str) -> None:
    found = tags(as_pgn(ENTRANTS, [result(1, Fault(0, kind, "It failed."))]))
    assert (found["Result"], found["Termination"]) == ("0-1", said)


def test_nothing_in_a_sentence_can_end_its_comment_or_pass_for_a_tag() -> None:
    text = as_pgn(ENTRANTS, [result(0, reason='bad } 0-1\n[Result "0-1"]')])
    assert text.count("}") == 1
    assert text.count("[Result") == 1, "some programs look for it anywhere in a line"


def test_games_that_could_not_be_played_are_left_out() -> None:
    assert as_pgn(ENTRANTS, [result(None, turns=3)]) == ""


@pytest.mark.slow
def test_a_whole_tournament() -> None:
    finished = held(("level:4", "level:3"), ("tower", "energy", "deck"), 200, bots=2)
    entrants = finished.programme.plan.entrants
    text = as_pgn(entrants, finished.results)
    assert text.count("[Event ") == 1200
    duels = Counter(re.findall(r'\[Duel "(.*)"\]', text))
    assert duels == {"tower": 400, "energy": 400, "deck": 400}
