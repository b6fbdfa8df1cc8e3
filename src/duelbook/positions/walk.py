"""The tools of a walk through every position: the rules, and the numbers that a layout gives to positions.

As in the plain walk, a position and its mirror are one node where the duel is the same for both seats.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from duelbook.core import Game, SomeRules
from duelbook.positions.compiled import compiled
from duelbook.positions.layout import Layout, packing, turned
from duelbook.positions.machine import Machine


class Tools(NamedTuple):
    rules: SomeRules
    """The rule functions of the game, by their names."""
    unpack: Any
    """The position that has a number."""
    canonical: Any
    """The number of a position or of its mirror, whichever is lower, and 1 if it is the mirror's; -1 if one of them
    does not fit into the layout."""


def tools_for(game: Game, layout: Layout, turns_round: bool, machine: Machine) -> Tools:
    state_type = type(game.start(game.book, 0))
    pack, unpack, mirror = (machine.make(function) for function in packing(layout, state_type))
    mover = layout.mover
    by_mover = turns_round and mover >= 0 and turned(layout) == layout

    def canonical(state):  # type: ignore[no-untyped-def]  # the compiler finds the types
        if by_mover:  # who moves comes first in a number, and where a position fits its mirror does
            return (pack(state), 0) if state[mover] == 0 else (pack(mirror(state)), 1)
        number = pack(state)
        if number < 0 or not turns_round:
            return number, 0
        other = pack(mirror(state))
        if other < 0:
            return -1, 0
        return (other, 1) if other < number else (number, 0)

    if machine.compiled:
        return Tools(compiled(game), unpack, machine.make(canonical))
    return Tools(game, unpack, cache(canonical))  # the same positions are met again and again
