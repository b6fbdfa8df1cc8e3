"""What `duelbook mcp` is told, and what it says when it cannot be."""

from __future__ import annotations

import sys

import pytest
from click.testing import CliRunner

from duelbook.cli import duelbook
from duelbook.cli.mcp import _place
from duelbook.core import DuelError


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("8766", ("127.0.0.1", 8766)),
        ("0.0.0.0:1", ("0.0.0.0", 1)),
        ("[::1]:80", ("::1", 80)),
        ("my.host:0", ("my.host", 0)),
    ],
)
def test_an_address_is_a_host_and_a_port_or_a_port_here(text: str, place: tuple[str, int]) -> None:
    assert _place(text) == place


@pytest.mark.parametrize("text", ["", "localhost", "localhost:", "1:2:3", "70000", "a b:1", "-1"])
def test_what_is_no_address_is_wrong_usage(text: str) -> None:
    done = CliRunner().invoke(duelbook, ["mcp", f"--http={text}"])
    assert done.exit_code == 2
    assert "--http takes an address such as 8766" in done.output


def test_a_name_without_http_is_wrong_usage() -> None:
    done = CliRunner().invoke(duelbook, ["mcp", "--name", "duels.example.org"])
    assert done.exit_code == 2


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith("duelbook.agents.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(DuelError, match=r"Install it with: pip install 'duelbook\[mcp\]'"):
        CliRunner().invoke(duelbook, ["mcp"], standalone_mode=False, catch_exceptions=False)
