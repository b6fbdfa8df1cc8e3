"""Whoever waits is told what for, before anything heavy is loaded to say it nicely."""

from __future__ import annotations

import builtins
import io
import subprocess
from pathlib import Path
from typing import Any

import pytest

from duelbook import patience


class Later:
    """Something that is not done at once, but soon."""

    def __init__(self) -> None:
        self.asked = 0

    def wait(self, _seconds: float) -> bool:
        self.asked += 1
        return self.asked > 2


def test_the_words_are_there_before_the_bar_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    said = io.StringIO()
    monkeypatch.setattr("sys.stderr", said)
    heard = []
    real = builtins.__import__

    def noting(name: str, *more: Any) -> Any:
        if name.startswith("rich."):
            heard.append(said.getvalue())
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", noting)
    patience._show(["Solving this ..."], Later(), drawn=True)
    assert heard[0] == "Solving this ..."
    assert said.getvalue().startswith(f"Solving this ...\r{' ' * 16}\r"), "and gone when the bar comes"


def test_setting_up_is_said_before_it_begins() -> None:
    asked = ["make", "--dry-run", "--always-make", ".venv/play.stamp"]
    steps = subprocess.run(asked, capture_output=True, text=True, check=True, cwd=Path(__file__).parent.parent).stdout
    assert 0 <= steps.find("Setting up Duelbook") < steps.find("-m venv")
