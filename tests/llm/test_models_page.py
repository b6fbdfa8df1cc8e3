"""Every command on the page about models is run, with a server of ours at the address that the page names."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from duelbook.llm.asking import LONGEST_TIME, MOVE_TIME, RETRIES
from duelbook.llm.interface import WORTH_ANOTHER_TRY
from duelbook.llm.kind import PROVIDERS, Axes
from duelbook.llm.prompt import PLACEHOLDERS
from helpers import HANGING
from model_server_helper import Request, Said, model_server

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8080"


def plays(request: Request) -> Said:
    """The first move of all, where it is not told which are legal."""
    legal = request.legal() or re.findall(r"can be played now or not: ([^,]*)", request.question)
    return Said(f"I build.\n\nmove: {legal[0]}")


@pytest.mark.slow
def test_every_command_on_the_page_prints_what_it_shows(tmp_path: Path) -> None:
    for name in PROVIDERS:
        pytest.importorskip(name, reason=f"{name} is not installed: pip install 'duelbook[llm]'")
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")} | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "PYTHONIOENCODING": "utf-8",
    }
    blocks = re.findall(r"^```text\n(\$ .*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 4
    with model_server(plays) as server:
        environment |= {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
        for piece in re.split(r"^\$ ", "".join(blocks), flags=re.MULTILINE)[1:]:
            command, _, expected = piece.partition("\n")
            done = subprocess.run(
                ["bash", "-c", command.replace(ADDRESS, server.address)],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                encoding="utf-8",
                cwd=tmp_path,
                env=environment,
                timeout=HANGING,
                check=False,
            )
            assert doctest.OutputChecker().check_output(expected, done.stdout, doctest.ELLIPSIS), (
                f"$ {command}\n{done.stdout}"
            )
        assert server.requests


def test_the_page_names_every_placeholder_and_every_axis() -> None:
    assert set(re.findall(r"`\{([a-z]+)\}`", PAGE)) == set(PLACEHOLDERS)
    assert re.findall(r"^\| `([a-z]+)=", PAGE, re.MULTILINE) == list(Axes._fields)


def test_the_page_has_the_numbers_of_the_code() -> None:
    assert f"`--reply-time` seconds ({MOVE_TIME:g})" in PAGE
    assert f"`--retries` times ({RETRIES})" in PAGE
    assert f"{', '.join(map(str, WORTH_ANOTHER_TRY))} and every 5xx" in PAGE
    assert MOVE_TIME < LONGEST_TIME
