"""How much anybody may ask for: sizes, rates and numbers, so that nobody takes the table from the others."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

LARGEST_MESSAGE = 4096
"""Bytes of anything that is sent to the server."""
MOST_ADDRESSES = 10_000
"""Whose rates are remembered."""


class Rate:
    """So many at once, and so many a second after that, for each address (a token bucket)."""

    def __init__(self, burst: float, a_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst, self.a_second, self.clock = burst, a_second, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        now = self.clock()
        left, since = self._left.pop(address, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.a_second)
        self._left[address] = (left - 1 if left >= 1 else left, now)
        while len(self._left) > MOST_ADDRESSES:
            self._left.popitem(last=False)
        return left >= 1
