"""What an online game is made of: a list of events that only ever grows.

Whatever is known of a game follows from its events in their order, and an event that is acknowledged is on disk. Each
carries a hash over itself and the one before it, so nothing in the middle can be changed without everything after it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import NamedTuple

from duelbook.core import DuelError

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Body = Mapping[str, Json]
"""What happened: its `kind`, and what that kind has to tell."""


class Refused(DuelError):
    """An act that the game does not allow, now or ever, and why."""


class Event(NamedTuple):
    game: str
    seq: int
    """From 1; there is no gap."""
    at: float
    """Seconds since 1970, by the server's clock."""
    act: str
    """The sender's own name for the act that led to it: the same act sent again is answered, not done again."""
    body: Body
    hash: str

    @property
    def kind(self) -> str:
        return str(self.body["kind"])


def dumped(value: object) -> str:
    """The one way in which a value is written as JSON here, so that equal values have equal hashes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def chained(game: str, last: Event | None, act: str, at: float, bodies: Iterable[Body]) -> Iterator[Event]:
    """The events that follow the last one when these things happen together."""
    seq, known = (last.seq, last.hash) if last else (0, "")
    for body in bodies:
        seq += 1
        known = running_hash(known, game, seq, at, act, body)
        yield Event(game, seq, at, act, body, known)


def running_hash(known: str, game: str, seq: int, at: float, act: str, body: Body) -> str:
    return sha256(dumped([known, game, seq, at, act, body]).encode()).hexdigest()


def unbroken(events: Iterable[Event]) -> bool:
    """Whether each event follows from the one before it."""
    last: Event | None = None
    for event in events:
        if [event] != list(chained(event.game, last, event.act, event.at, [event.body])):
            return False
        last = event
    return True
