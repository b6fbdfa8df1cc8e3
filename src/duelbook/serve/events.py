"""What an online game is made of: a list of events that only ever grows.

Whatever is known of a game follows from its events in their order, and an event that is acknowledged is on disk. Each
carries a hash over itself and the one before it, so nothing in the middle can be changed without everything after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from duelbook.core import DuelError

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Body = Mapping[str, Json]
"""What happened: its `kind`, and what that kind has to tell."""


class Refused(DuelError):
    """An act that the game does not allow, now or ever, and why."""


class Busy(Refused):
    """Not now: whoever asks the same again later may be answered."""


class Malformed(Refused):
    """What nobody can make sense of, whatever the game: it is not written as messages are."""


class TooLong(Malformed):
    """What is not even read to its end."""


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
    text: str = ""
    """The body as it is hashed and kept; empty where it came over a network, as far as it was shown."""

    @property
    def kind(self) -> str:
        return str(self.body["kind"])
