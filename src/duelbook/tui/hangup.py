"""The window closes: its program is woken as if it had been stopped, and whatever it writes arrives nowhere."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from duelbook.tui.app import DuelbookApp


def is_there() -> bool:
    """Whether there is a terminal that can be drawn on."""
    try:
        import termios
    except ImportError:  # Windows
        return True
    try:
        termios.tcgetattr(sys.__stdin__.fileno() if sys.__stdin__ is not None else -1)
    except (OSError, ValueError, termios.error):
        return False
    return True


def wake_only_where_there_is_one(app: DuelbookApp) -> None:
    """Textual draws everything anew when the program is woken, which waits for ever where nobody takes what it writes:
    a system that takes a window away wakes the program in it, so that it can end."""
    if app.is_headless:
        return
    usual = signal.getsignal(signal.SIGCONT)

    def woken(number: int, frame: FrameType | None) -> None:
        if app.is_running and is_there() and callable(usual):
            usual(number, frame)

    signal.signal(signal.SIGCONT, woken)


def let_go(app: DuelbookApp) -> None:
    """End what still reads keys or writes: a window that closes at a bad moment can leave such threads.

    One would read nothing for ever, keep the program alive without a terminal, and take a processor for that.
    """
    driver: Any = app._driver
    done = getattr(driver, "exit_event", None)  # only where Textual reads keys in a thread
    if done is None:
        return
    with suppress(AttributeError, ValueError):  # Windows, or not the main thread
        signal.signal(signal.SIGCONT, signal.SIG_DFL)
    done.set()
    writer = getattr(driver, "_writer_thread", None)
    if writer is not None and writer.is_alive() and is_there():
        driver.close()


def give_up_drawing(app: DuelbookApp) -> None:
    """The window is gone: what is still drawn on the way out is dropped, and nobody waits until it is written."""
    driver: Any = app._driver
    if driver is not None and not is_there():
        driver.write = _nowhere
        driver._writer_thread = None


def _nowhere(_data: str) -> None:
    """Where what is written goes when there is no window."""
