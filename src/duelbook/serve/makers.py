"""Who has made which games: so that nobody fills the lobby, the memory or the disk with games that nobody plays."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from duelbook.serve.events import Refused
from duelbook.serve.limits import Limits, Rate

A_DAY = 24 * 3600.0
"""Seconds after which an unfinished game counts no more: correspondence goes on for longer, and takes little."""
AT_REST = 500.0
"""Seconds in which as many games may be made as at once."""


class Made(NamedTuple):
    address: str
    at: float
    waits: bool
    """Whether anybody may sit down in it, so that it stands in the lobby."""


class Makers:
    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self.limits, self.clock = limits, clock
        self._rate = Rate(limits.games, limits.games / AT_REST, clock)
        self._games: OrderedDict[str, Made] = OrderedDict()
        """Those that are not over, the oldest first."""
        self._unfinished: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()

    def check(self, address: str, *, waits: bool) -> None:
        """Raises Refused where one more would be too many."""
        self._forget_old()
        if len(self._games) >= self.limits.all_games:
            raise Refused("So many games are being played here that no other can begin; try again later.")
        if waits and self._waiting[address] >= self.limits.challenges:
            raise Refused("So many of your games wait for somebody that no other can; withdraw one, or sit down in it.")
        if self._unfinished[address] >= self.limits.games or not self._rate.allows(address):
            raise Refused("So many games were made from there that no other can be; finish one, or wait a while.")

    def remember(self, game: str, address: str, *, waits: bool) -> None:
        self._games[game] = Made(address, self.clock(), waits)
        self._unfinished[address] += 1
        self._waiting[address] += waits

    def has_begun(self, game: str) -> None:
        made = self._games.get(game)
        if made is not None and made.waits:
            self._games[game] = made._replace(waits=False)
            self._waiting[made.address] -= 1

    def is_over(self, game: str) -> None:
        made = self._games.pop(game, None)
        if made is not None:
            self._unfinished -= Counter([made.address])
            self._waiting -= Counter([made.address] if made.waits else [])

    def _forget_old(self) -> None:
        old = self.clock() - A_DAY
        while self._games and next(iter(self._games.values())).at < old:
            self.is_over(next(iter(self._games)))
