"""What programs hear and say, written down: both ways, in order, with times, and nothing that steers a terminal."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import Result

from duelbook.engine import process
from duelbook.engine.limits import Limits
from duelbook.engine.log import LogFile
from duelbook.players.engine import EnginePlayer
from engine_helper import BOTS, FREE, bad, first_view, invoke

LINE = re.compile(r" *(\d+\.\d{6}) (?:(.+?)\[(\d+)\](?: (.+?))? )?([<>!#]) (.*)")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


def entries(path: Path) -> list[tuple[str, str, str, str]]:
    """Who, where, which way and what, in order of time."""
    found = [LINE.fullmatch(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert all(found), path.read_text(encoding="utf-8")
    times = [float(line[1]) for line in found if line]
    assert times == sorted(times)
    return [(line[2] or "", line[4] or "", line[5], line[6]) for line in found if line]


def run(*words: str) -> Result:
    done = invoke(*words)
    assert done.exit_code in (0, 1), done.output
    return done


def test_a_game_is_written_down_both_ways(home: Path) -> None:
    run(
        "play", "tower", "--line", "--max-turns", "2", "--p1", f"engine:{bad('info')}", "--p2", "random", "--log", "log"
    )
    (_, _, _, begun), *said = entries(home / "log")
    assert begun.endswith("duelbook play")
    name = f"{Path(sys.executable).name} bad.py info"
    assert {who for who, _, _, _ in said} == {name}
    assert [what for _, _, way, what in said if way in "<>"][:6] == [
        "udi",
        "id name Bad",
        "id author info",
        "game *",
        "option name Temper type spin default 3 min 1 max 5",
        "udiok",
    ]
    game = said[[what for _, _, _, what in said].index("position at 0 0 1") :]
    assert [(way, what) for _, _, way, what in game if way in "<>"] == [
        (">", "position at 0 0 1"),
        (">", "go turn 1 movetime 1000 seat 1 legal build_1 build_2 build_4"),
        ("<", "info depth 3 score 0.25 string looks good"),
        ("<", ""),
        ("<", "  bestmove build_1  "),
        ("<", "info string as I said"),
    ]
    assert [what for _, _, way, what in game if way == "!"] == ["thinking\\x1b[2J aloud"]
    assert [what for _, _, way, what in game if way == "#"] == ["ended, exit code 0"]


def test_a_fault_is_written_down() -> None:
    run("play", "tower", "--line", "--p1", f"engine:{bad('crash')}", "--p2", "random", "--log", "log")
    notes = [what for _, _, way, what in entries(Path("log")) if way == "#"]
    assert any("fault (crash): " in what and "ended with exit code 3" in what for what in notes)


@pytest.mark.slow
def test_an_arena_writes_all_its_workers_down_in_one_file() -> None:
    """Whole lines, however many write at once, and which game and seat they are about."""
    players = [f"engine:{bad(how)}" for how in ("info", "nothing")]
    run("arena", *players, "--games", "tower", "--rounds", "4", "--concurrency", "2", "--log", "log", "--json")
    said = entries_of_many(Path("log"))
    assert {who for who, _, _, _ in said if who} == {"bad.py", "bad.py (2)", *COMMANDS}
    asked = {where for who, where, way, what in said if way == ">" and what.startswith("go ")}
    assert asked == {f"game {game} seat {seat}" for game in range(1, 9) for seat in (1, 2)}


COMMANDS = {f"{Path(sys.executable).name} bad.py {how}" for how in ("info", "nothing")}
"""What programs are called when they are only looked at, before the first game."""


def entries_of_many(path: Path) -> list[tuple[str, str, str, str]]:
    """The same where several write: between two of them the order is that of writing, not of time."""
    found = [LINE.fullmatch(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert all(found)
    return [(line[2] or "", line[4] or "", line[5], line[6]) for line in found if line]


@pytest.mark.slow
def test_a_check_writes_down_what_it_tries() -> None:
    run("check-engine", "--slack", "60", "--log", "log", *shlex.split(bad("crash")))
    where = {where for _, where, _, _ in entries(Path("log"))}
    assert {"handshake", "isready", "tower: a whole game", "end of input"} <= where


def test_a_second_log_goes_behind_the_first() -> None:
    for _ in range(2):
        run(
            "play",
            "tower",
            "--line",
            "--max-turns",
            "1",
            "--p1",
            f"engine:{bad('x')}",
            "--p2",
            "random",
            "--log",
            "log",
        )
    begun = [what for who, _, _, what in entries_of_many(Path("log")) if not who]
    assert len(begun) == 2


def test_a_log_that_cannot_be_written_is_said_before_the_game() -> None:
    done = run("play", "tower", "--line", "--p1", f"engine:{bad('x')}", "--p2", "random", "--log", "no/such/folder/log")
    assert str(done.exception).startswith("The log cannot be written to ")
    assert not Path("state").exists() or not list(Path("state").rglob("*.duel"))


def test_a_log_is_not_for_programs_to_read() -> None:
    """The other's pick stands in it before it is revealed."""
    from duelbook.engine.places import places

    file = Path("log").absolute()
    file.touch()
    assert str(file.resolve()) in places(["sh"], FREE._replace(log=LogFile(str(file), 0.0))).hidden


def test_a_move_costs_nothing_where_nobody_writes_it_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """The short way is taken: one line in one piece is read with one call, and nothing looks through it."""
    player = EnginePlayer(f"{sys.executable} {BOTS / 'bad.py'} nothing", Limits(around=FREE, move_time=30.0))
    player.prepare(first_view())
    monkeypatch.setattr(process.Process, "_take_in", lambda *_: pytest.fail("it took the long way"))
    monkeypatch.setattr(process, "QUICK", 30_000)
    for _ in range(3):
        player.choose(first_view())
    player.close()
