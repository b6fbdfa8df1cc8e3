"""Many values as one number, by which things that are equal are looked for: a hash. It can be compiled."""

from __future__ import annotations

FINE, STIR, WHOLE = 9007199254740881.0, 0x9E3779B1, (1 << 62) - 1
"""What makes whole numbers of values, primes both so that every digit counts, and the greatest that may come out."""


def stir(stirred: int, value: float) -> int:
    """Another value stirred into a number. The higher digits of what comes out are mixed best."""
    return (stirred * STIR + int(value * FINE)) & WHOLE


def slot_for(stirred: int, slots: int) -> int:
    return (stirred >> 24) % slots
