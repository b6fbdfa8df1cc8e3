"""Where events are kept: what every kind of store promises."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import NamedTuple, Protocol

from duelbook.core import DuelError
from duelbook.serve.events import Event


class Taken(DuelError):
    """Somebody else has written the next event of this game already: read what it is, and decide again."""


class Listed(NamedTuple):
    """A game as a list of games shows it."""

    game: str
    created: Event
    last: Event


class Store(Protocol):
    def append(self, events: Sequence[Event]) -> Future[None]:
        """Write events that follow each other, all of them or none. When it is done they are on disk.

        The place behind the last event of a game is taken once: who comes second gets `Taken`. That is the only lock.
        """

    def read(self, game: str, after: int = 0) -> list[Event]:
        """The events of a game behind this one, in their order; none for a game that is not there."""

    def games(self, *, most: int = 100) -> list[Listed]:
        """The games in which something happened last, newest first."""

    def lasts(self, games: Sequence[str]) -> dict[str, int]:
        """The number of the last event of each of these games."""

    def close(self) -> None:
        """Write what is waiting, and let go of the files."""
