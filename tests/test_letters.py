"""Letters beyond ASCII reach only who can show them."""

from __future__ import annotations

import io

import pytest

from duelbook.games import load_all
from duelbook.letters import encoding_of, in_ascii, showable
from duelbook.line.console import Console
from duelbook.line.page import show_rulebook
from duelbook.speech import Line

SETTINGS = ("LC_ALL", "LC_CTYPE", "LANG", "PYTHONUTF8", "PYTHONIOENCODING", "TMUX", "STY")


def stream(encoding: str = "utf-8", *, terminal: bool = False) -> io.TextIOWrapper:
    written = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
    written.isatty = lambda: terminal  # type: ignore[method-assign]
    return written


def written(sink: io.TextIOWrapper) -> bytes:
    held = sink.buffer
    assert isinstance(held, io.BytesIO)
    return held.getvalue()


@pytest.fixture
def locale(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.mark.parametrize(
    ("settings", "encoding"),
    [
        ({}, "utf-8"),
        ({"LC_ALL": "C"}, "ascii"),
        ({"LC_ALL": "POSIX"}, "ascii"),
        ({"LC_ALL": "C", "LC_CTYPE": "en_GB.UTF-8"}, "ascii"),
        ({"LC_ALL": "C.UTF-8"}, "utf-8"),
        ({"LANG": "en_GB.UTF-8"}, "utf-8"),
        ({"LC_ALL": "C", "PYTHONUTF8": "1"}, "utf-8"),
        ({"LC_ALL": "C", "PYTHONIOENCODING": "utf-8"}, "utf-8"),
    ],
)
def test_the_locale_says_what_can_be_shown(settings: dict[str, str], encoding: str, locale: pytest.MonkeyPatch) -> None:
    for name, value in settings.items():
        locale.setenv(name, value)
    assert encoding_of(stream()) == encoding
    assert encoding_of(stream("iso-8859-1")) == "iso-8859-1"


def test_what_cannot_be_shown_is_said_in_plainer_letters(locale: pytest.MonkeyPatch) -> None:
    said = "Zoë: 20 LP → 13 LP … “名” █░"
    assert showable(said, stream()) == said
    assert showable(said, stream("iso-8859-1")) == 'Zoë: 20 LP -> 13 LP ... "??" #.'
    locale.setenv("LC_ALL", "C")
    assert showable(said, stream()) == 'Zoe: 20 LP -> 13 LP ... "??" #.'
    assert in_ascii("20 → 13") == "20 > 13"
    assert in_ascii("build▏") == "build_"  # a cursor is no full stop


@pytest.mark.parametrize("terminal", [False, True])
def test_line_mode_writes_ascii_alone_in_the_locale_c(terminal: bool, locale: pytest.MonkeyPatch) -> None:
    """Words, bars, prompts and the whole rule book."""
    locale.setenv("LC_ALL", "C")
    locale.setenv("TERM", "xterm")
    sink = stream(terminal=terminal)
    console = Console(source=io.StringIO("ä\n"), sink=sink)
    console.say(Line("Player 1 HP: 7", "", (7, 10)), "You gain 2 LP (13 LP → 15 LP).")
    console.ask("Ζωή, it's your turn: ")
    for game in load_all():  # written in ASCII; what stands around headings and before items is not
        show_rulebook(game, console)
    assert written(sink).isascii()
    assert b"13 LP -> 15 LP" in written(sink)
    assert (b"####" in written(sink)) == terminal
