"""Programs that kill their referee: wherever they do it, and however often, they gain nothing by it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from duelbook.arena.findings import findings
from duelbook.arena.report import fault_lines
from duelbook.arena.results import KILLED, Limits, Result
from duelbook.arena.schedule import Entry, duel, enter
from duelbook.arena.tournament import Finished, Plan, hold, programme
from duelbook.arena.workers import Crew, LocalWorkers
from duelbook.engine.surroundings import OFF, Surroundings

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it kills as Linux lets it kill")

BOTS = Path(__file__).parent / "bots"


def bot(name: str, *words: Any) -> str:
    return "engine:" + shlex.join([sys.executable, str(BOTS / f"{name}.py"), *map(str, words)])


def tournament(how: str, notes: Path, rival: str, rounds: int = 1, **more: Any) -> Plan:
    # In a sandbox nobody can kill a referee.
    limits = Limits(around=Surroundings(OFF))
    entrants = enter([Entry(bot("killer", how, notes), "killer", limits), Entry(rival, "rival", limits)])
    return Plan(entrants, (duel("tower"),), rounds=rounds, **{"seed": 5, **more})


ONE_WORKER = Crew(partial(LocalWorkers, 1), 1)


def held(how: str, folder: Path, rival: str, workers: Crew = ONE_WORKER) -> Finished:
    return hold(programme(tournament(how, folder / "notes", rival)), workers)


def played(results: Iterable[Result]) -> list[tuple[int | None, str]]:
    """Who won, and by which moves."""
    return [(result.winner, result.record.partition("\n\n")[2]) for result in results]


def kills(folder: Path) -> int:
    notes = folder / "notes"
    return len(notes.read_text().splitlines()) if notes.exists() else 0


def test_who_kills_the_referee_when_asked_loses_by_that_and_it_is_said(tmp_path: Path) -> None:
    finished = held("asked", tmp_path, "level:6")
    assert kills(tmp_path) == 3 + 2  # in the first game once unseen; the second is played alone from its beginning
    for result in finished.results:
        assert result.fault is not None
        assert (result.task.seats[result.fault.seat], result.fault.kind) == (0, KILLED)
        assert result.score(result.seat_of(0)) == 0
        assert f'[Fault "{KILLED}"]' in result.record
        assert result.reason == (
            "killer lost by a fault (killed): The process that refereed the game died 2 times while this program was "
            "being asked and no other one ran."
        )
    told = findings(finished)
    assert [row.faults for row in finished.table().totals] == [2, 0]
    assert any("killed" in line for line in fault_lines(told))


def test_who_kills_while_the_rival_thinks_neither_gains_nor_harms_it(tmp_path: Path) -> None:
    rival = bot("slow")
    finished = held("behind", tmp_path, rival)
    assert kills(tmp_path) > 0
    honest = held("never", tmp_path, rival)
    assert [result.score(result.seat_of(0)) for result in honest.results] == [0, 0]
    for result, usual in zip(finished.results, played(honest.results), strict=True):
        assert played([result]) == [usual] or (result.fault and result.fault.seat == result.seat_of(0))


def test_who_kills_as_soon_as_it_has_answered_is_known(tmp_path: Path) -> None:
    finished = held("at-once", tmp_path, bot("slow"))
    assert [result.task.seats[result.fault.seat] for result in finished.results if result.fault] == [0, 0]


def test_who_kills_only_twice_is_where_it_was(tmp_path: Path) -> None:
    finished = held("twice", tmp_path, "level:6")
    assert kills(tmp_path) == 2
    assert played(finished.results) == played(held("never", tmp_path, "level:6").results)
