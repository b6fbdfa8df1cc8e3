"""No program can make the referee work without end, or show a person what is not there."""

from __future__ import annotations

import io
import shlex
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from duelbook import game_ids
from duelbook.cli.arena_words import read_limits
from duelbook.cli.check_engine import command
from duelbook.engine import process
from duelbook.engine.client import Engine
from duelbook.engine.fault import EngineFault
from duelbook.engine.limits import Limits
from duelbook.engine.process import LONGEST_LINE, LONGEST_WAIT, MOST_OUTPUT
from duelbook.engine.protocol import BadLine
from duelbook.engine.replies import MOST_ANNOUNCED, EngineOption, Identity, Info, read_identity, read_info
from duelbook.engine.server import LONGEST_SENTENCE, Server
from duelbook.match import Player
from duelbook.players.engine import EnginePlayer
from duelbook.players.random import RandomPlayer
from engine_helper import FREE, bad, first_view


def started(how: str = "nothing") -> Iterator[EnginePlayer]:
    player = EnginePlayer(bad(how), Limits(around=FREE, move_time=30.0))
    player.prepare(first_view())
    yield player
    player.close()


class Counted(bytearray):
    """What was said of a line so far; counts how many bytes are looked through."""

    looked_through = 0

    def __bytes__(self) -> bytes:
        Counted.looked_through += len(self)
        return bytes(bytearray(self))


def test_a_line_that_comes_letter_by_letter_is_looked_through_once() -> None:
    for player in started():
        assert player.engine is not None
        running = player.engine.process
        running._rest, Counted.looked_through = Counted(), 0
        line = b"x" * (LONGEST_LINE - 1) + b"\n"
        for at in range(len(line)):
            running._take_in(line[at : at + 1])
        assert running.unread.pop() == line[:-1]
        assert Counted.looked_through <= 2 * len(line)


def test_a_line_without_an_end_is_a_fault_as_soon_as_it_is_too_long() -> None:
    for player in started():
        assert player.engine is not None
        running = player.engine.process
        for _ in range(LONGEST_LINE):
            running._take_in(b"x")
        with pytest.raises(EngineFault, match="said a line of more than 16,384 bytes"):
            running._take_in(b"x")


def test_a_handshake_announces_so_much_and_no_more() -> None:
    """Otherwise a megabyte of it would be copied a hundred thousand times."""
    identity = Identity()
    for at in range(MOST_ANNOUNCED):
        identity = read_identity(identity, f"game x{at}")
    for line in ("game one-more", "option name One type string"):
        with pytest.raises(BadLine, match="More than 1,000 duels and options are announced"):
            read_identity(identity, line)
    assert read_identity(identity, "id name Greedy").name == "Greedy"


# Numbers


@pytest.mark.parametrize(
    "number", ["9" * 5000, "-" + "9" * 5000, "\u0662" * 10, "\u00b2", "1e999", "nan", "1_0", "0x10"]
)
def test_numbers_that_are_none_harm_nobody(number: str) -> None:
    said: list[str] = []

    def make(values: dict[str, str], seed: int) -> Player:
        return RandomPlayer(1)

    server = Server("Ours", game_ids(), [EngineOption("Seed", "spin", "0", 0, 99)], make, make, said.append)
    lines = [
        f"setoption name Seed value {number}",
        f"newgame tower rules goal={number}",
        f"newgame tower rules builds={number},2,4",
        "newgame tower",
        f"position at {number} 0 1",
        f"go seat {number}",
        f"go turn {number} seat 1",
        f"go time1 {number} seat 1",
        "newgame deck",
        f"position at 20 20 1 1-{number}",
        f"position start moves {number}:",
        "newgame secret",
        f"position start moves {number}/5",
    ]
    server.run(io.BytesIO("\n".join([*lines, "newgame tower", "position start", "go seat 1", ""]).encode()))
    assert said[-1].startswith("bestmove ")
    assert all(line.startswith("info string ") for line in said[:-1])
    assert max(map(len, said)) < LONGEST_SENTENCE + 20
    assert not EngineOption("Seed", "spin", "0", 0, 99).takes(number)
    assert read_info(f"info depth {number} score {number}") == Info()


@pytest.mark.parametrize("clock", ["60+999999", "999999+1", "9999:59"])
def test_a_clock_beyond_all_bounds_is_refused(clock: str) -> None:
    with pytest.raises(click.UsageError, match=r"A clock has at most 86,400 s for a game or a move; .* has more"):
        read_limits({"tc": clock})
    assert read_limits({"tc": "86400+86400"}).clock == (86_400, 86_400)


def test_a_clock_may_grow_beyond_what_the_system_can_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    player = EnginePlayer(bad("slow"), Limits(clock=(86_400.0, 999_999_999.0), around=FREE))
    player.prepare(first_view())
    for _ in range(3):
        player.choose(first_view())
    assert player.time_left > 2**31 / 1000
    player.close()


def test_a_wait_that_was_cut_short_is_not_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "LONGEST_WAIT", 0.001)
    assert LONGEST_WAIT * 1000 < 2**31
    player = EnginePlayer(bad("slow"), Limits(move_time=30.0, around=FREE))
    player.prepare(first_view())
    assert player.choose(first_view()) == 0
    player.close()


# Letters


STEERING = "\x1b]0;owned\x07 \u202e\u200b"
SHOWN = r"\x1b]0;owned\x07 \u202e\u200b"


@pytest.mark.parametrize(
    ("how", "shown"),
    [
        ("answer-with-nul", r"played 'build_4\x00' at 0 0 1"),
        ("answer-without-width", r"played 'build_4\u200b' at 0 0 1"),
        ("answer-that-steers", r"played '\x1b]0;owned\x07' at 0 0 1"),
        ("last-words-that-steer", rf"Its last words: {SHOWN}"),
    ],
)
def test_letters_that_cannot_be_seen_are_shown_as_such(how: str, shown: str) -> None:
    for player in started(how):
        with pytest.raises(EngineFault) as caught:
            player.choose(first_view())
        assert shown in caught.value.sentence
        assert caught.value.sentence.isprintable()


def test_what_a_program_says_of_itself_does_not_steer_a_terminal() -> None:
    words = ["--sandbox", "off", "--slack", "60", *shlex.split(bad("steer"))]
    for done in (CliRunner().invoke(command, words), CliRunner().invoke(command, ["--json", *words])):
        assert "owned" in done.output
        assert "\x1b" not in done.output
        assert "\x07" not in done.output
        assert "\u202e" not in done.output


def test_its_options_are_shown_as_they_are() -> None:
    engine = Engine(shlex.split(bad("steer")), Limits(around=FREE))
    for name, value in (("Mood", "1"), (f"Te{STEERING}mper", "x")):
        with pytest.raises(Exception, match=r"\\x1b\]0;owned") as caught:
            engine.set_option(name, value)
        assert str(caught.value).isprintable()
    engine.end()


def test_a_flood_between_two_moves_ends_somewhere() -> None:
    for player in started("flood-afterwards"):
        player.choose(first_view())
        questions = (player.choose(first_view()) for _ in range(MOST_OUTPUT))
        with pytest.raises(EngineFault, match=f"said more than {MOST_OUTPUT:,} bytes"):
            list(questions)
