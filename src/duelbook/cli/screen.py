"""Full screen or line by line: which of the two can be used here, and why."""

from __future__ import annotations

import os
import sys

import click

from duelbook.cli.options import say
from duelbook.tui import SMALLEST

by_line = click.option("--line", is_flag=True, help="Play line by line instead of on the full screen.")


class Screen:
    """The full screen, as far as it can be had here."""

    def __init__(self, *, wanted: bool) -> None:
        self._why = why_not() if wanted else ""
        self.usable = wanted and not self._why

    def explain(self) -> None:
        """Say once, in one line, why it goes line by line where the full screen was wanted."""
        if self._why:
            say(f"{self._why}: playing line by line.", err=True)
            self._why = ""


def why_not() -> str:
    """What speaks against the full screen here, or nothing."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return "There is no terminal here"
    if os.environ.get("TERM", "") in ("", "dumb", "unknown"):
        return "This terminal cannot draw a full screen"
    columns, rows = os.get_terminal_size(sys.stdout.fileno())
    if columns < SMALLEST[0] or rows < SMALLEST[1]:
        size, needed = f"{columns} columns and {rows} rows", f"{SMALLEST[0]} by {SMALLEST[1]}"
        return f"This window has {size}, and the full screen needs {needed}"
    return ""
