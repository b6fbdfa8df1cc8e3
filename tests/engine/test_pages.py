"""The page about writing a bot is true: its bot is a bot, and its transcripts come out as they stand."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import HANGING

PAGE = Path(__file__).parent.parent.parent / "docs" / "write-a-bot.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the page's bot in it, as a reader would have it."""
    (tmp_path / "bot.py").write_text(blocks("python")[0], encoding="utf-8")
    return tmp_path


@pytest.mark.slow
def test_every_transcript_comes_out_as_it_stands(folder: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    pieces = [piece for block in blocks("text") for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    assert len(pieces) == 6
    for piece in pieces:
        command, _, expected = piece.partition("\n")
        done = subprocess.run(
            ["bash", "-c", command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            cwd=folder,
            env=os.environ | {"PATH": path, "XDG_STATE_HOME": str(folder / "state")},
            timeout=HANGING,
            check=False,
        )
        assert doctest.OutputChecker().check_output(expected, done.stdout, doctest.ELLIPSIS), done.stdout


def test_the_rule_of_thumb_on_the_page_plays_what_it_says() -> None:
    room: dict[str, object] = {}
    exec(f"import random\n{blocks('python')[1]}", room)
    choose = room["choose"]
    assert callable(choose)
    builds = ["build_1", "build_2", "build_4", "attack"]
    assert choose("tower", ["5", "8", "1"], 1, builds) == "build_4"
    assert choose("tower", ["13", "8", "1"], 1, builds) == "build_2"
    assert choose("deck", [], 1, ["heal"]) == "heal"
