"""How much anybody may ask for: sizes, rates and numbers, so that nobody takes the table from the others."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import NamedTuple

LARGEST_MESSAGE = 4096
"""Bytes of anything that is sent to the server."""
LOOKS = 10
"""So many questions that change nothing weigh as much as one that does."""
PAGE = 5
"""So many plain questions weigh as much as a page, which has to be drawn."""
MOST_ADDRESSES = 10_000
"""Whose rates are remembered."""
ENDLESS = 1e9


class Limits(NamedTuple):
    a_second: float = 20.0
    """Acts of one address by HTTP, and messages of one socket."""
    burst: float = 60.0
    """So many at once before that counts."""
    sockets: int = 200
    """Of one address."""
    watchers: int = 500
    """Of one game."""
    games: int = 100
    """Made by one address and not over yet; after so many at once, one more every few seconds."""
    challenges: int = 10
    """Of those, the ones in which anybody may sit down and nobody has."""
    all_games: int = 20_000
    """Not over yet, of all addresses together."""
    questions: int = 6
    """Of one address that wait for the coach, or for rules to be solved."""


NONE = Limits(*[int(ENDLESS)] * len(Limits._fields))
"""For measuring, and where somebody else stands before the server and counts."""


def limits(a_second: float) -> Limits:
    """Those for an operator who says how many acts a second an address may do; 0 for as many as it likes."""
    return Limits(a_second, max(10.0, 3 * a_second)) if a_second else NONE


class Bucket:
    """So many at once, and so many a second after that (a token bucket)."""

    __slots__ = ("_a_second", "_burst", "_left", "_since")

    def __init__(self, burst: float, a_second: float, now: float) -> None:
        self._burst, self._a_second, self._left, self._since = burst, a_second, burst, now

    def allows(self, now: float, weight: float = 1) -> bool:
        self._left = min(self._burst, self._left + (now - self._since) * self._a_second)
        self._since = now
        if self._left < weight:
            return False
        self._left -= weight
        return True


class Rate:
    """A bucket for each address."""

    def __init__(self, burst: float, a_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst, self.a_second, self.clock = burst, a_second, clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def allows(self, address: str, weight: float = 1) -> bool:
        now = self.clock()
        bucket = self._buckets.pop(address, None) or Bucket(self.burst, self.a_second, now)
        self._buckets[address] = bucket
        while len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket.allows(now, weight)


def less(counts: Counter[str], key: str) -> None:
    """One less of these; nothing is remembered of what is not there any more."""
    counts[key] -= 1
    if counts[key] <= 0:
        del counts[key]
