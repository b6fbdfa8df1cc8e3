"""Where events are kept: what every kind of store promises."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

from duelbook.core import DuelError
from duelbook.serve.events import Event

Deliver = Callable[[Callable[[], None]], object]
"""Has something done where it belongs, as a loop's `call_soon_threadsafe`."""


class Taken(DuelError):
    """Somebody else has written the next event of this game already: read what it is, and decide again."""


class Kept(NamedTuple):
    """Everything that is kept of a game, whatever has become of it."""

    game: str
    events: list[Event]
    last: int
    """The number of the last event that was acknowledged."""


class Away(OSError):
    """The store cannot be asked just now."""


class Listed(NamedTuple):
    """A game as a list of games shows it."""

    game: str
    created: Event
    last: Event
    heard: float = 0.0
    """When somebody who sits there was last heard of, as far as that is written."""


Heard = Mapping[tuple[str, int], float]
"""When each seat of some games was last heard of, in seconds since 1970."""


Done = Callable[[DuelError | None], None]
"""Told what was wrong, or nothing when it is on disk."""


def at_once(done: Callable[[], None]) -> None:
    """In the thread that has written."""
    done()


def appended(store: Store, events: Sequence[Event]) -> Future[None]:
    """The same as `append`, for whoever waits."""
    future: Future[None] = Future()
    store.append(events, lambda error: future.set_exception(error) if error else future.set_result(None))
    return future


Row = TypeVar("Row", bound=Sequence[object])


def readable(event: Callable[[Row], Event], row: Row) -> Event:
    """The event of a row; where somebody has written there what is none, one that follows from nothing."""
    try:
        return event(row)
    except (ValueError, AssertionError):
        return Event(str(row[0]), 0, 0.0, "", {"kind": "unreadable"}, "")


def waits(events: Sequence[Event]) -> bool:
    """Whether a game that grows by these may still wait for anybody: it is made so, and has not begun."""
    if events[0].kind == "created" and events[0].body.get("open") is not True:
        return False
    return not any(event.kind in ("began", "over") for event in events)


class Store(Protocol):
    def append(self, events: Sequence[Event], done: Done, deliver: Deliver = at_once) -> None:
        """Write events that follow each other, all of them or none. When they are on disk, `done` is told.

        The place behind the last event of a game is taken once: who comes second gets `Taken`. That is the only lock.
        What was written together is told together, by one call of `deliver`.
        """

    def read(self, game: str, after: int = 0) -> list[Event]:
        """The events of a game behind this one, in their order; none for a game that is not there."""

    def read_all(self, after: Mapping[str, int]) -> dict[str, list[Event]]:
        """The same of several games; those without news are left out."""

    def games(self, *, most: int = 100, waiting: bool = False) -> list[Listed]:
        """The games in which something happened last, newest first; or those where anybody may sit down, and first
        those where who waits was there last."""

    def lasts(self, games: Sequence[str]) -> dict[str, int]:
        """The number of the last event of each of these games."""

    def mark(self, heard: Heard) -> None:
        """Write down who was there when; what is later stays. Raises Away, and nothing is lost by that."""

    def heard(self, games: Sequence[str]) -> dict[tuple[str, int], float]:
        """What is written of who was there in these games."""

    def close(self) -> None:
        """Write what is waiting, and let go of the files."""


@runtime_checkable
class Shared(Protocol):
    """A store that other processes write, too."""

    def listen(self, hear: Callable[[str], object]) -> None:
        """Have `hear` called with the name of every game in which another process has written."""
