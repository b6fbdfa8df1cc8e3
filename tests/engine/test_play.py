"""`duelbook play` with a program in a seat: played out, lost by a fault, saved, resumed, refused where it must be."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from duelbook import Match, load
from duelbook.record import BadRecord, Record, reads, writes
from engine_helper import BOTS, EXAMPLES, bad
from helpers import HANGING
from slow_helper import first_now, first_row_now

THUMB = f"engine:{shlex.join([sys.executable, str(EXAMPLES / 'thumb.py')])}"


def duelbook(folder: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "duelbook", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"XDG_STATE_HOME": str(folder / "state")},
        timeout=HANGING,
        check=False,
    )


@pytest.mark.parametrize("id", first_now(["tower", "deck", "secret"]))
def test_a_program_plays_a_whole_game_against_a_level(id: str, tmp_path: Path) -> None:
    kinds = ("--p1", THUMB, "--p2", "level:2")
    done = duelbook(tmp_path, "play", "--line", id, *kinds, "--save", "game.duel", "--max-turns", "20")
    assert done.returncode == 0
    assert done.stderr.startswith("Sandbox: ")
    assert done.stderr.count("\n") == 1
    (record,) = reads((tmp_path / "game.duel").read_text(encoding="utf-8"))
    assert record.match.outcome is not None
    assert record.match.outcome.kind in ("rules", "bell")
    assert record.seats == (THUMB, "level:2")


def test_a_program_that_fails_loses_the_game_and_the_record_says_why(tmp_path: Path) -> None:
    kind = f"engine:{bad('illegal')}"
    done = duelbook(tmp_path, "play", "--line", "tower", "--p1", kind, "--p2", "random", "--save", "game.duel")
    assert done.returncode == 0
    command = f"{Path(sys.executable).name} bad.py illegal"
    told = f"Player 1 lost by a fault (illegal): '{command}' played 'attack' at 0 0 1"
    assert told in done.stdout
    assert done.stdout.rstrip().endswith("Player 2 wins!")
    checked = duelbook(tmp_path, "verify", "game.duel")
    assert checked.returncode == 0
    assert f"game.duel: good. Tower Defense Duel, 0 turns, 0-1: {told}" in checked.stdout


@pytest.mark.slow
def test_both_fail_and_the_first_one_loses(tmp_path: Path) -> None:
    kinds = ("--p1", f"engine:{bad('crash')}", "--p2", f"engine:{bad('garbage')}")
    done = duelbook(tmp_path, "play", "--line", "secret", *kinds)
    assert done.returncode == 0
    assert "Player A lost by a fault (crash): " in done.stdout
    assert "Player B wins!" in done.stdout


@pytest.mark.parametrize(
    ("kind", "code", "words"),
    first_row_now(
        [
            ("engine:", 2, "engine: needs a command after it"),
            ("engine:./no-such-bot", 1, "Error: ./no-such-bot cannot be started"),
            (f"engine:{bad('crash-at-start')}", 1, "Its last words: There is no configuration file."),
        ]
    ),
)
def test_a_program_that_cannot_play_is_told_before_the_game(kind: str, code: int, words: str, tmp_path: Path) -> None:
    done = duelbook(tmp_path, "play", "--line", "tower", "--p2", kind)
    assert done.returncode == code
    assert words.replace("Error: ./no-such-bot", "Error: './no-such-bot'") in done.stderr
    assert done.stdout == ""


@pytest.mark.slow
def test_a_saved_game_goes_on_with_its_program(tmp_path: Path) -> None:
    begun = duelbook(tmp_path, "play", "--line", "tower", "--p2", THUMB, typed="build 4\nquit\n")
    assert "Player 2 builds 4 units." in begun.stdout
    gone_on = duelbook(tmp_path, "resume", "--line", typed="build 4\nquit\n")
    assert gone_on.returncode == 0
    assert gone_on.stdout.count("Player 2 builds 4 units.") == 1


def test_a_file_from_elsewhere_starts_no_program(tmp_path: Path) -> None:
    """Otherwise to resume somebody's game would be to run whatever they wrote into it."""
    proof = tmp_path / "proof"
    record = Record(Match(load("tower")), ("human", f"engine:touch {proof}"))
    (tmp_path / "theirs.duel").write_text(writes(record), encoding="utf-8")
    done = duelbook(tmp_path, "resume", "--line", "theirs.duel", typed="build 4\n")
    assert done.returncode == 1
    assert "theirs.duel would start a program: 'engine:touch " in done.stderr
    assert not proof.exists()


def test_a_fault_is_read_back_from_a_record() -> None:
    match = Match(load("tower"), names=("Ann (1)", "Bot"))
    match.play(0, 2)
    match.fault(1, "time", "It thought for ever.")
    (again,) = reads(writes(Record(match)))
    assert again.match.outcome == match.outcome
    assert again.match.outcome is not None
    assert again.match.outcome.kind == "fault"


@pytest.mark.parametrize(
    "tags",
    [
        '[Result "0-1"]\n[Termination "Player 2 lost by a fault (time): It slept."]',
        '[Result "*"]\n[Termination "Player 2 lost by a fault (time): It slept."]',
        '[Result "1-0"]\n[Termination "Player 3 lost by a fault (time): It slept."]',
        '[Result "1-0"]\n[Termination "Player 2 lost by a fault."]',
    ],
)
def test_a_fault_that_does_not_fit_the_result_is_refused(tags: str) -> None:
    with pytest.raises(BadRecord, match="do not end the game"):
        reads(f'[Game "tower"]\n{tags}\n')


# Nobody knows luck before it comes


def foretold(folder: Path, *options: str) -> set[int]:
    """The seeds that a program which reads all it can takes for the one of the cards, each time it is asked."""
    notes = folder / "notes"
    command = shlex.join([sys.executable, str(BOTS / "soothsayer.py"), str(notes), str(folder / "state")])
    kinds = ("--p1", f"engine:{command}", "--p2", "random", "--max-turns", "40", "--rule", "lp=99", "--sandbox", "off")
    done = duelbook(folder, "play", "--line", "deck", *kinds, *options)
    assert done.returncode == 0, done.stderr
    looks = re.findall(r"^tried (\d+), found \[(.*)\]$", notes.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(looks) == 20
    assert all(int(tried) > 0 for tried, _ in looks)
    return set.intersection(*({int(seed) for seed in found.split(",") if seed} for _, found in looks))


def test_a_program_that_reads_saves_and_processes_does_not_find_the_seed(tmp_path: Path) -> None:
    assert foretold(tmp_path) == set()


@pytest.mark.slow
def test_a_seed_on_the_command_line_is_there_for_whoever_looks_and_one_in_a_file_is_not(tmp_path: Path) -> None:
    """The other half of the test above: this is how it would look if a program found something."""
    seed = 123456789
    shown, hidden = tmp_path / "shown", tmp_path / "hidden"
    for folder in (shown, hidden):
        folder.mkdir()
    assert foretold(shown, "--seed", str(seed)) == {seed}
    (hidden / "seed").write_text(str(seed), encoding="utf-8")  # not in the folder that it searches
    assert foretold(hidden, "--seed", "@seed") == set()
