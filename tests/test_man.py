"""The man page: made from what the commands say, whole, and in order."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from duelbook.cli.commands import COMMANDS

ROOT = Path(__file__).parent.parent
WRITER: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "man" / "write.py"))
page: Callable[[], str] = WRITER["page"]


@pytest.mark.slow
def test_the_page_says_what_the_commands_say_now() -> None:
    assert page() == (ROOT / "docs" / "man" / "duelbook.1").read_text("utf-8"), "make golden"


def test_every_command_has_its_place_with_its_options_and_examples() -> None:
    parts = re.split(r"^\.SS duelbook ", page().replace(r"\-", "-"), flags=re.MULTILINE)[1:]
    assert [part.split()[0] for part in parts] == list(COMMANDS)
    for part, about in zip(parts, COMMANDS.values(), strict=True):
        assert all(f"duelbook {example}\n" in part for example in about.examples)
    assert r"\fB--rule NAME=VALUE\fR" in parts[0]
    assert "--breaks" not in page().replace(r"\-", "-"), "what is for scripts alone stays hidden"


def test_nothing_in_a_text_is_taken_for_a_command_of_roff() -> None:
    assert WRITER["roff"](".duel files\n'quoted'\na\\b --line") == "\\&.duel files\n\\&'quoted'\na\\eb \\-\\-line"
    known = (".TH ", ".SH ", ".SS ", ".PP", ".TP", ".nf", ".fi")
    assert [line for line in page().splitlines() if line[:1] in (".", "'") and not line.startswith(known)] == []
