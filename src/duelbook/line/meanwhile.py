"""Waiting for the network and for a person at once: who types while somebody elsewhere decides is heard."""

from __future__ import annotations

import os
import select
from contextlib import suppress

from duelbook.line.console import Console, EndOfInput
from duelbook.serve.wire import Wire


class Meanwhile:
    def __init__(self, wire: Wire, console: Console) -> None:
        """A script is not read ahead: its lines are answers to questions, and wait for them."""
        self.wire, self.console = wire, console
        self.listens = console.typing and os.name == "posix"
        self._ends: tuple[int, int] | None = None
        if self.listens:
            self._ends = os.pipe()
            os.set_blocking(self._ends[1], False)
            wire.news = self._wake

    def _wake(self) -> None:
        if self._ends is not None:
            with suppress(OSError):  # it is full, which wakes as well, or closed
                os.write(self._ends[1], b".")

    def hear(self, seconds: float | None = None) -> str | None:
        """A line that was typed; None when something has come over the wire, or nothing in this time."""
        if self._ends is None:
            self.wire.wait(seconds)
            return None
        if self.wire.wait(0):
            return None
        source = self.console.source.fileno()
        ready, _, _ = select.select([source, self._ends[0]], [], [], seconds)
        if self._ends[0] in ready:
            os.read(self._ends[0], 65536)
            return None
        if source not in ready:
            return None
        line = self.console.source.readline()
        if not line:
            raise EndOfInput
        return line.strip()

    def close(self) -> None:
        ends, self._ends = self._ends, None
        for end in ends or ():
            os.close(end)
