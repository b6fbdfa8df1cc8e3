"""`duelbook engine` bears with whatever it hears."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duelbook.engine.protocol import Option
from duelbook.engine.server import LONGEST_LINE, Server
from duelbook.players.random import RandomPlayer


def conversation(text: bytes) -> list[str]:
    said: list[str] = []
    options = [Option("Seed", "spin", "0", 0, 99), Option("Style", "combo", "calm", choices=("calm", "wild"))]
    make = lambda values: RandomPlayer(int(values["Seed"]))  # noqa: E731 - it is short
    Server("Test", ["tower", "deck"], options, make, said.append).run(io.BytesIO(text))
    return said


def answers(*lines: str) -> list[str]:
    return conversation("".join(f"{line}\n" for line in lines).encode())


def test_a_handshake() -> None:
    assert answers("udi", "isready", "quit", "isready") == [
        "id name Test",
        "id author Duelbook",
        "game tower",
        "game deck",
        "option name Seed type spin default 0 min 0 max 99",
        "option name Style type combo default calm var calm var wild",
        "udiok",
        "readyok",
    ]


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["xyzzy"], "info string 'xyzzy' means nothing here."),
        (["position start"], "info string newgame comes before position."),
        (["go seat 1"], "info string newgame comes before go."),
        (["newgame chess"], "info string There is no game called 'chess'."),
        (["newgame tower", "go seat 2"], "info string Seat 2 has nothing to decide at this position."),
        (["newgame deck", "go seat 1"], "info string Seat 1 has nothing to decide at this position."),
        (["newgame tower", "position at 15 0 2", "go seat 2"], "info string Seat 2 has nothing to decide"),
        (["setoption name Seed value 100"], "info string Seed is a whole number from 0 to 99, not '100'."),
        (["setoption name Seed value x"], "info string Seed is a whole number from 0 to 99, not 'x'."),
        (["setoption name Style value odd"], "info string Style is one of calm, wild, not 'odd'."),
        (["setoption name Hash value 1"], "info string There is no option called 'Hash'."),
        (["_hear_go", "run"], "info string '_hear_go' means nothing here."),
    ],
)
def test_what_makes_no_sense_is_answered_with_a_sentence(lines: list[str], answer: str) -> None:
    *_, ready = answers(*lines, "isready")
    assert ready == "readyok"
    assert any(line.startswith(answer) for line in answers(*lines))


def test_stop_empty_lines_and_carriage_returns_are_borne() -> None:
    assert answers("stop", "", "   ", "isready\r") == ["readyok"]


def test_a_line_without_an_end_is_still_a_line() -> None:
    assert conversation(b"isready") == ["readyok"]


def test_a_huge_line_is_passed_over() -> None:
    long, *rest = conversation(b"x" * (3 * LONGEST_LINE) + b"\nisready\n")
    assert long.startswith("info string That line was longer than")
    assert rest == ["readyok"]


def test_a_setting_changes_the_player() -> None:
    ask = ["newgame tower", *(f"go turn {turn} seat 1" for turn in range(1, 12))]
    assert answers(*ask) == answers("setoption name Seed value 0", *ask)
    assert answers(*ask) != answers("setoption name Seed value 7", *ask)


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_no_bytes_disturb_it(junk: bytes) -> None:
    said = conversation(b"newgame deck\n" + junk.replace(b"quit", b"") + b"\nisready\n")
    assert said[-1] == "readyok"


def test_it_ends_with_its_input_and_when_nobody_listens() -> None:
    command = [sys.executable, "-m", "duelbook", "engine", "--player", "random"]
    done = subprocess.run(command, input=b"udi\n", capture_output=True, timeout=60, check=True)
    assert done.stdout.endswith(b"udiok\n")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        process.communicate(b"udi\nisready\n", timeout=60)
        assert process.returncode == 1
