"""Every command explains itself: two examples that can be typed, a page that is there, and no word of our machinery."""

from __future__ import annotations

import runpy
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from duelbook.cli import duelbook
from duelbook.cli.commands import COMMANDS

ROOT = Path(__file__).parent.parent


def said(*words: str) -> str:
    return CliRunner().invoke(duelbook, words, terminal_width=100).output


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_every_command_ends_with_two_examples_and_a_page(name: str) -> None:
    shown = said(name, "--help")
    assert all(f"duelbook {example}\n" in shown for example in COMMANDS[name].examples)
    assert shown.rstrip().endswith(f"More: {COMMANDS[name].page}")
    assert (ROOT / COMMANDS[name].page).is_file()


@pytest.mark.parametrize("line", [example for about in COMMANDS.values() for example in about.examples])
def test_every_example_is_understood(line: str) -> None:
    """Read as if it had been typed, up to the moment in which it would be done."""
    name, *words = shlex.split(line)
    command = duelbook.get_command(click.Context(duelbook), name)
    assert command is not None
    command.make_context(name, words, parent=click.Context(duelbook))


@pytest.mark.parametrize("name", COMMANDS)
def test_no_type_or_range_of_ours_leaks_into_the_help(name: str) -> None:
    shown = said(name, "--help")
    assert not [word for word in ("<=", ">=", "TEXT", "INTEGER", "FLOAT", "DATETIME") if word in shown]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_what_the_option_says(name: str) -> None:
    assert said("help", name).split() == said(name, "--help").split()


def test_the_command_list_hides_no_name_that_help_needs() -> None:
    said("list")
    assert said("help") == said("--help")


def test_help_alone_lists_the_commands_and_help_of_nothing_is_wrong_usage() -> None:
    assert said("help") == said("--help")
    done = CliRunner().invoke(duelbook, ["help", "plya"])
    assert done.exit_code == 2
    assert "Did you mean 'play'?" in done.output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("play tower --max-turns 0", "'0' is not a whole number from 1 to 999,999."),
        ("play tower --max-turns 1.5", "'1.5' is not a whole number from 1 to 999,999."),
        ("play tower --seed many", "'many' is not a seed: that is a whole number of at most 38 digits."),
        ("replay tower --game 0", "'0' is not a whole number from 1 on."),
        ("puzzle --date tomorrow", "'tomorrow' is not a day, written as 2026-11-15."),
        ("check-engine --slack nan bot", "'nan' is not a number from 0 to 3,600."),
        ("arena random perfect -report penta=true", "Pairs of games are always counted as pairs here"),
        ("arena random perfect -pgnout file=x notation=san", "'notation=san' is a word of fastchess. Leave it out."),
    ],
)
def test_what_an_option_cannot_take_is_a_sentence(words: str, sentence: str) -> None:
    done = CliRunner().invoke(duelbook, shlex.split(words))
    assert done.exit_code == 2
    assert sentence in " ".join(done.output.split())


def test_a_file_named_as_fastchess_names_it_is_that_file(tmp_path: Path) -> None:
    target = tmp_path / "games.pgn"
    words = ["arena", "random", "random", "--games", "tower", "--rounds", "1", "--play", "--on", "one-process"]
    done = CliRunner().invoke(duelbook, [*words, "--out", str(tmp_path / "a.duel"), "-pgnout", f"file={target}"])
    assert done.exit_code == 0, done.output
    assert target.read_text(encoding="utf-8").startswith("[Event")


@pytest.mark.parametrize(
    "words",
    [
        "arena random perfect --duels tower --report",
        "arena random perfect --duels tower --pgnout",
        "arena random random --duels tower --play --rounds 1 --on one-process --out",
        "play tower --line --p1 random --p2 random --save",
        "review tower --svg",
        "review tower --png",
        "map tower --svg",
        "map tower --png",
    ],
)
def test_no_command_writes_over_a_file(words: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    there = tmp_path / "there.svg"
    there.write_text("mine", encoding="utf-8")
    done = CliRunner().invoke(duelbook, [*words.split(), str(there)])
    assert "exists already" in " ".join([done.output, str(done.exception)])
    assert done.exit_code != 0
    assert there.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("command", ["map", "review"])
def test_two_pictures_do_not_go_into_one_file(command: str, tmp_path: Path) -> None:
    target = str(tmp_path / "both")
    done = CliRunner().invoke(duelbook, [command, "tower", "--png", target, "--svg", target])
    assert "two different names" in " ".join([done.output, str(done.exception)])
    assert done.exit_code != 0
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("file", ["values.py", "options.py"])
def test_a_click_whose_types_are_of_no_kind_will_do(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they are in version 8.2, the oldest that we ask for: `ParamType[int]` is an error there."""

    monkeypatch.setattr(click.ParamType, "__class_getitem__", None)
    runpy.run_path(str(ROOT / "src" / "duelbook" / "cli" / file))
