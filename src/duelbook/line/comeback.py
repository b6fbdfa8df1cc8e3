"""A question that is asked again when the game comes back from a shell: Ctrl-Z, then `fg`.

The shell has used the terminal meanwhile. It has written over the question, and given the terminal back with its own
settings, under which line editing would show everything twice.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import current_thread, main_thread
from types import FrameType
from typing import TextIO


@contextmanager
def asked_again(prompt: str, source: TextIO, sink: TextIO) -> Iterator[None]:
    """While a person is asked this: show it again, with what was typed so far, whenever the game is continued."""
    if os.name == "nt" or current_thread() is not main_thread():  # only the main thread hears signals
        yield
        return

    def continued(number: int, frame: FrameType | None) -> None:
        editing = sys.modules.get("readline") if sink.isatty() else None
        if editing is not None:
            _key_by_key(source.fileno())
        with suppress(OSError, ValueError):
            sink.write(prompt + (editing.get_line_buffer() if editing is not None else ""))
            sink.flush()

    before = signal.signal(signal.SIGCONT, continued)
    try:
        yield
    finally:
        signal.signal(signal.SIGCONT, before)


def _key_by_key(terminal: int) -> None:
    """Let keys come one by one and unseen, as line editing had it: it shows them itself, and tidies up in the end."""
    import termios

    with suppress(termios.error):  # the terminal may be gone
        settings = termios.tcgetattr(terminal)
        settings[0] &= ~(termios.ICRNL | termios.INLCR)
        settings[3] &= ~(termios.ICANON | termios.ECHO)
        settings[6][termios.VMIN], settings[6][termios.VTIME] = 1, 0
        termios.tcsetattr(terminal, termios.TCSADRAIN, settings)
