"""OpenEnv accepts it: its own validation of the folder and of a running server, and its own client plays a game.

OpenEnv wants an older `mcp` than `duelbook mcp` does, so it is installed apart and asked from outside.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from duelbook import reads, review
from helpers import HANGING

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "deploy" / "openenv"
APART = ROOT / ".venv" / "openenv" / "bin"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (APART / "openenv").exists(), reason="openenv is not installed: make .venv/openenv.stamp sets it up apart"
    ),
]

PAGE = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")


def as_on_the_page(address: str) -> str:
    """The example of the page, with another address in it."""
    found: list[str] = re.findall(r"^```python\n(.*?DuelEnv.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (example,) = found
    assert "http://127.0.0.1:8000" in example
    return example.replace("http://127.0.0.1:8000", address)


def ran(*words: str | Path) -> str:
    done = subprocess.run(words, capture_output=True, text=True, timeout=HANGING)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def serving() -> Iterator[str]:
    command = [str(APART / "python"), "-u", "-m", "server.app", "--port", "0"]
    with subprocess.Popen(command, cwd=FOLDER, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as run:
        try:
            assert run.stderr is not None
            for line in run.stderr:
                if "running on " in line:
                    yield line.split("running on ")[1].split()[0]
                    return
            raise AssertionError("it did not begin to serve")
        finally:
            run.terminate()


def test_the_folder_is_valid() -> None:
    report = json.loads(ran(APART / "openenv", "validate", FOLDER, "--level", "static", "--skip-build", "--json"))
    assert report["verdict"] == "pass"
    assert [each["status"] for each in report["results"]] == ["pass"]


def test_a_running_server_is_valid_and_a_game_is_played_on_it() -> None:
    with serving() as address:
        report = ran(APART / "openenv", "validate", "--url", address, "--timeout", "60", "--json")
        assert json.loads(report)["passed"] is True
        said = ran(APART / "python", "-c", as_on_the_page(address))
    (game,) = reads(said[said.index("[Game ") :])
    refused, *losses, reward, faults = said[: said.index("[Game ")].splitlines()
    assert refused == "'nonsense' is not a move here. You can play: attack or heal."
    assert [float(lost) for lost in losses] == [each.lost for each in review(game).decisions if each.seat == 1]
    assert game.match.outcome is not None
    assert (float(reward), faults) == (float(game.match.outcome.winner == 1), "1")
