"""How things are written down before they are hashed: so that no two of them are ever written alike."""

from __future__ import annotations

from hashlib import sha256

LENGTH = 32
"""Bytes of every secret, link, salt and digest."""


def written(what: str, *parts: str | int | bytes) -> bytes:
    """The parts behind what they are for, each with its length before it, four bytes with the highest first.

    Text is UTF-8, and a number its decimal digits. Whoever writes another protocol's parts begins otherwise, so a
    digest made for one purpose never passes for one of another.
    """
    pieces = [part if isinstance(part, bytes) else str(part).encode() for part in (f"duelbook {what}", *parts)]
    return b"".join(len(piece).to_bytes(4, "big") + piece for piece in pieces)


def digest(what: str, *parts: str | int | bytes) -> bytes:
    return sha256(written(what, *parts)).digest()
