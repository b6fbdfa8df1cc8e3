"""A tournament that is killed or broken off goes on, and ends as if nothing had happened."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest

from helpers import HANGING
from slow_helper import slow
from torture.arena_kill import arena, children, ends, finish, games_in, torture, without_file


@pytest.mark.skipif(sys.platform != "linux", reason="processes are watched as Linux lets them be watched")
@pytest.mark.slow
def test_a_killed_tournament_ends_like_one_that_nobody_disturbed() -> None:
    """A few kills, so that it cannot rot. The full count is `python tests/torture/arena_kill.py`."""
    report = torture(kills=3, seed=3, rounds=30, longest=1.5)
    assert report.wrong == []
    assert report.kills == 3


def in_a_terminal(folder: Path, *words: str) -> Any:
    return pexpect.spawn(
        sys.executable,
        ["-m", "duelbook", "arena", *words],
        encoding="utf-8",
        timeout=HANGING,
        dimensions=(30, 150),
        env=os.environ | {"XDG_STATE_HOME": str(folder), "TERM": "xterm"},
    )


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are watched as Linux lets them be watched")
@pytest.mark.parametrize("concurrency", [slow("1"), "2"])
def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(tmp_path: Path, concurrency: str) -> None:
    file = tmp_path / "games.duel"
    words = ["random", "level:2", "level:5", "--games", "tower,deck,energy,conquer", "--play", "--out", str(file)]
    program = in_a_terminal(tmp_path, *words, "--rounds", "50", "--concurrency", concurrency, "--seed", "5")
    program.expect(r"Playing.*\D[1-9]\d*/1200")
    program.expect(r"level:5 +\d+\.\d %")
    workers = children(program.pid)
    program.sendintr()
    program.expect(r"Stopped after ([\d,]+) of 1,200 games;\s+they\s+are\s+in\s")
    done = int(program.match[1].replace(",", ""))
    program.expect(r"Go on with:\s+")
    said = program.read()
    program.close()
    assert program.exitstatus == 130
    assert 0 < done < 1200
    assert len(games_in(file)) == done
    assert all(ends(worker) for worker in workers)

    # What it says works, and the end is that of a tournament that nobody disturbed.
    command = shlex.split(" ".join(said.split("\r\n")[0].split()))
    again = subprocess.run(
        [sys.executable, "-m", "duelbook", *command[command.index("arena") :], "--json"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"XDG_STATE_HOME": str(tmp_path)},
    )
    whole = finish(arena(tmp_path, "whole.duel", 50, 5, "--on", "one-process"))
    assert games_in(file) == games_in(tmp_path / "whole.duel")
    assert without_file(json.loads(again.stdout)) == without_file(whole)


@pytest.mark.slow
def test_without_a_terminal_there_is_no_bar(tmp_path: Path) -> None:
    process = arena(tmp_path, "games.duel", 2, 1)
    said, complaint = process.communicate(timeout=HANGING)
    assert complaint == ""
    assert re.match(r"\{\n", said)
