"""Where a user's files are, and what every command does for a user who has no home folder, or one that is no place."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbook import folders
from duelbook.cli import run
from duelbook.table.keeper import usable_path
from duelbook.table.shelf import locate
from duelbook.tui.preferences import Preferences, remembered
from helpers import HANGING

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has other folders")
XDG = ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
NO_HOME = "There is no home folder here"
Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def duelbook(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command in this process: exit code, output and complaints."""

    def call(*words: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["duelbook", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = run()
        said = capsys.readouterr()
        assert "made a mistake" not in said.err
        return code, said.out, said.err

    return call


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user under a bare number: nothing is set, and the system knows no home."""
    for name in (*XDG, "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", lambda number: {}[number])


def test_the_folders_are_those_that_xdg_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in XDG:
        monkeypatch.delenv(name, raising=False)
    assert folders.state() == tmp_path / ".local" / "state" / "duelbook"
    assert folders.cache() == tmp_path / ".cache" / "duelbook"
    assert folders.config() == tmp_path / ".config" / "duelbook"
    for name in XDG:
        monkeypatch.setenv(name, str(tmp_path / name))
    assert folders.state() == tmp_path / "XDG_STATE_HOME" / "duelbook"
    assert folders.cache() == tmp_path / "XDG_CACHE_HOME" / "duelbook"
    assert folders.config() == tmp_path / "XDG_CONFIG_HOME" / "duelbook"


@pytest.mark.parametrize("said", ["", "here", "./here", "../here"])
def test_a_relative_folder_is_as_if_it_were_not_named(
    said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", said)
    assert folders.state() == tmp_path / ".local" / "state" / "duelbook"


def test_a_home_that_is_no_place_is_none(monkeypatch: pytest.MonkeyPatch, homeless: None) -> None:
    monkeypatch.setenv("HOME", "some/where")
    with pytest.raises(folders.NoFolder, match="which is not an absolute path"):
        folders.state()


def test_an_empty_home_is_not_the_root_of_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in XDG:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "")
    with pytest.raises(folders.NoFolder, match=f"{NO_HOME}: HOME is empty"):
        folders.state()


@pytest.mark.parametrize("name", ["~/g.duel", "~nobody-of-that-name/g.duel", "a\0b"])
def test_a_name_that_no_file_can_have_is_refused(name: str, homeless: None) -> None:
    with pytest.raises(folders.NoFolder, match="is not a name that a file can have here"):
        folders.named(name)
    with pytest.raises(ValueError, match="is not a name that a file can have here"):
        usable_path(name)
    with pytest.raises(ValueError, match="There is no file and no saved game called"):
        locate(name)


# Every command, without a home


def test_a_game_is_played_and_not_saved(duelbook: Command, homeless: None) -> None:
    code, out, err = duelbook("play", "tower", typed="build 4\nbuild 4\nsave\nquit\n")
    assert code == 0
    assert "Your tower height is now 4." in out
    assert "The game could not be saved." in out
    assert err.count(NO_HOME) == 1
    assert "You can play, but the game will not be saved." in err
    assert err.splitlines()[-1] == "This game was not saved."


def test_the_menu_opens(duelbook: Command, homeless: None) -> None:
    code, out, _ = duelbook("play", typed="tower\n1\n1\nquit\n")
    assert code == 0
    assert "Go on with your last game" not in out


def test_games_says_that_none_are_saved(duelbook: Command, homeless: None) -> None:
    assert duelbook("games", "--json") == (0, "[]\n", "")
    code, out, err = duelbook("games")
    assert (code, err) == (0, "")
    assert out.count(NO_HOME) == 1
    assert "games are not saved" in out


def test_resume_has_nothing(duelbook: Command, homeless: None) -> None:
    code, _, err = duelbook("resume")
    assert code == 1
    assert "There is no unfinished game to go on with." in err


def test_a_puzzle_is_judged_and_not_remembered(duelbook: Command, homeless: None) -> None:
    code, out, err = duelbook("puzzle", "tower", "--seed", "3", "--move", "build 1")
    assert code == 0
    assert "0 of 1 puzzle solved" in out
    assert err.count(NO_HOME) == 1
    assert err.endswith("So this puzzle is not remembered.\n")


def test_a_tournament_is_held_and_not_kept(duelbook: Command, homeless: None) -> None:
    words = ["arena", "random", "level:1", "--play", "--games", "tower", "--rounds", "1", "--on", "one-process"]
    code, out, err = duelbook(*words)
    assert code == 0
    assert "level:1" in out
    assert "The games are in" not in out
    assert err.count(NO_HOME) == 1
    assert "The games are played and not kept; --out FILE would keep them." in err
    code, _, err = duelbook(*words, "--resume")
    assert code == 1
    assert "So there is nothing to go on with" in err


def test_a_tournament_in_a_state_folder_that_is_none_is_held_too(
    duelbook: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "state").write_text("a file where the folder should be", encoding="utf-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    words = ["arena", "random", "level:1", "--play", "--games", "tower", "--rounds", "1", "--on", "one-process"]
    code, _, err = duelbook(*words)
    assert code == 0
    assert "Games cannot be kept in" in err


def test_rules_that_must_be_solved_are_solved_without_a_cache(duelbook: Command, homeless: None) -> None:
    code, out, err = duelbook("hint", "tower", "--rule", "goal=9")
    assert (code, err) == (0, "")
    assert "you win in at most 11 moves" in out


def test_settings_are_the_usual_ones_and_cannot_be_kept(homeless: None) -> None:
    assert remembered() == Preferences()
    said = Preferences().keep() or ""
    assert said.startswith("Your settings could not be written. There is no home folder here")


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can become nobody")
@pytest.mark.slow
def test_a_real_user_without_a_home(tmp_path: Path) -> None:
    """The same for a process whose number no file of the system knows."""
    played = "sys.argv = ['duelbook', 'play', 'tower']\ncode = duelbook.cli.run()\n"
    environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}

    def play(before: str, after: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", f"import os, sys, duelbook.cli\n{before}\n{played}{after}sys.exit(code)"],
            input="build 4\nquit\n", capture_output=True, text=True, env=environment | more,
            cwd="/", timeout=HANGING, check=False,
        )  # fmt: skip

    # Nobody may not read in a tree that is closed to others: what such a game loads is loaded before they come.
    loaded = tmp_path / "loaded"
    play("", f"open({str(loaded)!r}, 'w').write(chr(10).join(sys.modules))\n", HOME=str(tmp_path))
    done = play(
        f"import importlib\nfor name in open({str(loaded)!r}).read().split():\n"
        "    if name != '__main__': importlib.import_module(name)\n"
        "os.setgroups([]); os.setgid(54321); os.setuid(54321)\n",
        "",
    )
    assert done.returncode == 0, done.stderr
    assert "Your tower height is now 4." in done.stdout
    assert done.stderr.count(NO_HOME) == 1
