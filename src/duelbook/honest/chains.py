"""A hash chain (Lamport): one promise beforehand, and then a fresh number for every draw that was in it all along.

The end of the chain, its anchor, is shown first. Each link hashes to the one before it, so whoever holds the anchor
checks a link by hashing it, and nobody finds the next one without the secret that the chain was made from.
"""

from __future__ import annotations

from duelbook.core import DuelError
from duelbook.honest.writing import LENGTH, digest

LONGEST = 10_000
"""Links of a chain. Every draw takes one."""


class Chain:
    """The links of one seat in one game, from the anchor (0) on."""

    def __init__(self, secret: bytes, length: int) -> None:
        if len(secret) != LENGTH or not 1 <= length <= LONGEST:
            raise ValueError(f"a chain has a secret of {LENGTH} bytes and from 1 to {LONGEST} links")
        links = [secret]
        for _ in range(length):
            links.append(before(links[-1]))
        self._links = links[::-1]

    @property
    def anchor(self) -> bytes:
        return self._links[0]

    def link(self, number: int) -> bytes:
        """The link of this draw; the first draw has number 1."""
        if not 1 <= number < len(self._links):
            raise DuelError(f"This chain has links for {len(self._links) - 1:,} draws; there is none for {number:,}.")
        return self._links[number]


def before(link: bytes) -> bytes:
    """The link before this one."""
    return digest("link", link)


def leads_to(link: bytes, steps: int, known: bytes) -> bool:
    """Whether so many steps back from this link lies the one that is known."""
    for _ in range(steps):
        link = before(link)
    return link == known
