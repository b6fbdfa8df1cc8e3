"""Whoever waits is told what for, before anything heavy is loaded to say it nicely."""

from __future__ import annotations

import builtins
import io
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from duelbook import patience
from duelbook.cli.levels import command
from duelbook.policies.computing import Computing


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


class Timed:
    """Over when it has been looked at so often; what happens meanwhile is noted."""

    def __init__(self, looks: int, inner: object) -> None:
        self.looks, self.inner = looks, inner

    def wait(self, _seconds: float) -> bool:
        self.looks -= 1
        if self.looks == 1:
            patience._shown.remove(self.inner)
        return self.looks == 0


@pytest.mark.parametrize(("looks", "over"), [(2, False), (1, True)])
def test_of_one_wait_within_another_only_the_inner_is_seen(
    looks: int, over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = object()
    outer, done = Timed(looks, inner), []
    monkeypatch.setattr(patience, "_shown", [outer, inner])
    if over:
        patience._shown.append(object())  # which outlasts it
    assert patience._is_done_within(outer, lambda: done.append("hidden"), lambda: done.append("shown")) is over
    assert done == (["hidden"] if over else ["hidden", "shown"])


def test_a_wait_is_forgotten_when_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stderr", Terminal())
    with patience.patience("One ..."), patience.patience("Another ..."):
        assert len(patience._shown) == 2
    assert patience._shown == []


def test_computing_a_ladder_says_what_it_does_and_for_how_long() -> None:
    now = [100.0]
    stand = Computing("Every rung meets every other", lambda: now[0])
    now[0] = 112.0
    assert (str(stand), stand.part) == ("Laying out every position (1 of 2), 12 s so far", 0)
    stand.tell(1, 21)
    assert str(stand) == "Every rung meets every other (2 of 2), 0 % done, 12 s so far"
    now[0] = 116.0
    stand.tell(5, 21)
    assert str(stand) == "Every rung meets every other (2 of 2), 20 % done, about 16 s more"
    now[0] = 119.0
    assert str(stand).endswith("about 13 s more")
    now[0] = 200.0
    assert str(stand).endswith("a moment more")
    stand.tell(21, 21)
    assert (stand.part, stand.step) == (1, "Every rung meets every other (2 of 2), 100 % done")


def test_the_time_that_is_left_is_whole_in_any_window() -> None:
    now = [0.0]
    stand = Computing("Every rung meets every other", lambda: now[0])
    now[0] = 9.0
    bar, _, words = patience._bar_and_words(stand, 79).partition(" ")
    assert (bar, words) == ("░" * patience.BAR, "Laying out every position (1 of 2), 9 s so far"), (
        "nobody knows how far"
    )
    stand.tell(1, 21)
    now[0] = 69.0
    stand.tell(3, 21)
    told = "Every rung meets every other (2 of 2), 10 % done, about 9 min more"
    assert patience._bar_and_words(stand, 79) == f"█{'░' * (patience.BAR - 1)} {told}"
    assert (
        patience._bar_and_words(stand, 59)
        == f"█{'░' * (patience.BAR - 1)} Every rung meets every other …, about 9 min more"
    )
    for width in (20, 30, 79):
        assert len(patience._bar_and_words(stand, width)) <= width
    stand.tell(21, 21)
    assert patience._bar_and_words(stand, 79).startswith("█" * patience.BAR)


@pytest.mark.parametrize(("more", "words"), [((), "the ladder"), (("--patterns",), "the patterns")])
def test_levels_under_other_rules_tell_how_they_stand(
    more: tuple[str, ...], words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    waited: list[tuple[str, Any]] = []

    @contextmanager
    def noting(said: str, stand: Any) -> Iterator[None]:
        waited.append((said, stand))
        yield

    monkeypatch.setattr("duelbook.cli.levels.patience", noting)
    assert CliRunner().invoke(command, ["tower", "--rule", "goal=5", *more]).exit_code == 0
    ((said, stand),) = waited
    assert said.startswith(f"Computing {words} of Tower Defense Duel with goal=5, once: ")
    assert said.endswith("Ctrl-C gives up.")
    assert stand.part == 1
