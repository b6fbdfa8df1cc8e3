"""What somebody asks, taken apart: a message of JSON, or what stands behind a question mark."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from duelbook.serve import writing
from duelbook.serve.events import Json, Malformed


def read(data: bytes) -> dict[str, Json]:
    """A message as an object of JSON in UTF-8. Raises Malformed for anything else.

    JSON can spell halves of letters, which nobody can write down again: they are refused before anything is done.
    """
    try:
        found = writing.read(data)
    except ValueError:
        raise Malformed("That is not JSON.") from None
    if not isinstance(found, dict):
        raise Malformed("A message is an object of JSON.")
    return found


def text(message: dict[str, Json], name: str, usual: str = "") -> str:
    value = message.get(name, usual)
    if not isinstance(value, str):
        raise Malformed(f"{name} must be a text.")
    return value


def number(connection: HTTPConnection, name: str) -> int:
    """A whole number behind the question mark; 0 where it is not given."""
    found = connection.query_params.get(name, "0")
    if not (found.isascii() and found.isdigit() and len(found) < 10):
        raise Malformed(f"{name} must be a number.")
    return int(found)
