"""A watch over a duel's own functions while it is checked: one that never comes back is named, and nobody waits for it.

The work is done in a thread of its own. One call of one function of the duel may take as long as `LONGEST_CALL`; how
long all of them take together does not matter, nor does what Duelbook does itself, such as compiling. Nothing can stop
a thread in Python, so the one that hangs is left behind; it does not keep the process from ending.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from types import FrameType

from duelbook.beside import Made, Work
from duelbook.core import DuelError, Game
from duelbook.games import room

LONGEST_CALL = 60.0
"""Seconds. A function of a duel takes microseconds, so this is not about speed."""
OFTEN = 0.25
"""Seconds between two looks."""


class Hangs(DuelError):
    """A function of the duel has not come back."""

    def __init__(self, function: str, seconds: float) -> None:
        super().__init__(f"it has not come back after {seconds:.0f} s; every function must give its answer at once.")
        self.function = function


class Watch:
    """Which call into a duel's own files a thread is in, and since when."""

    def __init__(self, game: Game, clock: Callable[[], float] = monotonic) -> None:
        # Rules that stand in no file are told as a mistake elsewhere; nothing lies in a folder without a name.
        self.folder = str(room(game)) if hasattr(game.rules_file, "__file__") else ""
        self.clock = clock
        self.call: FrameType | None = None
        self.since = clock()

    def look(self, thread: int) -> None:
        """The outermost call: where functions of a duel call each other, it is the one that Duelbook called."""
        frame, call = sys._current_frames().get(thread), None
        while frame is not None:
            if str(Path(frame.f_code.co_filename).parent) == self.folder:
                call = frame
            frame = frame.f_back
        if call is not self.call:
            self.call, self.since = call, self.clock()

    def check(self) -> None:
        """Raise Hangs where the call has taken too long."""
        if self.call is not None and self.clock() - self.since > LONGEST_CALL:
            code = self.call.f_code
            self.call = None  # a frame keeps alive whatever is in it
            raise Hangs(f"{Path(code.co_filename).stem}.{code.co_name}", LONGEST_CALL)


def watched(game: Game, do: Callable[[], Made]) -> Made:
    """What comes of some work on a duel. Raises Hangs where one of the duel's functions does not come back."""
    watch, work = Watch(game), Work(do, daemon=True)
    work.start()
    while not work.over_within(OFTEN):
        watch.look(work.ident or 0)
        watch.check()
    return work.result()
