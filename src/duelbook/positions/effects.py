"""Which moves do nothing that another does not do, too: a heal with nothing to heal, a defence that stands already.

What a move does is what it changes: the ints of a state that are others after it than before it. A move that changes
less than another one, and nothing differently, has no effect of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from duelbook.positions.layout import Layout, int_places

Lesser = Callable[[Any, Any, Any], bool]


@cache
def lesser(layout: Layout) -> Lesser:
    """Whether the first of two positions that follow one changes nothing but a part of what the other changes.

    Written out as source for states of this shape, so that the same text runs as plain Python and compiles.
    """
    lines = ["def lesser(s, one, other):", "    more = False"]
    for place in int_places(layout):
        one, other = place.replace("s", "one", 1), place.replace("s", "other", 1)
        lines += [
            f"    if {one} != {other}:",
            f"        if {one} != {place}:",
            "            return False",
            "        more = True",
        ]
    names: dict[str, Any] = {}
    exec(compile("\n".join([*lines, "    return more"]), "<effects>", "exec"), names)
    found: Lesser = names["lesser"]
    return found


def with_effect(layout: Layout, state: Any, afters: list[Any]) -> list[bool]:
    """For each position that can follow whether the move to it has an effect that no other has wholly."""
    less = lesser(layout)
    return [not any(less(state, after, other) for other in afters) for after in afters]
