"""Tab completes commands, options, duels, players, rules and saved games; every shell has a script that asks for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner

from duelbook import game_ids, load
from duelbook.cli import duelbook
from duelbook.cli.commands import COMMANDS
from duelbook.cli.completion import SCRIPTS, SHELLS, behind_breaks, offered
from duelbook.games import example
from duelbook.match import Match
from duelbook.policies.levels import RUNGS
from duelbook.record import Record, writes
from duelbook.saves import new_save
from helpers import follow


def words(line: str) -> list[str]:
    return [item.value for item in offered(duelbook, line) if item.type == "plain"]


def files_too(line: str) -> bool:
    return any(item.type == "file" for item in offered(duelbook, line))


def test_commands() -> None:
    assert words("duelbook ") == list(COMMANDS)
    assert words("duelbook") == list(COMMANDS)
    assert words("duelbook pu") == ["puzzle"]
    assert words("duelbook help pu") == ["puzzle"]
    assert words("duelbook nothing ") == []


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("help", "completion")])
def test_every_option_of_every_command(name: str) -> None:
    shown = CliRunner().invoke(duelbook, [name, "--help"]).output
    assert [option for option in words(f"duelbook {name} --") if option not in shown] == []
    assert "--help" in words(f"duelbook {name} --")


@pytest.mark.parametrize("name", ["play", "rules", "hint", "solve", "levels", "map", "puzzle", "check-game"])
def test_duels(name: str) -> None:
    assert words(f"duelbook {name} ") == game_ids()
    assert words(f"duelbook {name} t") == ["tower"]


@pytest.mark.parametrize("before", ["play --p1 ", "play tower --p2 ", "arena ", "arena perfect "])
def test_players(before: str) -> None:
    assert {*RUNGS, "human", "engine:"} <= {*words(f"duelbook {before}")}
    assert words(f"duelbook {before}per") == ["perfect"]


def test_whatever_takes_a_player_completes_them() -> None:
    taking = [
        (name, param)
        for name in COMMANDS
        for param in getattr(duelbook.get_command(Context(duelbook), name), "params", [])
        if param.metavar in ("KIND", "PLAYER", "PLAYER...")
    ]
    assert len(taking) >= 8
    for name, param in taking:
        option = f"{param.opts[0]} " if param.opts[0].startswith("-") else ""
        assert words(f"duelbook {name} {option}per") == ["perfect"], (name, option)
    assert words("duelbook hint secret --against lev") == [rung for rung in RUNGS if rung.startswith("level")]


def test_players_for_other_programs() -> None:
    assert {*words("duelbook engine --player ")} >= {*RUNGS}
    assert not {"human", "engine:"} & {*words("duelbook engine --player ")}


@pytest.mark.parametrize("id", game_ids())
def test_rules_of_the_duel_that_was_named(id: str) -> None:
    game = load(id)
    assert words(f"duelbook play {id} --rule ") == [f"{name}=" for name in game.knobs]
    for name, knob in game.knobs.items():
        begun = f"duelbook hint {id} --rule {name}="
        book = knob.show(getattr(game.book, name))
        assert words(begun) == [f"{name}={value}" for value in knob.choices or [book]]


def test_rules_before_a_duel_is_named() -> None:
    assert words("duelbook play --rule may") == ["may_pass="]
    assert words("duelbook play --rule hp=") == ["hp=10", "hp=100"]


@pytest.fixture
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


@pytest.mark.usefixtures("_at_home")
def test_saved_games() -> None:
    save = new_save("tower", "20260102-030405")
    save.write("")
    assert words("duelbook resume to") == [save.id]
    for name in ("replay", "review", "verify"):
        assert words(f"duelbook {name} to") == [save.id, "tower"]
        assert files_too(f"duelbook {name} to")
    assert not files_too("duelbook resume to")


@pytest.mark.usefixtures("_at_home")
def test_a_game_that_is_over_is_not_offered_to_go_on_with() -> None:
    over, rung, open_ = (new_save("tower", f"2026010{day}-030405") for day in (1, 2, 3))
    over.write(example(load("tower")).read_text(encoding="utf-8"))
    for save, most in ((rung, 1), (open_, 200)):
        match = Match(load("tower"), max_turns=most)
        follow(match, "build 4")
        save.write(writes(Record(match)))
    assert words("duelbook resume to") == [open_.id]
    assert set(words("duelbook review to")) == {over.id, rung.id, open_.id, "tower"}


@pytest.mark.usefixtures("_at_home")
def test_a_saved_game_whose_name_would_have_to_be_quoted_is_left_out() -> None:
    save = new_save("tower", "20260102-030405")
    save.write("")
    save.file.rename(save.file.with_name("tower of mine.duel"))
    assert words("duelbook resume to") == []


@pytest.mark.usefixtures("_at_home")
def test_a_saved_game_whose_name_reads_as_an_option_is_left_out() -> None:
    save = new_save("tower", "20260102-030405")
    save.write("")
    save.file.rename(save.file.with_name("-rf.duel"))
    assert "-rf" not in words("duelbook resume ")


def test_a_word_that_the_shell_breaks_into_several() -> None:
    for line, value, put in (
        ("duelbook play --p2 lev", "level:3", "level:3"),
        ("duelbook play --p2 level:", "level:3", "3"),
        ("duelbook play --rule zero=n", "zero=now", "now"),
        ("duelbook play --rule ", "zero=", "zero="),
        ("duelbook resume ", "tower-1", "tower-1"),
    ):
        assert behind_breaks(line, value, " :=") == put
        assert behind_breaks(line, value, "") == value


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_what_lies_in_the_package(shell: str) -> None:
    shown = CliRunner().invoke(duelbook, ["completion", shell]).output
    assert shown == (SCRIPTS / f"duelbook.{shell}").read_text("utf-8")
    assert "completion --for" in shown
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n", SCRIPTS / f"duelbook.{shell}"], check=True)


def test_what_is_no_shell_is_wrong_usage_and_so_is_none() -> None:
    """Nothing but a script goes to standard output: a shell may run what it finds there."""
    assert CliRunner().invoke(duelbook, ["completion", "tcsh"]).exit_code == 2
    none = CliRunner().invoke(duelbook, ["completion"])
    assert (none.exit_code, none.stdout) == (2, "")
    assert "Say for which shell: bash, zsh or fish." in none.stderr
    assert 'eval "$(duelbook completion bash)"' in CliRunner().invoke(duelbook, ["completion", "--help"]).output


IN_BASH = """
source "$1"
COMP_LINE=$2 COMP_POINT=${#2}
compopt() { echo "compopt $*"; }
_duelbook_completion duelbook
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("duelbook play ener", ["energy"]),
        ("duelbook play tower --p2 level:", ["1", "2", "3", "4", "5", "6"]),
        ("duelbook play energy --rule both_", ["compopt -o nospace", "both_empty="]),
        ("duelbook play energy --rule both_empty=d", ["defender", "draw"]),
        ("duelbook verify nothing-of-that-name", ["compopt -o default", ""]),
    ],
)
def test_bash(line: str, expected: list[str], tmp_path: Path) -> None:
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run(
        [bash, "-c", IN_BASH, "bash", SCRIPTS / "duelbook.bash", line],
        env=os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout.splitlines() == expected
