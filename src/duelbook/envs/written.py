"""How a state lies in arrays, a row for each game: written out as source for one layout, and compiled.

The ints of a state stand side by side; what a seat sees is the same in its own order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from duelbook.envs.encoding import Encoding
from duelbook.positions.layout import check, int_places


class Written(NamedTuple):
    load: Any
    """load(numbers, lane): the state of a game."""
    store: Any
    """store(numbers, lane, s) puts it there."""
    observe: Any
    """observe(seen, lane, row, s, seat) writes what a seat sees, into that row of the game."""


def written(encoding: Encoding) -> Written:
    check(encoding.layout)  # nothing but whole numbers gets into the source
    source = "\n\n".join([_load(encoding), _store(encoding), _observe(encoding)])
    state_type = type(encoding.game.start(encoding.rules, 0))
    names: dict[str, Any] = {"State": state_type, "int64": np.int64}
    exec(compile(source, f"<rows of {state_type.__module__}>", "exec"), names)
    return Written(njit(names["load"]), njit(names["store"]), njit(names["observe"]))


def _load(encoding: Encoding) -> str:
    fields, at = [], 0  # as wide as the rules have them: the compiler would not mix them
    for length in encoding.layout.shape:
        parts = [f"int64(numbers[lane, {at + place}])" for place in range(max(1, length))]
        fields.append(parts[0] if length == 0 else f"({', '.join(parts)},)")
        at += len(parts)
    return f"def load(numbers, lane):\n    return State({', '.join(fields)})"


def _store(encoding: Encoding) -> str:
    lines = [f"    numbers[lane, {at}] = {place}" for at, place in enumerate(int_places(encoding.layout))]
    return "\n".join(["def store(numbers, lane, s):", *lines])


def _observe(encoding: Encoding) -> str:
    places = int_places(encoding.layout)
    lines = ["def observe(seen, lane, row, s, seat):"]
    for seat, (order, flipped) in enumerate(encoding.views):
        lines.append("    if seat == 0:" if seat == 0 else "    else:")
        for at, place in enumerate(order):
            value = f"1 - {places[place]}" if at == flipped else places[place]
            lines.append(f"        seen[lane, row, {at}] = {value}")
    return "\n".join([*lines, f"    seen[lane, row, {len(places)}] = seat"])
