"""A terminal that shows nothing of what is typed: the curtain between two players at one keyboard."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from types import FrameType
from typing import Any


class Curtain:
    """Keeps the echo of a terminal switched off, whatever happens to it meanwhile.

    On systems without termios it does nothing; there the prompt itself hides what is typed.
    """

    def __init__(self, terminal: int) -> None:
        self.terminal = terminal
        self._before: list[Any] | None = None  # attributes as termios has them: numbers, and a list of letters
        self._prompt = ""

    def draw(self) -> None:
        if os.name == "nt":
            return
        import termios

        self._before = termios.tcgetattr(self.terminal)
        # A shell that had the terminal meanwhile (Ctrl-Z, then fg) gives it back with the echo on.
        signal.signal(signal.SIGCONT, self._continued)
        self.hush()

    def hush(self, prompt: str = "") -> None:
        """Switch the echo off anew, and forget what was typed ahead: one player's line is not the other one's pick.

        The prompt is shown again when the game comes back from a shell.
        """
        self._prompt = prompt
        if self._before is not None:
            import termios

            quiet = list(self._before)
            quiet[3] &= ~termios.ECHO
            self._set(quiet)

    def lift(self) -> None:
        """Give the terminal back as it was. It does no harm to lift twice."""
        if self._before is not None:
            self._set(self._before)
            signal.signal(signal.SIGCONT, signal.SIG_DFL)
            self._before = None

    def _continued(self, number: int, frame: FrameType | None) -> None:
        self.hush(self._prompt)
        with suppress(OSError):
            os.write(self.terminal, self._prompt.encode())

    def _set(self, attributes: list[Any]) -> None:
        import termios

        with suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(self.terminal, termios.TCSAFLUSH, attributes)
