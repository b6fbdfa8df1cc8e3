"""JSON, in the two ways in which the server writes it, and the one in which it reads.

A move is written four times or five, so it is done by a library that is ten times as fast as Python's own.
"""

from __future__ import annotations

import msgspec

from duelbook.serve.events import Json

_sorted = msgspec.json.Encoder(order="sorted")
_plain = msgspec.json.Encoder()
_reader: msgspec.json.Decoder[Json] = msgspec.json.Decoder()


def dumped(value: object) -> str:
    """The one way in which what is hashed is written, so that equal values have equal hashes: keys in their order, no
    spaces, and letters as they are."""
    return _sorted.encode(value).decode()


def written(value: object) -> str:
    """What is only sent."""
    return _plain.encode(value).decode()


def read(text: str | bytes) -> Json:
    """Raises ValueError for what is not JSON, spells half a letter, or is nested so deeply that nobody means it."""
    try:
        return _reader.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def read_body(text: str) -> dict[str, Json]:
    """What a store has kept of an event."""
    found = read(text)
    assert isinstance(found, dict)
    return found
