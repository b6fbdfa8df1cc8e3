"""A pick that is fixed before it is shown: the digest of it and of a salt that makes guessing hopeless."""

from __future__ import annotations

from duelbook.honest.writing import digest


def seal(game: str, turn: int, seat: int, pick: str, salt: bytes) -> bytes:
    """What is shown of a pick, in the book's word for it, until both are in. It fits this game, turn and seat alone."""
    return digest("pick", game, turn, seat, pick, salt)
