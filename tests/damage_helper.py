"""Files that are damaged by chance, and files that somebody made up."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any


def damaged(data: bytes, luck: random.Random) -> bytes:
    """A bit flipped, or an end lost, or bytes come in, or bytes gone: in this order of likelihood."""
    at = luck.randrange(len(data))
    kind = luck.random()
    if kind < 0.9:
        return data[:at] + bytes([data[at] ^ 1 << luck.randrange(8)]) + data[at + 1 :]
    if kind < 0.94:
        return data[:at]
    if kind < 0.98:
        return data[:at] + luck.randbytes(luck.randrange(1, 9)) + data[at:]
    return data[:at] + data[at + luck.randrange(1, 9) :]


BAD_VALUES: list[Any] = [
    "(__import__('builtins').print('run') or 0)",
    "1",
    0.5,
    float("nan"),
    float("inf"),
    True,
    False,
    None,
    -1,
    -(10**30),
    10**9,
    10**13,
    10**30,
    [],
    [1],
    {},
    {"low": 1},
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where each part of a header stands."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield from places(part, (*path, key))


def changed(header: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    new = copy.deepcopy(header)
    at = new
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return new
