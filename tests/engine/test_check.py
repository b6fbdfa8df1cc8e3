"""The compliance check: good programs pass, and for every other one it says what was seen."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from duelbook import DuelError, Match, Turn, check_engine, game_ids, load, variant
from duelbook.cli.check_engine import command
from duelbook.engine.check import Checker, other_rules
from duelbook.engine.limits import Limits, usual_limits
from duelbook.games import ROOMS
from duelbook.players import seat_player
from duelbook.players.engine import EnginePlayer
from duelbook.solving.library import solution_for
from engine_helper import EXAMPLES, FREE, bad
from helpers import HANGING
from slow_helper import first_now

LANGUAGES = {"thumb.py": sys.executable, "fickle.js": "node", "brute.c": "cc"}


@pytest.fixture(params=first_now(LANGUAGES), scope="module")
def example(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The command of each example bot; a language that is not installed here is left out."""
    name: str = request.param
    tool = shutil.which(LANGUAGES[name])
    if tool is None:
        pytest.skip(f"{LANGUAGES[name]} is not installed here")
    if not name.endswith(".c"):
        return shlex.join([tool, str(EXAMPLES / name)])
    program = tmp_path_factory.mktemp("bots") / "brute"
    subprocess.run([tool, "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, EXAMPLES / name], check=True)
    return str(program)


def check(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "duelbook", "check-engine", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=HANGING, check=False)


SLACK = 60.0
"""Seconds that our own programs may be late: how fast this machine is, is not what is tested."""


@pytest.mark.slow
def test_an_example_keeps_to_the_protocol(example: str) -> None:
    done = check("--slack", str(SLACK), example)
    assert done.returncode == 0, done.stdout
    assert "FAILED" not in done.stdout
    for id in game_ids():
        assert f"passed  {id}: a whole game" in done.stdout


def test_an_example_plays_every_duel(example: str) -> None:
    player = EnginePlayer(example, usual_limits()._replace(move_time=HANGING))
    for id in game_ids():
        for kind in ("level:3", "perfect"):
            match = Match(load(id), seed=1, max_turns=30)
            other = seat_player(kind, 1)
            assert other is not None
            player.prepare(match.view(0))
            assert match.run((player, other)).kind in ("rules", "bell")
    player.close()


@pytest.mark.parametrize("name", LANGUAGES)
def test_an_example_is_short(name: str) -> None:
    assert 30 <= len((EXAMPLES / name).read_text(encoding="utf-8").splitlines()) <= 60


@pytest.mark.slow
def test_our_own_players_keep_to_it() -> None:
    """However long that takes: under other rules than the books' they say that they are preparing."""
    for id in ROOMS:  # solved here and kept, it is solved once for all tests
        solution_for(load(id), variant(load(id), other_rules(load(id))))
    done = check("--slack", str(SLACK), sys.executable, "-m", "duelbook", "engine", "--player", "level:2")
    assert done.returncode == 0, done.stdout
    assert "passed  options: options: Player and Seed; an unknown one is passed over" in done.stdout


def test_other_rules_are_tried_with_every_duel() -> None:
    """A number and an option, or two numbers, none as in the book, and there is something to play."""
    for id in ROOMS:
        game = load(id)
        settings = other_rules(game)
        assert len(settings) == 2
        rules = variant(game, settings)
        assert sum(one != other for one, other in zip(rules, game.book, strict=True)) == 2
        assert game.turn(rules, game.start(rules, 0)) != Turn.OVER


@pytest.mark.parametrize(
    ("how", "point", "seen"),
    [
        ("crash-at-start", "handshake", "crash: "),
        ("greet", "handshake", "protocol: "),
        ("crash", "tower: a whole game", "crash: "),
        ("illegal", "tower: a whole game", "illegal: "),
        ("garbage", "secret: a whole game", "protocol: "),
        ("flood-stdout", "deck: other rules", "protocol: "),
        ("hang", "stop", "did not say bestmove within 1 s."),
        ("late", "go with little time", "did not say bestmove within 0.1 s."),
        ("two-answers", "silence when nothing is asked", "protocol: "),
        ("ignore-quit", "quit", "It went on running for more than 1 s."),
        ("ignore-quit", "end of input", "It went on running for more than 1 s."),
        ("child", "quit", "something that it had started went on running."),
    ],
)
def test_what_a_program_does_wrong_is_said(how: str, point: str, seen: str) -> None:
    slack = 0.0 if " s." in seen else SLACK  # only where time is the fault does it matter
    checker = Checker(shlex.split(bad(how)), Limits(move_time=0.3, around=FREE), slack=slack)
    found = checker.attempt("handshake", checker.handshake)
    if point != "handshake":
        assert found.passed
        found = checker.attempt(point, checker.attempts()[point])
    assert not found.passed
    assert seen in found.seen


@pytest.mark.parametrize("time", ["nan", "NaN", "inf", "-inf", "-1", "0", "soon"])
def test_a_time_that_is_none_is_wrong_usage(time: str) -> None:
    done = CliRunner().invoke(command, ["--move-time", time, "./bot"])
    assert done.exit_code == 2
    assert "Invalid value for '--move-time'" in done.output


@pytest.mark.parametrize(("words", "kilobytes"), [([], 1024 * 1024), (["--memory", "64"], 64 * 1024)])
def test_memory_is_limited_as_it_will_be_in_play(words: list[str], kilobytes: int) -> None:
    done = CliRunner().invoke(command, [*words, "sh", "-c", "ulimit -d >&2; exit 3"])
    assert f"Its last words: {kilobytes}\n" in done.output
    assert Limits().memory_mb == 1024, "the arena's"


def test_without_a_handshake_there_is_nothing_more_to_try() -> None:
    done = check(bad("crash-at-start"))
    assert done.returncode == 1
    first, last = done.stdout.splitlines()
    assert first.startswith("FAILED  handshake: crash: ")
    assert last == "0 of 1 points passed."


def test_as_json() -> None:
    done = check("--json", "--move-time", "0.3", "./no such bot", "--flag")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["command"] == ["./no such bot", "--flag"]
    assert report["passed"] is False
    (point,) = report["points"]
    assert point["name"] == "handshake"
    assert "cannot be started" in point["seen"]


def test_a_command_can_be_one_word_or_many(tmp_path: Path) -> None:
    assert check("'").returncode == 2
    assert check().returncode == 2


@pytest.mark.parametrize(
    ("given", "limits", "sentence"),
    [
        ("./mybot 'open", {}, r"A quote in '\./mybot 'open' is not closed\."),
        (" ", {}, "needs a command"),
        ("./mybot", {"move_time": "soon"}, "The limit move_time takes seconds"),
    ],
)
def test_what_cannot_be_tried_is_refused_in_a_sentence(given: str, limits: dict[str, Any], sentence: str) -> None:
    with pytest.raises(DuelError, match=sentence):
        check_engine(given, **limits)
