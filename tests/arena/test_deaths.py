"""Programs that kill their referee: wherever they do it, and however often, they gain nothing by it."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from duelbook.arena.judge.findings import findings
from duelbook.arena.play.results import KILLED, Result
from duelbook.arena.play.schedule import Entry, Plan, duel, enter
from duelbook.arena.play.tournament import Finished, hold, programme
from duelbook.arena.play.workers import Crew, LocalWorkers
from duelbook.arena.report.text import fault_lines
from duelbook.engine.limits import OFF, Limits, Surroundings
from engine_helper import until

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


def killers_running(folder: Path) -> list[str]:
    """They sleep for a minute once they have killed; a program must not outlive its referee, and kill the next."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if str(folder / "notes") in (process / "cmdline").read_text().split("\0"):
                found.append(process.name)
    return found


@pytest.mark.slow
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
    assert until(lambda: killers_running(tmp_path) == [])
    told = findings(finished)
    assert [row.faults for row in finished.table().totals] == [2, 0]
    assert any("killed" in line for line in fault_lines(told))


@pytest.mark.slow
def test_who_kills_while_the_rival_thinks_neither_gains_nor_harms_it(tmp_path: Path) -> None:
    rival = bot("slow")
    finished = held("behind", tmp_path, rival)
    assert kills(tmp_path) > 0
    honest = held("never", tmp_path, rival)
    assert [result.score(result.seat_of(0)) for result in honest.results] == [0, 0]
    for result, usual in zip(finished.results, played(honest.results), strict=True):
        assert played([result]) == [usual] or (result.fault and result.fault.seat == result.seat_of(0))


@pytest.mark.slow
def test_who_kills_as_soon_as_it_has_answered_is_known(tmp_path: Path) -> None:
    finished = held("at-once", tmp_path, bot("slow"))
    assert [result.task.seats[result.fault.seat] for result in finished.results if result.fault] == [0, 0]


@pytest.mark.slow
def test_who_survives_its_referee_is_ended_before_it_can_have_the_rival_blamed(tmp_path: Path) -> None:
    """It stays when its referee has gone, and would kill every one that follows, while the rival is asked."""
    finished = held("survive", tmp_path, bot("slow"))
    assert [result.fault is not None and result.task.seats[result.fault.seat] for result in finished.results] == [0, 0]


@pytest.mark.slow
def test_who_kills_only_twice_is_where_it_was(tmp_path: Path) -> None:
    finished = held("twice", tmp_path, "level:6")
    assert kills(tmp_path) == 2
    assert played(finished.results) == played(held("never", tmp_path, "level:6").results)


# The arena itself


def arena(folder: Path, how: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = bot("killer", how, folder / "notes", *words).removeprefix("engine:")
    where = ["--on", "one-process"] if not words else ["--concurrency", "2"]
    asked = ["--games", "tower", "--rounds", "1", "--seed", "5", "--out", str(folder / f"{how}.duel"), "--resume"]
    asked += ["--sandbox", "off"]
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "duelbook",
            "arena",
            "--engine",
            f"cmd={command}",
            "name=killer",
            "level:6",
            *asked,
            *where,
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "XDG_STATE_HOME": str(folder)},
        check=False,
    )


def games_in(path: Path) -> list[tuple[str, str]]:
    games = path.read_text(encoding="utf-8").split("[Game ")[1:]
    return sorted((game.partition("[Result ")[2][:5], game.partition("\n\n")[2]) for game in games)


@pytest.mark.slow
def test_who_kills_the_arena_is_where_it_was_when_it_goes_on(tmp_path: Path) -> None:
    """First the arena refereed by itself; when it goes on, the second kill hits a process that is there for it."""
    assert arena(tmp_path, "twice").returncode == -signal.SIGKILL
    assert (tmp_path / "twice.duel").read_text() == ""
    ended = arena(tmp_path, "twice")
    assert (ended.returncode, kills(tmp_path)) == (0, 2)
    assert arena(tmp_path, "never").returncode == 0
    assert games_in(tmp_path / "twice.duel") == games_in(tmp_path / "never.duel")
    assert sorted(path.name for path in tmp_path.glob(".*")) == []


@pytest.mark.slow
def test_who_kills_the_arena_over_its_workers_is_where_it_was_too(tmp_path: Path) -> None:
    assert arena(tmp_path, "twice", "arena").returncode == -signal.SIGKILL
    assert arena(tmp_path, "twice", "arena").returncode == -signal.SIGKILL
    ended = arena(tmp_path, "twice", "arena")
    assert (ended.returncode, kills(tmp_path)) == (0, 2)
    assert arena(tmp_path, "never", "arena").returncode == 0
    assert games_in(tmp_path / "twice.duel") == games_in(tmp_path / "never.duel")
