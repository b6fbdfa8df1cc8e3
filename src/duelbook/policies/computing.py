"""How far the computing of a table of meetings has come, for whoever waits.

First the duel is laid out, and nobody knows how long that takes. Then all meetings take about equally long, so those
that are done say how long the others will.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from duelbook.patience import still

LAYING_OUT = "Laying out every position (1 of 2)"


class Computing:
    """Told how many meetings are computed, of how many; a `Standing` that `patience` shows."""

    def __init__(self, words: str, clock: Callable[[], float] = monotonic) -> None:
        self.words, self.clock = words, clock
        self.done, self.all = 0, 0
        self.begun, self.first, self.last = clock(), 0.0, 0.0
        """When it began, when the first meeting was computed, which waits for a compiler too, and the latest."""

    def tell(self, done: int, of: int) -> None:
        self.last = self.clock()
        if self.done == 0:
            self.first = self.last
        self.done, self.all = done, of

    @property
    def part(self) -> float:
        return self.done / self.all if self.all else 0.0

    @property
    def step(self) -> str:
        """What is being done, in tenths: where no bar is drawn each of them is a line."""
        return f"{self.words} (2 of 2), {10 * int(10 * self.part)} % done" if self.done else LAYING_OUT

    def __str__(self) -> str:
        now = self.clock()
        if self.done < 2:
            return f"{self.step}, {now - self.begun:.0f} s so far"
        left = (self.last - self.first) / (self.done - 1) * (self.all - self.done)
        return f"{self.step}, {still(max(left - (now - self.last), 0.0))}"
