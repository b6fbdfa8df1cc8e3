"""Where chance comes from, and who may know it.

Three kinds of random numbers, none of which keeps a state, all the same on every platform and Python version:

- A `Stream` belongs to somebody: the cards of a match, or the choices of one player in it. Its n-th number is a
  function of a seed and n, so a game taken back and played again deals the same cards. It is made by SHA-256: whoever
  has seen some of its numbers knows nothing about the others. `derive` makes seeds from a seed in the same way, so
  that one that is published says nothing about its brothers or about where it came from.
- `Luck` is the stream of a match together with what was promised about it: a commitment that is on disk before the
  first card is drawn, and the seed once it can no longer tell anybody what comes.
- `mix`, `stir` and `below` are for chance that is nobody's secret, as which puzzle comes today. They are SplitMix64's
  finaliser: fast, and easy to work back from.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import sha256
from struct import Struct
from typing import NamedTuple

LARGEST_SEED = 2**128
"""A seed lies between minus this and this."""

_MASK = (1 << 64) - 1

# Chance that is nobody's secret


def mix(*key: int) -> int:
    """64 well-stirred bits for a key of integers."""
    bits = 0
    for part in key:
        bits = stir(bits, part)
    return bits


def stir(bits: int, part: int) -> int:
    """One more integer worked into stirred bits: `mix(a, b, c)` is `stir(mix(a, b), c)`."""
    bits = ((bits ^ part) + 0x9E3779B97F4A7C15) & _MASK
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & _MASK
    return bits ^ (bits >> 31)


def below(count: int, *key: int) -> int:
    """A whole number from 0 to count - 1. The bias is below count / 2**64."""
    return (mix(*key) * count) >> 64


def pick(weights: Sequence[int], bits: int) -> int:
    """An index, chosen with the given whole-number weights by 64 random bits."""
    at = (bits * sum(weights)) >> 64
    for index, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return index
    raise ValueError("pick() needs at least one positive weight")


# Seeds and streams


def new_seed() -> int:
    """A seed that nobody has chosen and nobody can guess."""
    return int.from_bytes(os.urandom(16), "big") >> 1


def derive(seed: int, *path: str | int) -> int:
    """Another seed, that of this path. Neither this seed nor one of another path can be worked out from it."""
    return int.from_bytes(sha256(_written("seed", seed, path)).digest()[:16], "big") >> 1


def commitment(seed: int) -> str:
    """What can be shown of a seed beforehand: it gives nothing away, and no other seed fits it."""
    return sha256(_written("commitment", seed, ())).hexdigest()


def _written(what: str, seed: int, path: Sequence[str | int]) -> bytes:
    """One part a line. No part holds the end of a line, so no two paths are written alike."""
    parts = [str(part) for part in (f"duelbook {what}", seed, *path)]
    if any("\n" in part for part in parts):
        raise ValueError(f"a part of {path} has more than one line")
    return "\n".join(parts).encode()


_WORDS = Struct(">4Q")
"""One digest holds four numbers."""


class Stream:
    """Numbers of 64 bits, counted from 0, that follow from a seed and a path."""

    def __init__(self, seed: int, *path: str | int) -> None:
        self._begun = sha256(_written("numbers", seed, path) + b"\n")
        self._at = -1
        self._words: tuple[int, ...] = ()

    def number(self, place: int) -> int:
        """Numbers 4 k to 4 k + 3 are the four words of the digest of seed, path and k."""
        at = place >> 2
        if at != self._at:
            digest = self._begun.copy()
            digest.update(b"%d" % at)
            self._at, self._words = at, _WORDS.unpack(digest.digest())
        return self._words[place & 3]


# The luck of a match


class Stretch(NamedTuple):
    """Draws under one seed, from one number of draws on to where the next stretch begins."""

    begins: int
    commitment: str | None
    """None where somebody chose the seed: there was nothing to promise."""
    seed: int | None
    """None where it was never published, as when the program was killed."""


class Luck:
    """Which numbers decide the draws of a match, and what the world may know of them while it goes on.

    A seed stays in memory until it is over with: at the end of the match, or when the match is put aside. What is
    drawn later comes from another one. A program that reads everything on disk therefore learns nothing about cards
    to come, and whoever doubts the cards can compute them afterwards from seeds that were fixed before they fell.
    """

    def __init__(self, seed: int | None = None, past: Sequence[Stretch] = ()) -> None:
        """`seed` is one that somebody has chosen. `past` is what a record tells of draws before."""
        self.past = tuple(past)
        self.seed = seed
        """The one that decides now; None while the match is put aside."""
        self.chosen = seed is not None
        self.begins = 0
        self._stream: Stream | None = None
        self._own = seed

    def open(self, drawn: int) -> None:
        """Fix the seed of all draws that nobody has seen yet, the first `drawn` ones being known."""
        if self.seed is None:
            self.past = tuple(stretch for stretch in self.past if stretch.begins < drawn)  # nothing fell under others
            self.seed, self.begins, self.chosen, self._stream = new_seed(), drawn, False, None

    def close(self, drawn: int) -> None:
        """Publish the seed of what was drawn so far. It decides nothing any more."""
        if self.seed is not None and drawn > self.begins:
            self.past = (*self.past, self._now(self.seed))
        self.seed = self._stream = None

    def number(self, draw: int) -> int:
        """The bits of a draw that nobody has seen before."""
        if self._stream is None:
            self.open(draw)
            assert self.seed is not None
            self._stream = Stream(self.seed, "luck")
        return self._stream.number(draw)

    def knows(self, draw: int) -> bool:
        """Whether this draw is one of the seed that decides now."""
        return self.seed is not None and draw >= self.begins

    def stretches(self, *, over: bool) -> tuple[Stretch, ...]:
        """What may be told: the seed that decides now only once the match is over."""
        if self.seed is None or (self.chosen and not over):
            return self.past
        return (*self.past, self._now(self.seed if over else None))

    def _now(self, shown: int | None) -> Stretch:
        assert self.seed is not None
        return Stretch(self.begins, None if self.chosen else commitment(self.seed), shown)

    def seat_seed(self, seat: int) -> int:
        """The seed of a player's own choices. It has nothing to do with the cards, and is never published.

        Only where somebody chose a seed for everything does it follow from that.
        """
        if self._own is None:
            self._own = new_seed()
        return derive(self._own, "seat", seat)
