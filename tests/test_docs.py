"""The docs are true: commands print what they show, examples work, links lead somewhere."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from duelbook.cli import duelbook
from duelbook.cli.commands import COMMANDS
from helpers import HANGING
from slow_helper import slow_if

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "duelbook"
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "bench").glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(ROOT.glob("src/**/*.md")),
]
SET_UP = {"make play", "make test", "make serve"}
"""What sets Duelbook up cannot run inside its own tests; .ci/run and a fresh clone run it."""

SLOW = {
    "README.md",
    "docs/best-play.md",
    "docs/coach.md",
    "docs/engine-protocol.md",
    "docs/environments.md",
    "docs/exam.md",
    "docs/host.md",
    "docs/levels.md",
    "docs/maps.md",
    "docs/mcp.md",
    "docs/me.md",
    "docs/models.md",
    "docs/puzzles.md",
    "docs/python.md",
    "docs/refute.md",
    "docs/simulate.md",
    "docs/solving.md",
    "docs/tournaments.md",
    "docs/train.md",
    "docs/verdicts.md",
}
"""Pages whose examples solve duels, play thousands of games or start the command many times."""

COMPARE = doctest.OutputChecker()


def blocks(page: Path, *languages: str) -> list[str]:
    found = re.findall(r"^```(\w+)\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [text for language, text in found if language in languages]


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


def pages_with(*languages: str) -> list[Any]:
    return [slow_if(named(page) in SLOW, page) for page in PAGES if blocks(page, *languages)]


@pytest.mark.slow
@pytest.mark.parametrize("page", pages_with("console"), ids=named)
def test_every_command_prints_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
    environment |= {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "PYTHONIOENCODING": "utf-8",
    }
    for block in blocks(page, "console"):
        for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = piece.partition("\n")
            done = subprocess.run(
                ["bash", "-c", command],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                encoding="utf-8",
                cwd=tmp_path,
                env=environment,
                timeout=HANGING,
                check=False,
            )
            assert COMPARE.check_output(expected, done.stdout, doctest.ELLIPSIS), f"$ {command}\n{done.stdout}"


NEEDS = {"docs/mcp.md": ["mcp"], "docs/environments.md": ["gymnasium", "pettingzoo", "pyspiel", "jax"]}
"""Pages for those who have installed an extra."""


@pytest.mark.parametrize("page", pages_with("python", "pycon"), ids=named)
def test_every_python_example_works(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for needed in NEEDS.get(named(page), ()):
        pytest.importorskip(needed, reason=f"{needed} is not installed; {named(page)} says how to install it")
    if named(page) in NEEDS:  # in a process of its own: what they load has threads that outlive the page
        read = f"doctest.testfile({str(page)!r}, module_relative=False, optionflags=doctest.ELLIPSIS, encoding='utf-8')"
        code = f"import doctest, sys; sys.exit({read}.failed > 0)"
        searched = os.environ | {"PYTHONPATH": str(ROOT / "docs" / "examples")}
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, encoding="utf-8", env=searched, timeout=HANGING,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "examples"))
    result = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8")
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_command_named_in_passing_exists(page: Path) -> None:
    """`duelbook something` in running text names a command, a saved game's or an option's place left open."""
    for command in re.findall(r"`duelbook ([a-z][a-z-]*)", page.read_text(encoding="utf-8")):
        assert command in COMMANDS, f"{named(page)} names duelbook {command}"


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_shell_block_is_run_or_sets_up(page: Path) -> None:
    for block in blocks(page, "sh", "bash", "shell"):
        for line in filter(None, block.splitlines()):
            command = line.partition("#")[0].strip()
            assert command in SET_UP, f"{named(page)} shows a command that no test runs: {command}"


def anchors(page: Path) -> set[str]:
    """What a link into a page can name: its headings, as browsers of repositories spell them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ +(.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        there = page.parent / target if target else page
        assert there.exists(), f"{named(page)} links to {target}"
        assert not anchor or anchor in anchors(there), f"{named(page)} links to {target}#{anchor}"


def paths_in(page: Path) -> set[str]:
    """Files of ours that a page names in passing, as `solving/matrix.py`."""
    named_so = (
        r"`([a-z_/]+\.py)`" if page.name in ("architecture.md", "glossary.md") else r"`([a-z_/]+/[a-z_]+\.(?:py|md))`"
    )
    return set(re.findall(named_so, page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_file_named_in_passing_is_there(page: Path) -> None:
    if page.name == "CHANGELOG.md":
        return  # it tells of files that are gone
    missing = [path for path in paths_in(page) if not any((base / path).exists() for base in (SOURCE, ROOT))]
    assert missing == []


def test_what_the_page_of_the_house_says_is_in_a_file_is_there() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    told = re.findall(r"`(\w+)` in `([a-z_/]+\.py)`", page)
    assert told
    for name, path in told:
        text = (SOURCE / path).read_text(encoding="utf-8")
        assert re.search(rf"^ *(?:(?:async )?def|class) {name}\b", text, re.MULTILINE), f"{name} is not in {path}"


WHOLE_FILES = {"a command", "a screen", "what a Python user can import"}
"""Rows of the page of the house that name no function: there is one file for each."""


def test_the_page_of_the_house_leads_to_a_function_in_every_row() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.split("| to find | look at |")[1].split("\n\n")[0]
    rows = [line.split(" | ", 1) for line in table.splitlines() if line.startswith("| ")]
    assert len(rows) > 15
    vague = {what.strip("| ") for what, where in rows if not re.search(r"`\w+` in `[a-z_/]+\.py`", where)}
    assert vague == WHOLE_FILES


DOCS = [page for page in sorted((ROOT / "docs").rglob("*.md")) if "examples" not in page.parts]
"""The pages for users; an example's rule book belongs to its example."""


@pytest.mark.parametrize("page", DOCS, ids=named)
def test_every_page_has_a_way_home(page: Path) -> None:
    homes = {(page.parent / target).resolve() for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))}
    home = ROOT / "README.md" if page == ROOT / "docs" / "README.md" else ROOT / "docs" / "README.md"
    assert home in homes


def test_every_page_is_on_the_page_of_pages() -> None:
    listed = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "docs" / "README.md").read_text(encoding="utf-8"))
    found = {(ROOT / "docs" / target).resolve() for target in listed}
    assert {page for page in DOCS if page.name != "README.md"} - found == set()


COMMANDS_PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


def options_of(name: str) -> set[str]:
    command = duelbook.get_command(click.Context(duelbook), name)
    assert command is not None
    shown = [param for param in command.params if not getattr(param, "hidden", False)]
    return {option for param in shown for option in param.opts if option.startswith("--")}


def test_the_page_of_commands_names_every_command_in_its_order() -> None:
    assert list(dict.fromkeys(re.findall(r"^\| `duelbook ([a-z-]+)", COMMANDS_PAGE, re.MULTILINE))) == list(COMMANDS)


@pytest.mark.parametrize("name", ["play", "arena"])
def test_the_page_of_commands_explains_every_option(name: str) -> None:
    (section,) = re.findall(rf"^## {name}\n(.*?)^## ", COMMANDS_PAGE, re.MULTILINE | re.DOTALL)
    known = {"--srand", "--maxmoves"}  # other programs' names for options that the page explains
    assert options_of(name) - known == set(re.findall(r"`(--[a-z][a-z0-9-]*)", section))


ELSEWHERE = {"--json", "--plain", "--from"}
"""Explained for all commands at once."""


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("play", "arena")])
def test_the_page_of_commands_explains_every_option_of_the_others(name: str) -> None:
    rows = re.findall(rf"^\| `{name}` \| (?!`duelbook).*\n(?:^\| \| .*\n)*", COMMANDS_PAGE, re.MULTILINE)
    explained = {option for row in rows for option in re.findall(r"`(--[a-z][a-z0-9-]*)", row)}
    assert options_of(name) - ELSEWHERE <= explained
    made_of_notation = {"--card", "--last"} if name == "map" else set()
    assert explained - {"--from"} <= options_of(name) | made_of_notation


@pytest.mark.parametrize("option", ["--engine", "--each", "--sprt"])
def test_the_page_of_commands_explains_every_word_behind_an_option(option: str) -> None:
    """What an option knows, it says when it is told something else."""
    done = CliRunner().invoke(duelbook, ["arena", "random", "perfect", option, "nonsense=1"])
    (known,) = re.findall(r"it knows (.*?)\.(?:\s|$)", " ".join(done.output.split()))
    words = [word.removesuffix("NAME") for word in re.split(r", | and ", known)]
    (row,) = re.findall(rf"^\| `{option} .*$", COMMANDS_PAGE, re.MULTILINE)
    assert words
    assert {word for word in words if word not in row} == set()


@pytest.mark.slow
@pytest.mark.parametrize("script", ["screens.py", "take.py"])
def test_the_pictures_show_what_the_program_shows(script: str) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "pictures" / script), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


EXAMPLES = [path for path in sorted(ROOT.glob("src/**/*.py")) if "\n    >>> " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_in_the_code_works(path: Path) -> None:
    module = import_module(".".join(path.relative_to(ROOT / "src").with_suffix("").parts))
    tried = doctest.testmod(module)
    assert tried.attempted
    assert not tried.failed
