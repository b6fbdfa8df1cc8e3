"""The house stays as it was drawn: which room may import which, and what starting must not load."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Set
from functools import cache
from pathlib import Path

import pytest

import duelbook
from duelbook import game_ids, load
from duelbook.games import ROOMS

SOURCE = Path(__file__).parent.parent / "src" / "duelbook"
HEAVY = {"numpy", "numba", "scipy", "matplotlib", "textual", "rich.console", "rich.markdown", "asyncio"}

# Each room and what it may import of Duelbook, besides itself. Order is the order of the building.
ALLOWED = {
    "contract": set[str](),
    "core": {"contract"},
    "beside": set[str](),
    "luck": set[str](),
    "patience": {"speech", "window"},
    "intervals": set[str](),
    "speech": {"contract", "core"},
    "scene": {"contract", "core"},
    "letters": set[str](),
    "window": {"letters"},
    "games": {"core", "scene", "speech"},
    "match": {"core", "luck", "speech"},
    "positions": {"beside", "core"},
    "solving": {"core", "disk", "folders", "games", "patience", "positions", "speech", "window"},
    "policies": {"beside", "core", "games", "match", "patience", "positions", "scene", "solving"},
    "maps": {"core", "disk", "folders", "positions", "solving", "speech"},
    "llm": {"core", "disk", "folders", "games", "match", "solving", "speech"},
    "players": {"core", "engine", "llm", "luck", "match", "speech", "solving", "policies"},
    "coach": {"core", "games", "intervals", "match", "players", "record", "policies", "positions", "solving", "speech"},
    "fairness": {"core", "luck", "match", "speech"},
    "conformance": {
        "beside",
        "core",
        "games",
        "line",
        "luck",
        "match",
        "positions",
        "record",
        "scene",
        "solving",
        "speech",
        "table",
    },
    "foreign": {"core", "games", "match", "record", "speech"},
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
    "honest": {"core", "match", "record", "speech"},
    "table": {
        "coach",
        "core",
        "disk",
        "fairness",
        "folders",
        "games",
        "honest",
        "luck",
        "match",
        "patience",
        "players",
        "record",
        "saves",
        "speech",
        "window",
    },
    "me": {
        "coach",
        "core",
        "disk",
        "folders",
        "games",
        "locks",
        "match",
        "players",
        "policies",
        "positions",
        "puzzles",
        "record",
        "saves",
        "solving",
        "speech",
    },
    "serve": {
        "coach",
        "contract",
        "core",
        "disk",
        "folders",
        "games",
        "honest",
        "locks",
        "luck",
        "match",
        "players",
        "policies",
        "puzzles",
        "record",
        "saves",
        "scene",
        "solving",
        "speech",
        "table",
    },
    "agents": {
        "coach",
        "core",
        "games",
        "luck",
        "match",
        "players",
        "record",
        "serve",
        "solving",
        "speech",
        "table",
    },
    "line": {
        "beside",
        "coach",
        "core",
        "games",
        "honest",
        "serve",
        "maps",
        "letters",
        "match",
        "me",
        "players",
        "puzzles",
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
        "llm",
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
    "envs": {"core", "games", "luck", "match", "players", "policies", "positions", "simulate", "solving", "speech"},
    "exam": {
        "arena",
        "coach",
        "contract",
        "core",
        "disk",
        "engine",
        "envs",
        "folders",
        "games",
        "intervals",
        "llm",
        "locks",
        "luck",
        "match",
        "players",
        "policies",
        "positions",
        "record",
        "solving",
        "speech",
    },
    "simulate": {"beside", "core", "games", "luck", "match", "players", "policies", "positions", "solving", "speech"},
    "tui": {
        "beside",
        "coach",
        "core",
        "disk",
        "folders",
        "games",
        "letters",
        "match",
        "me",
        "patience",
        "players",
        "puzzles",
        "record",
        "saves",
        "scene",
        "serve",
        "table",
        "maps",
        "policies",
        "positions",
        "solving",
        "speech",
        "window",
    },
    "cli": {
        "beside",
        "tui",
        "agents",
        "arena",
        "coach",
        "conformance",
        "core",
        "disk",
        "engine",
        "exam",
        "fairness",
        "folders",
        "foreign",
        "games",
        "line",
        "llm",
        "luck",
        "match",
        "me",
        "patience",
        "players",
        "puzzles",
        "record",
        "saves",
        "serve",
        "table",
        "maps",
        "policies",
        "positions",
        "solving",
        "speech",
        "window",
    },
    "duel": {
        "coach",
        "core",
        "games",
        "luck",
        "maps",
        "match",
        "players",
        "policies",
        "puzzles",
        "record",
        "simulate",
        "solving",
        "speech",
    },
    "__init__": {
        "arena",
        "coach",
        "conformance",
        "core",
        "duel",
        "engine",
        "exam",
        "games",
        "llm",
        "maps",
        "match",
        "players",
        "puzzles",
        "record",
        "solving",
        "table",
    },
    "__main__": {"cli"},
}


def module_of(path: Path) -> str:
    return ".".join(("duelbook", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")


MODULES = {module_of(path): path for path in sorted(SOURCE.rglob("*.py"))}


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Whatever stands in a file of ours, as Python reads it; several tests look at all files."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path, text: str | None = None, *, for_types: bool = True) -> set[str]:
    """Every module that a file imports, in whatever form and wherever in the file; of ours, the module itself.

    `from duelbook import patience` and `from . import patience` name a module as much as `import duelbook.patience`
    does, and so does a text handed to `import_module`. A name of the front door is the module that it comes from.
    """
    nodes = nodes_of(path) if text is None else list(ast.walk(ast.parse(text)))
    left_out = set[ast.AST]() if for_types else {part for node in _for_types(nodes) for part in ast.walk(node)}
    names = set[str]()
    for node in nodes:
        if node in left_out:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = _base(path, node)
            names |= {_module(base, alias.name) for alias in node.names}
        elif isinstance(node, ast.Call) and _called(node) in ("import_module", "__import__"):
            names |= {str(word.value) for word in node.args if isinstance(word, ast.Constant)}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "duelbook":
            names.add(_module("duelbook", node.attr))
    return names


def _for_types(nodes: list[ast.AST]) -> list[ast.If]:
    """The blocks that only checkers of types read."""
    return [
        node
        for node in nodes
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    ]


def _base(path: Path, node: ast.ImportFrom) -> str:
    """What stands behind `from`, with the dots of a relative import spelled out."""
    if not node.level:
        return node.module or ""
    package = ["duelbook", *path.relative_to(SOURCE).parts[:-1]]
    return ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])


def _module(base: str, name: str) -> str:
    if f"{base}.{name}" in MODULES:
        return f"{base}.{name}"
    return duelbook._WHERE.get(name, base) if base == "duelbook" else base


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def test_imports_point_one_way() -> None:
    wrong = {}
    for path in MODULES.values():
        room = room_of(path)
        rooms = {name.split(".")[1] for name in imported(path) if name.startswith("duelbook.")}
        wrong[str(path.relative_to(SOURCE))] = rooms - ALLOWED[room] - {room}
    assert {where: rooms for where, rooms in wrong.items() if rooms} == {}


@pytest.mark.parametrize(
    "line",
    [
        "import duelbook.patience",
        "import duelbook.patience as waiting",
        "from duelbook import patience",
        "from duelbook.patience import patience",
        "from . import patience",
        "from .patience import patience",
        "from importlib import import_module\nimport_module('duelbook.patience')",
        "import importlib\nimportlib.import_module('duelbook.patience')",
        "import duelbook\nduelbook.patience.patience",
        "def late():\n    from duelbook import patience",
        "if TYPE_CHECKING:\n    from duelbook.patience import patience",
    ],
)
def test_no_form_of_import_slips_through(line: str) -> None:
    assert "duelbook.patience" in imported(SOURCE / "somewhere.py", line)


def test_a_name_of_the_front_door_is_the_room_behind_it() -> None:
    assert "duelbook.duel" in imported(SOURCE / "somewhere.py", "from duelbook import Duel")


def test_no_modules_import_each_other() -> None:
    """Inside functions too, where Python does not mind: whoever reads one of them has to read all."""
    graph = {name: imported(path, for_types=False) & MODULES.keys() - {name} for name, path in MODULES.items()}
    assert circles(graph) == []


def test_a_circle_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set[str]()}) == [{"a", "b", "c"}]


def circles(graph: Mapping[str, Set[str]]) -> list[set[str]]:
    """The largest sets of modules each of which leads to every other."""
    reach = {name: _reached(graph, name) for name in graph}
    found: list[set[str]] = []
    for name in graph:
        circle = {other for other in reach[name] if name in reach[other]}
        if circle and circle not in found:
            found.append(circle)
    return found


def _reached(graph: Mapping[str, Set[str]], start: str) -> set[str]:
    found, waiting = set[str](), list(graph[start])
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += graph[name]
    return found


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
    cited = (SOURCE.parent.parent / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {__version__}\n" in cited


# The page about the house

HOUSE = (SOURCE.parent.parent / "docs" / "architecture.md").read_text(encoding="utf-8")


def floors() -> list[list[str]]:
    """The picture of who may import whom, from the bottom up."""
    (picture,) = re.findall(r"^```text\n(.*?)^```", HOUSE, re.MULTILINE | re.DOTALL)
    return [re.split(r" {3,}", line)[0].split() for line in reversed(picture.splitlines())]


def test_the_picture_of_the_house_shows_every_room_once() -> None:
    assert sorted(room for floor in floors() for room in floor) == sorted(ALLOWED)


def test_in_the_picture_of_the_house_imports_go_down() -> None:
    height = {room: at for at, floor in enumerate(floors()) for room in floor}
    upwards = [
        f"{room} imports {other}" for room in ALLOWED for other in ALLOWED[room] if height[other] >= height[room]
    ]
    assert upwards == [], "docs/architecture.md shows a room on or above the line of one that imports it"


GLOSSARY = {
    "retrograde analysis": "solving/retrograde.py",
    "backward induction": "solving/retrograde.py",
    "tablebase": "solving/solution.py",
    "minimax value": "solving/solution.py",
    "value iteration": "solving/chance.py",
    "zero-sum matrix game": "solving/matrix.py",
    "Nash equilibrium": "solving/matrix.py",
    "recursive game": "solving/recursive.py",
    "Everett": "solving/recursive.py",
    "best response": "policies/best_response.py",
    "exploitability": "policies/exploitability.py",
    "absorbing Markov chain": "policies/forward_turns.py",
    "Markov decision process": "policies/best_response.py",
}


@pytest.mark.parametrize("name", GLOSSARY)
def test_the_name_that_the_field_knows_stands_where_the_method_is(name: str) -> None:
    docstring = ast.get_docstring(ast.parse((SOURCE / GLOSSARY[name]).read_text(encoding="utf-8")))
    assert docstring is not None
    assert name in " ".join(docstring.split())
    rows = (SOURCE.parent.parent / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
    assert any(name in row and GLOSSARY[name] in row for row in rows)


CHANGES = {"play", "deal", "unseal", "take_back", "resign", "fault", "fail", "adjudicate", "run"}
"""What changes a match."""


def changes_a_match(path: Path, text: str | None = None) -> bool:
    nodes = nodes_of(path) if text is None else ast.walk(ast.parse(text))
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    return any(
        isinstance(func, ast.Attribute)
        and func.attr in CHANGES
        and getattr(func.value, "attr", getattr(func.value, "id", "")) == "match"
        for func in called
    )


@pytest.mark.parametrize("room", ["line", "tui", "cli"])
def test_who_shows_a_game_hands_every_answer_to_its_host(room: str) -> None:
    """So there is one place that knows what comes next, and what undo, a fault or leaving means."""
    assert [path.name for path in sorted((SOURCE / room).rglob("*.py")) if changes_a_match(path)] == []


@pytest.mark.parametrize("line", ["match.play(0, 1)", "self.match.take_back()", "table.host.match.fail(0, error)"])
def test_a_change_of_a_match_is_seen(line: str) -> None:
    assert changes_a_match(SOURCE / "somewhere.py", line)


COMMON_WORDS = {
    ("contract.py", "tower"): "the shape of a gauge",
    ("tui/actions.py", "secret"): "a class of the style sheet",
    ("cli/arena.py", "deck"): "an option",
    ("cli/play.py", "deck"): "an option",
    ("arena/play/store.py", "deck"): "what a stacked deck is called in a sentence",
}
"""Where a word that is also the id of a duel means something else."""


def what_it_knows_of_the_duels(path: Path) -> list[str]:
    where = str(path.relative_to(SOURCE))
    named = [
        f"line {node.lineno} names {node.value}"
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and node.value in ROOMS and (where, node.value) not in COMMON_WORDS
    ]
    taken = [name for name in imported(path) if name.startswith("duelbook.games.")]
    text = path.read_text(encoding="utf-8")
    counted = re.findall(rf"\b(?:{len(ROOMS)}|five|fifth|sixth) (?:\S+ )?(?:duel|game|book)s?\b", text, re.IGNORECASE)
    return named + taken + counted


def test_only_the_registry_knows_which_duels_ship_and_how_many() -> None:
    others = [path for path in MODULES.values() if path.relative_to(SOURCE).parts[0] != "games"]
    known = {str(path.relative_to(SOURCE)): what_it_knows_of_the_duels(path) for path in others}
    assert {where: what for where, what in known.items() if what} == {}
