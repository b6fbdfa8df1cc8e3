"""A draw that three have a part in: the server's secret and one fresh link from each seat.

The server promises its secret before it sees a link, and each seat promises its links before it sees anything. So none
of them can choose what comes, and none knows it before both links of the draw are on the table.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence

from duelbook.honest.writing import digest, written

_NUMBERS = 1 << 256


def promise(game: str, secret: bytes) -> bytes:
    """What the server shows of its secret before the game."""
    return digest("server", game, secret)


def drawn(secret: bytes, game: str, rules: str, number: int, links: Sequence[bytes], weights: Sequence[int]) -> int:
    """The index that a draw gives, each as likely as its whole-number weight says, exactly.

    HMAC-SHA256 under the server's secret gives a number of 256 bits. Those above the largest multiple of the sum of
    all weights would make some faces likelier than they are: they are thrown away, and the next number is taken.
    """
    total = sum(weights)
    if total <= 0 or min(weights) < 0:
        raise ValueError("a draw needs weights of 0 or more, and one above 0")
    fair = _NUMBERS - _NUMBERS % total
    again = 0
    while True:
        message = written("draw", game, rules, number, *links, again)
        bits = int.from_bytes(hmac.digest(secret, message, "sha256"), "big")
        if bits < fair:
            break
        again += 1
    at = bits % total
    for index, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return index
    raise AssertionError("the weights add up to their sum")
