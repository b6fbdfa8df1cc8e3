"""One game that this process serves: whose turn it is to change it, what is written of it, and who listens.

A change is decided, written, and only then told. Whoever comes meanwhile waits in a row. Nothing here is kept that the
store does not have: when writing went wrong, or another process was faster, the game is read again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Protocol

from duelbook.core import DuelError
from duelbook.serve.chain import chained
from duelbook.serve.events import Body, Event, Refused
from duelbook.serve.metrics import Metrics
from duelbook.serve.news import News
from duelbook.serve.online import Online
from duelbook.serve.store import Store, Taken

TRIES = 50
"""How often an act is decided again when others are faster, before it is given up."""


class NoGame(DuelError):
    """There is no such game."""


class NotYours(DuelError):
    """Whoever says this does not sit there."""


class Listener(Protocol):
    def hear(self, news: News) -> None:
        """Something has happened, and is on disk. Whoever hears it does not wait for anything."""


Done = Callable[[Sequence[Event] | BaseException], None]
"""Called with what a change has led to, or with why it could not be."""


class Change:
    __slots__ = ("decide", "done", "name", "tries")

    def __init__(self, name: str, decide: Callable[[Online], list[Body]], done: Done) -> None:
        """`name` is that of the act: the same one again is answered with what it led to."""
        self.name, self.decide, self.done, self.tries = name, decide, done, TRIES


class Served:
    def __init__(
        self, game: str, store: Store, clock: Callable[[], float], metrics: Metrics, after: Callable[[Online], None]
    ) -> None:
        """`after` hears of the game when it was read and whenever it has grown."""
        self.game, self.store, self.clock, self._metrics, self._after = game, store, clock, metrics, after
        self.events: list[Event] = []
        """Those that are written."""
        self.listeners: set[Listener] = set()
        self.heard: dict[int, float] = {}
        """When each seat was last heard of."""
        self.since = clock()
        """Since when anybody could have been."""
        self._online: Online | None = None
        self._acts: dict[str, list[Event]] = {}
        self._row: deque[Change] = deque()
        self._writing = False
        self._handed_over = 0.0
        """When what is being written was."""
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def waits(self) -> bool:
        """Whether it has not begun, as far as it was read."""
        return self._online is not None and not self._online.begun and not self._online.over

    @property
    def idle(self) -> bool:
        return not (self.listeners or self._writing or self._row)

    # Looking

    async def online(self) -> Online:
        """The game as it is on disk, until whoever asked waits for something else. It is not to be changed."""
        while self._writing:
            settled = asyncio.get_running_loop().create_future()
            self._waiting.append(settled)
            await settled
        return self._current()

    def _current(self) -> Online:
        if self._online is None:
            self._online = self._read_again()
        return self._online

    def _read_again(self) -> Online:
        known = len(self.events)
        events = self.store.read(self.game)
        if not events:
            raise NoGame("There is no such game here.")
        online = Online(events)
        self.events, self._acts = [], {}
        self._keep(events)
        if known < len(events):
            self._tell(online, events[known:])
            self._after(online)
        return online

    def _keep(self, events: Sequence[Event]) -> None:
        self.events += events
        for event in events:
            self._acts.setdefault(event.act, []).append(event)

    def take_in(self, new: Sequence[Event] | None = None) -> bool:
        """Whether other processes have written what was not known here; it is now. Not while something is written."""
        online = self._current()
        reached = len(self.events)
        new = self.store.read(self.game, reached) if new is None else [each for each in new if each.seq > reached]
        if not new or new[0].seq != reached + 1:
            return False
        for event in new:
            online.take(event)
        self._keep(new)
        self._tell(online, new)
        self._after(online)
        return True

    def _tell(self, online: Online, events: Sequence[Event]) -> None:
        if self.listeners:
            news = News(online, events, len(online.story))
            for listener in list(self.listeners):
                listener.hear(news)

    # Changing

    def change(self, change: Change) -> None:
        """Decide, write, tell; in the order in which they come. It goes on even if whoever asked is gone."""
        self._row.append(change)
        self._go_on()

    def _go_on(self) -> None:
        while self._row and not self._writing:
            self._decide(self._row.popleft())
        if not self._writing:
            waiting, self._waiting = self._waiting, []
            for settled in waiting:
                if not settled.done():
                    settled.set_result(None)

    def _decide(self, change: Change) -> None:
        try:
            online = self._current()
            known = self._acts.get(change.name)
            bodies = [] if known else change.decide(online)
            events = list(chained(self.game, self.events[-1], change.name, self.clock(), bodies))
        except (Refused, NotYours) as error:
            self._refuse(change, error)
            return
        except Exception as error:  # noqa: BLE001 - whoever asked hears of it, and the game is what is on disk
            self._online = None
            change.done(error)
            return
        if known or not bodies:
            change.done(known or [])
            return
        self._writing, self._handed_over = True, perf_counter()
        deliver = asyncio.get_running_loop().call_soon_threadsafe
        self.store.append(events, partial(self._written, change, events), deliver)

    def _refuse(self, change: Change, error: DuelError) -> None:
        """Unless another process knows more, so that what was refused may be right."""
        try:
            again = change.tries > 0 and self.take_in()
        except Exception as wrong:  # noqa: BLE001 - the store cannot be read: whoever asked hears of that instead
            change.done(wrong)
            return
        if again:
            change.tries -= 1
            self._row.appendleft(change)
        else:
            change.done(error)

    def _written(self, change: Change, events: list[Event], error: DuelError | None) -> None:
        self._writing = False
        self._metrics.appended(perf_counter() - self._handed_over)
        try:
            if error is None:
                self._has_grown(events)
                change.done(events)
            else:
                self._online = None  # what is in memory is more than what is written
                self._try_again(change, error)
        finally:
            self._go_on()

    def _has_grown(self, events: list[Event]) -> None:
        online = self._current()
        online.last = events[-1]
        self._keep(events)
        self._tell(online, events)
        self._after(online)

    def _try_again(self, change: Change, error: DuelError) -> None:
        if not isinstance(error, Taken):
            change.done(error)
        elif change.tries > 0:
            change.tries -= 1
            self._row.appendleft(change)
        else:
            change.done(Refused("The game is so busy that this could not be done; try again."))
