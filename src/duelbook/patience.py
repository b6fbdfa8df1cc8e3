"""What a person at a terminal sees who has to wait: that something is being done, and for how long already."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from duelbook.speech import plain

aloud = True
"""Whether it is shown at all. A full screen shows it in its own way."""
_bars = True

BAR = 10
"""Columns of the bar that shows that we are still at it."""


@contextmanager
def plainly() -> Iterator[None]:
    """While this lasts no bar is drawn: whoever waits sees the words alone."""
    global _bars
    before, _bars = _bars, False
    try:
        yield
    finally:
        _bars = before


def drawing() -> bool:
    """Whether a bar may be drawn on standard error: a terminal shows it, and nobody asked for plain text."""
    return _bars and sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


@contextmanager
def patience(words: str) -> Iterator[Callable[[str], None]]:
    """Say it when this takes more than a second and a person waits. What comes back is told, from time to time, how it
    stands."""
    stand = [words]
    if not (aloud and sys.stderr.isatty()):
        yield stand.append
        return
    from threading import Event, Thread

    done = Event()
    shown = Thread(target=_show, args=(stand, done, drawing()), daemon=True)
    shown.start()
    try:
        yield stand.append
    finally:
        done.set()
        shown.join()


def _show(stand: list[str], done: Any, drawn: bool) -> None:
    if done.wait(1.0):
        return
    first = plain(stand[0])
    if not drawn:
        sys.stderr.write(f"{first}\n")
        sys.stderr.flush()
        return
    sys.stderr.write(first)  # the words alone, until the bar is loaded: beside a compiler that takes a while
    sys.stderr.flush()
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.text import Text

    console = Console(stderr=True)
    room = max(1, console.width - BAR - len(" 0:00:00 ") - 1)

    def fitting(*words: str) -> str:
        """In a narrow window the words are cut, and how long it takes already is always there."""
        said = Text(plain(" ".join(words)))
        said.truncate(room, overflow="ellipsis")
        return said.plain

    sys.stderr.write(f"\r{' ' * len(first)}\r")
    sys.stderr.flush()
    # What is said may hold somebody's name, or words of a program: it is neither a format nor markup.
    columns = (TextColumn("{task.description}", markup=False), BarColumn(BAR), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(fitting(stand[0]), total=None)
        while not done.wait(0.1):
            progress.update(task, description=fitting(stand[0], *stand[1:][-1:]))
