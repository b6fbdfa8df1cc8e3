"""What a person at a terminal sees who has to wait: that something is being done, and for how long already."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from duelbook.speech import plain

aloud = True
"""Whether it is shown at all. A full screen shows it in its own way."""


@contextmanager
def patience(words: str) -> Iterator[None]:
    """Say it when this takes more than a second and a person waits."""
    if not (aloud and sys.stderr.isatty()):
        yield
        return
    from threading import Event, Thread

    done = Event()
    shown = Thread(target=_show, args=(words, done), daemon=True)
    shown.start()
    try:
        yield
    finally:
        done.set()
        shown.join()


def _show(words: str, done: Any) -> None:
    if done.wait(1.0):
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    # The words may hold somebody's name: they are neither a format nor markup.
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(plain(words), total=None)
        done.wait()
