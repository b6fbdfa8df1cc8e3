"""How events hang together: each carries a hash over itself and all that came before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

from duelbook.serve.events import Body, Event
from duelbook.serve.writing import dumped


def chained(game: str, last: Event | None, act: str, at: float, bodies: Iterable[Body]) -> Iterator[Event]:
    """The events that follow the last one when these things happen together."""
    seq, known = (last.seq, last.hash) if last else (0, "")
    for body in bodies:
        seq += 1
        text = dumped(body)
        before = f"[{dumped(known)},{dumped(game)},{seq},{at!r},{dumped(act)},{text}]"
        known = sha256(before.encode()).hexdigest()
        yield Event(game, seq, at, act, body, known, text)


def unbroken(events: Iterable[Event]) -> bool:
    """Whether each event follows from the one before it."""
    last: Event | None = None
    for event in events:
        (follows,) = chained(event.game, last, event.act, event.at, [event.body])
        if (event.seq, event.hash) != (follows.seq, follows.hash):
            return False
        last = event
    return True
