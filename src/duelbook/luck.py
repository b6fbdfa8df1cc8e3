"""Numbers from a seed: the same on every platform and Python version, and the same however often they are asked for.

Nothing here keeps a state. The n-th draw of a match is a function of the seed and n, so a game taken back and played
again deals the same cards, and a game resumed from disk needs nothing but its seed. The mixing is SplitMix64's
finaliser.
"""

from __future__ import annotations

from collections.abc import Sequence

_MASK = (1 << 64) - 1


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
    """An index, chosen with the given whole-number weights by bits that are stirred already."""
    at = (bits * sum(weights)) >> 64
    for index, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return index
    raise ValueError("pick() needs at least one positive weight")
