"""What a person at a terminal sees who has to wait: that something is being done, and for how long already."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from duelbook.speech import plain
from duelbook.window import fitted

aloud = True
"""Whether it is shown at all. A full screen shows it in its own way."""
_bars = True


class Standing(Protocol):
    """How something stands that takes a while: as a sentence that begins with what is being done, and how much of it is
    done, nothing as long as nobody knows."""

    @property
    def step(self) -> str: ...
    @property
    def part(self) -> float: ...


_waited_for: list[Standing] = []
_shown: list[object] = []
"""What is being waited for on the terminal. Of one wait within another only the inner is seen."""


def standing() -> str:
    """How what somebody waits for stands, for a screen that shows it itself; nothing where it is not known."""
    return str(_waited_for[-1]) if _waited_for else ""


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
def patience(words: str, progress: Standing | None = None) -> Iterator[Callable[[str], None]]:
    """Say it when this takes more than a second and a person waits. What comes back is told, from time to time, how it
    stands; where `progress` knows that by itself, the words stay and how it stands is shown below them."""
    known = [] if progress is None else [progress]
    _waited_for.extend(known)
    stand = [words]
    try:
        if not (aloud and sys.stderr.isatty()):
            yield stand.append
            return
        from threading import Event, Thread

        done = Event()
        _shown.append(done)
        show = (_show, (stand, done, drawing())) if progress is None else (_follow, (words, progress, done, drawing()))
        shown = Thread(target=show[0], args=show[1], daemon=True)
        shown.start()
        try:
            yield stand.append
        finally:
            done.set()
            shown.join()
            _shown.remove(done)
    finally:
        for each in known:
            _waited_for.remove(each)


def _follow(words: str, progress: Standing, done: Any, drawn: bool) -> None:
    """Say what is done and for how long it will still be. Where no bar may be drawn, a line for every step."""
    if done.wait(1.0) or _is_done_within(done):
        return
    sys.stderr.write(f"{fitted(plain(words), sys.stderr)}\n")
    sys.stderr.flush()
    if not drawn:
        said = ""
        while not said or not done.wait(0.1):
            if progress.step != said and _is_seen(done):
                said = progress.step
                sys.stderr.write(f"{plain(progress)}\n")
                sys.stderr.flush()
        return
    from rich.console import Console
    from rich.progress import Progress, TextColumn

    console = Console(stderr=True)
    with Progress(TextColumn("{task.description}", markup=False), console=console, transient=True) as shown:
        task = shown.add_task("")
        while True:
            shown.update(task, description=fitted(_bar_and_words(progress, console.width - 1), sys.stderr))
            if done.wait(0.1) or _is_done_within(done, shown.stop, shown.start):
                break


def _bar_and_words(progress: Standing, width: int) -> str:
    """A bar that is seen without colours, too. In a narrow window what is done gives way to how it stands."""
    full = int(BAR * min(progress.part, 1.0))
    words, step = str(progress), progress.step
    rest = words.removeprefix(step) if words.startswith(step) else ""  # it may have gone on between the two
    room = width - BAR - 1
    said = f"{_cut(step, room - len(rest))}{rest}" if 0 < len(rest) < room else _cut(words, max(1, room))
    return f"{'█' * full}{'░' * (BAR - full)} {said}"


def _is_seen(done: Any) -> bool:
    return not _shown or _shown[-1] is done


def _is_done_within(done: Any, hide: Callable[[], object] = bool, show: Callable[[], object] = bool) -> bool:
    """Give way to an inner wait for as long as it lasts. Whether the outer is over then."""
    if _is_seen(done):
        return False
    hide()
    while not _is_seen(done):
        if done.wait(0.1):
            return True
    show()
    return False


def still(seconds: float) -> str:
    """For how long it will still take, in words."""
    if seconds < 1.5:
        return "a moment more"
    return f"about {seconds:.0f} s more" if seconds < 90 else f"about {seconds / 60:.0f} min more"


def _cut(words: str, room: int) -> str:
    from rich.text import Text

    said = Text(plain(words))
    said.truncate(room, overflow="ellipsis")
    return said.plain


def _show(stand: list[str], done: Any, drawn: bool) -> None:
    if done.wait(1.0) or _is_done_within(done):
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

    console = Console(stderr=True)
    # In a narrow window the words are cut, and how long it takes already is always there.
    room = max(1, console.width - BAR - len(" 0:00:00 ") - 1)

    sys.stderr.write(f"\r{' ' * len(first)}\r")
    sys.stderr.flush()
    # What is said may hold somebody's name, or words of a program: it is neither a format nor markup.
    columns = (TextColumn("{task.description}", markup=False), BarColumn(BAR), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(_cut(stand[0], room), total=None)
        while not (done.wait(0.1) or _is_done_within(done, progress.stop, progress.start)):
            progress.update(task, description=_cut(" ".join([stand[0], *stand[1:][-1:]]), room))
