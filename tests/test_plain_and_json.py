"""`--json` and `--plain` are where they are needed and nowhere else: every command is run and looked at."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from agents_helper import COMMAND as MCP
from agents_helper import need_mcp
from duelbook import patience
from duelbook.cli import duelbook
from duelbook.cli.commands import COMMANDS
from duelbook.core import DuelError
from duelbook.solving import library
from online_helper import served
from slow_helper import slow_if

PAGE = (Path(__file__).parent.parent / "docs" / "commands.md").read_text(encoding="utf-8")
RUNS = {
    "play": "tower --line --p1 random --p2 random --seed 1",
    "learn": "tower --line",
    "resume": "--line",
    "games": "--all",
    "me": "",
    "list": "",
    "rules": "tower",
    "replay": "tower --fast",
    "verify": "tower",
    "review": "tower",
    "hint": "tower --rule goal=9",
    "solve": "tower --rule goal=9",
    "levels": "tower",
    "arena": "random random --duels tower --rounds 1 --play --on one-process",
    "exam": "level:3 --duels tower --questions 4 --edition fresh:1",
    "refute": "level:3 --duels tower --rule goal=9",
    "map": "tower",
    "puzzle": "tower --random --seed 3 --show",
    "engine": "",
    "check-engine": "--sandbox off false",
    "check-game": "tower --positions 20",
    "check-env": f"tower {Path(__file__).parent / 'foreign' / 'given' / 'tower.py'} --class Tower",
    "serve": "--port 0 --check",
    "join": "",
    "bot": "--duels tower --player random --games 1",
    "mcp": "",
    "completion": "bash",
    "help": "",
}
"""How each command is run; with rules of their own, so that something must be solved."""
TALK = ("play", "learn", "resume", "engine", "serve", "join", "bot", "mcp", "completion", "help")
"""They hold a conversation, or print what a person reads about the command itself."""


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


class Seen(NamedTuple):
    out: str
    err: str
    bars: int
    """How often it was asked whether a bar may be drawn, and it may."""

    @property
    def drew(self) -> bool:
        return "\x1b" in self.out + self.err or self.bars > 0


Run = Callable[..., Seen]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    for name in ("STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)
    asked = patience.drawing
    bars = []

    def noting() -> bool:
        bars.append(asked())
        return asked()

    for room in ("patience", "cli.arena_progress"):
        monkeypatch.setattr(f"duelbook.{room}.drawing", noting)

    def ran(name: str, *more: str) -> Seen:
        if name == "resume":  # there must be something to go on with
            _started("play", "tower", "--line", typed=b"build 4\n")
        if name == "join":  # there must be a table to sit down at
            with served(tmp_path / shlex.join(["games", *more])) as server:
                return Seen(*_started(name, server.new_game("tower", "random"), *more), 0)
        if name == "bot":  # and somebody who sits down across from it
            with served(tmp_path / "games") as server, server.somebody_who_resigns():
                return Seen(*_started(name, server.address, *shlex.split(RUNS[name]), *more), 0)
        if name == "mcp":  # its streams are the process's own: nobody speaks, and it says nothing
            need_mcp()
            done = subprocess.run([*MCP, *more], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
            return Seen(done.stdout, done.stderr, 0)
        monkeypatch.setattr(library, "_known", {})
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / shlex.join(["CACHE", *more])))
        bars.clear()
        out, err = _started(name, *more, *shlex.split(RUNS[name]))
        return Seen(out, err, sum(bars))

    def _started(*words: str, typed: bytes = b"") -> tuple[str, str]:
        out, err = Screen(), Screen()
        with pytest.MonkeyPatch.context() as terminal:
            terminal.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
            terminal.setattr(sys, "stdout", out)
            terminal.setattr(sys, "stderr", err)
            try:
                duelbook.main(list(words), prog_name="duelbook", standalone_mode=False)
            except (DuelError, SystemExit) as error:
                raise AssertionError(words) from error
        return out.getvalue(), err.getvalue()

    return ran


def options(name: str) -> set[str]:
    command = duelbook.get_command(click.Context(duelbook), name)
    assert command is not None
    return {option for param in command.params for option in param.opts}


def said_of(option: str) -> set[str]:
    """The commands that the page names as those without the option."""
    (line,) = re.findall(rf"^- `{option}` (.*?)(?=^- |^$)", PAGE, re.MULTILINE | re.DOTALL)
    return {name for name in re.findall(r"`([a-z-]+)`", line) if name in COMMANDS}


def test_every_command_is_run_here() -> None:
    assert list(RUNS) == list(COMMANDS)


@pytest.mark.parametrize("name", [slow_if(name == "mcp", name) for name in COMMANDS])
def test_a_command_takes_plain_if_it_draws_and_draws_nothing_then(name: str, run: Run) -> None:
    assert run(name).drew == ("--plain" in options(name))
    if "--plain" in options(name):
        assert not run(name, "--plain").drew


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_takes_json_if_it_prints_data_and_prints_nothing_else_then(name: str, run: Run) -> None:
    assert ("--json" in options(name)) == (name not in TALK)
    if "--json" in options(name):
        json.loads(run(name, "--json").out)


def test_the_page_names_the_commands_that_have_neither() -> None:
    assert said_of("--json") == {name for name in COMMANDS if "--json" not in options(name)}
    assert said_of("--plain") == {name for name in COMMANDS if "--plain" not in options(name)}


def test_whoever_waits_plainly_sees_the_words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Later:
        def wait(self, _seconds: float) -> bool:
            return False

    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    patience._show(["Solving this ..."], Later(), drawn=False)
    assert screen.getvalue() == "Solving this ...\n"
