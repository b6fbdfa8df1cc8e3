"""The built package, installed with nothing but what it asks for: it starts, plays, solves and keeps games.

`make test-all` builds and installs it; elsewhere there is nothing to try.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from duelbook import __version__, game_ids, load, variant
from duelbook.cli.completion import SCRIPTS

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent


@pytest.fixture
def plain(request: pytest.FixtureRequest) -> Path:
    folder: Path | None = request.config.getoption("--plain-install")
    if folder is None:
        pytest.skip("no plain install to try: make test-all")
    return folder.absolute() / "bin"


@pytest.fixture
def duelbook(plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Shell(plain / "duelbook", tmp_path)


class Shell:
    """The installed command, in a folder where nothing of the project lies."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program, self.folder = program, folder

    def __call__(self, *words: str, typed: str = "") -> str:
        done = subprocess.run(
            [self.program, *words],
            input=typed,
            cwd=self.folder,
            env=os.environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr


def test_what_solves_came_with_it_and_nothing_else_that_is_heavy(plain: Path) -> None:
    code = (
        "import importlib.util as u; print([n for n in ('numba', 'numpy', 'matplotlib', 'pytest') if u.find_spec(n)])"
    )
    done = subprocess.run([plain / "python", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['numba', 'numpy']\n"


def readings(id: str) -> list[str]:
    """Every reading of the duel's book that is not ours and has a name."""
    game = load(id)
    settings = [f"{name}={choice}" for name, knob in game.knobs.items() for choice in knob.choices]
    return [setting for setting in settings if variant(game, [setting]) != game.book]


OTHER_NUMBERS = {"conquer": "hp=12", "deck": "lp=30", "energy": "energy=12", "secret": "hp=60", "tower": "goal=18"}
OTHER_RULES = [(id, setting) for id in game_ids() for setting in (*readings(id), OTHER_NUMBERS[id])]


@pytest.mark.parametrize(("id", "setting"), OTHER_RULES)
def test_other_rules_have_all_that_the_books_have(duelbook: Shell, id: str, setting: str) -> None:
    """Levels, perfect play, hints and the coach; the second command finds what the first has solved."""
    changed = (id, "--rule", setting)
    for players in (("level:1", "perfect"), ("random", "level:5")):
        said = duelbook("play", "--line", *changed, "--p1", players[0], "--p2", players[1], "--seed", "3")
        assert re.search(r"wins|winner|no result|draw", said, re.IGNORECASE)
    assert duelbook("hint", *changed)
    said = duelbook("play", "--line", "--coach", *changed, "--p2", "level:1", typed="hint\nquit\n")
    assert "Nothing was decided in this game" in said


def test_the_man_page_and_what_completes_commands_came_with_it(plain: Path) -> None:
    share = plain.parent / "share"
    assert (share / "man/man1/duelbook.1").read_text("utf-8") == (ROOT / "docs/man/duelbook.1").read_text("utf-8")
    for shell, place in (
        ("bash", "bash-completion/completions/duelbook"),
        ("zsh", "zsh/site-functions/_duelbook"),
        ("fish", "fish/vendor_completions.d/duelbook.fish"),
    ):
        assert (share / place).read_text("utf-8") == (SCRIPTS / f"duelbook.{shell}").read_text("utf-8")


def test_it_is_this_version(duelbook: Shell) -> None:
    assert __version__ in duelbook("--version")


@pytest.mark.parametrize("id", game_ids())
def test_every_duel_is_played_to_its_end(duelbook: Shell, id: str) -> None:
    said = duelbook("play", "--line", id, "--p1", "level:2", "--p2", "random", "--seed", "3")
    assert re.search(r"wins|winner", said.splitlines()[-1], re.IGNORECASE)


def test_a_game_is_left_and_gone_on_with(duelbook: Shell) -> None:
    assert "The game is saved." in duelbook("play", "--line", "tower", typed="build 4\nquit\n")
    assert "Your tower height: 4" in duelbook("resume", "--line", typed="build 2\nquit\n")
    assert "tower-" in duelbook("games")


@pytest.mark.parametrize("id", game_ids())
def test_what_is_shipped_with_it_answers(duelbook: Shell, id: str) -> None:
    assert duelbook("rules", id).startswith("# ")
    assert duelbook("hint", id)
    assert duelbook("puzzle", id, "--show")
    assert duelbook("levels", id)
    assert duelbook("map", id)


def test_a_small_tournament(duelbook: Shell) -> None:
    assert "perfect" in duelbook("arena", "random", "perfect", "--games", "tower", "--play", "--rounds", "2")


def test_a_bot_of_its_own_keeps_to_the_protocol(duelbook: Shell) -> None:
    said = duelbook("engine", "--player", "random", typed="udi\nisready\nquit\n")
    assert said.splitlines()[-1] == "readyok"
