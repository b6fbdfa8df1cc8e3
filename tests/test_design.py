"""The house stays as it was drawn: which room may import which, and what starting must not load."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from duelbook import game_ids, load
from duelbook.games import ROOMS

SOURCE = Path(__file__).parent.parent / "src" / "duelbook"
HEAVY = {"numpy", "numba", "scipy", "matplotlib", "textual", "rich.console", "rich.markdown", "asyncio"}

# Each room and what it may import of Duelbook, besides itself. Order is the order of the building.
ALLOWED = {
    "core": set[str](),
    "luck": set[str](),
    "patience": {"speech"},
    "intervals": set[str](),
    "speech": {"core"},
    "scene": {"core"},
    "window": set[str](),
    "games": {"core", "scene", "speech"},
    "match": {"core", "luck", "speech"},
    "positions": {"core"},
    "solving": {"core", "disk", "folders", "games", "patience", "positions", "speech", "window"},
    "policies": {"core", "games", "match", "positions", "solving"},
    "maps": {"core", "positions", "solving", "speech"},
    "players": {"core", "engine", "luck", "match", "speech", "solving", "policies"},
    "coach": {"core", "games", "intervals", "match", "players", "record", "policies", "positions", "solving", "speech"},
    "fairness": {"core", "luck", "match", "speech"},
    "record": {"core", "games", "luck", "match", "speech"},
    "folders": {"core", "speech"},
    "locks": set[str](),
    "disk": {"core", "locks", "speech"},
    "saves": {"core", "disk", "folders", "locks", "speech"},
    "puzzles": {
        "coach",
        "core",
        "disk",
        "folders",
        "games",
        "locks",
        "luck",
        "match",
        "players",
        "policies",
        "positions",
        "solving",
        "speech",
    },
    "table": {
        "core",
        "disk",
        "folders",
        "games",
        "luck",
        "match",
        "patience",
        "players",
        "record",
        "saves",
        "speech",
        "window",
    },
    "line": {
        "coach",
        "core",
        "games",
        "maps",
        "match",
        "players",
        "record",
        "saves",
        "table",
        "speech",
        "policies",
        "positions",
        "solving",
        "window",
    },
    "engine": {"core", "folders", "games", "match", "record", "speech"},
    "arena": {
        "coach",
        "core",
        "disk",
        "engine",
        "folders",
        "games",
        "intervals",
        "locks",
        "luck",
        "match",
        "players",
        "record",
        "saves",
        "simulate",
        "table",
        "maps",
        "policies",
        "positions",
        "solving",
        "speech",
        "window",
    },
    "simulate": {"core", "games", "luck", "match", "players", "policies", "positions", "solving", "speech"},
    "tui": {
        "coach",
        "core",
        "disk",
        "folders",
        "games",
        "match",
        "patience",
        "players",
        "puzzles",
        "record",
        "saves",
        "scene",
        "table",
        "maps",
        "policies",
        "positions",
        "solving",
        "speech",
    },
    "cli": {
        "tui",
        "arena",
        "coach",
        "core",
        "disk",
        "engine",
        "fairness",
        "folders",
        "games",
        "line",
        "luck",
        "match",
        "patience",
        "players",
        "puzzles",
        "record",
        "saves",
        "table",
        "maps",
        "policies",
        "positions",
        "solving",
        "speech",
        "window",
    },
    "__init__": {"core", "games", "match"},
    "__main__": {"cli"},
}


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
            if node.module == "duelbook":  # `from duelbook import folders` imports a room too
                names |= {f"duelbook.{alias.name}" for alias in node.names if _is_room(alias.name)}
    return names


def _is_room(name: str) -> bool:
    return (SOURCE / name).is_dir() or (SOURCE / f"{name}.py").is_file()


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_one_way(path: Path) -> None:
    room = room_of(path)
    rooms = {name.split(".")[1] for name in imported(path) if name.startswith("duelbook.")}
    assert rooms <= ALLOWED[room] | {room}


@pytest.mark.parametrize("id", ROOMS)
def test_a_rule_file_imports_only_the_core_and_the_standard_library(id: str) -> None:
    names = imported(SOURCE / "games" / id / "rules.py")
    ours = {name for name in names if name.startswith("duelbook")}
    assert ours <= {"duelbook.core"}
    assert {name.split(".")[0] for name in names - ours} <= set(sys.stdlib_module_names)


@pytest.mark.parametrize("id", ROOMS)
def test_a_rule_file_stays_short_enough_to_read(id: str) -> None:
    lines = (SOURCE / "games" / id / "rules.py").read_text(encoding="utf-8").splitlines()
    code = [line for line in lines if line.strip()]
    assert len(code) <= 120


def test_no_game_knows_another() -> None:
    for id in ROOMS:
        for path in (SOURCE / "games" / id).glob("*.py"):
            others = {name for name in imported(path) if name.startswith("duelbook.games.")}
            assert all(name.startswith(f"duelbook.games.{id}") for name in others), path


@pytest.mark.parametrize("command", [["--version"], ["list"], ["play", "tower"], ["verify", "nothing.duel"]])
def test_starting_loads_nothing_heavy(command: list[str], tmp_path: Path) -> None:
    code = (
        "import sys, runpy\n"
        f"sys.argv = ['duelbook', *{command!r}]\n"
        "try:\n    runpy.run_module('duelbook', run_name='__main__')\n"
        "except SystemExit:\n    pass\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"XDG_STATE_HOME": str(tmp_path)},
        check=True,
    )
    loaded = set(done.stderr.splitlines()[-1].split())
    assert "duelbook.cli" in loaded
    assert loaded & HEAVY == set()


@pytest.mark.parametrize("id", game_ids())
def test_no_command_word_shadows_a_word_of_a_game(id: str) -> None:
    from duelbook.line.session import WORDS as COMMANDS

    game = load(id)
    words = set(game.dialogue.words(game.book)) | set(getattr(game.dialogue, "SPELLINGS", ()))
    assert words & set(COMMANDS) == set()


def test_the_version_is_said_once_and_twice_the_same() -> None:
    import tomllib

    from duelbook import __version__

    project = tomllib.loads((SOURCE.parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert __version__ == project["version"]
