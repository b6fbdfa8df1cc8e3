"""What the walks of duels with luck or secret picks have in common: every position is found and gets a number.

A walk starts at the start. Since a game can also be set up, it is not done before it has been to every position that
the layout has room for. A position that does not fit stops it, and the walk begins again on a wider layout.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from duelbook.core import Game, SomeRules
from duelbook.positions.hull import Hull, hull
from duelbook.positions.kind import kind_of
from duelbook.positions.layout import joined
from duelbook.positions.machine import Machine
from duelbook.positions.rule_code import code_hash, functions_hash
from duelbook.positions.size import refuse_the_impossible, size_of
from duelbook.positions.walk import Tools, tools_for


def walk_everywhere(
    game: Game, rules: SomeRules, walker: Callable[[Game, Tools, Machine], Any], machine: Machine
) -> tuple[Hull, list[Any]]:
    """The layout that holds all positions, and what the walk found there.

    `walker` makes the walk from its tools. The walk is given the rules, the start and for each number of the layout a
    0, where it notes the node of the position plus 1; it answers whether it is done, what it found, and the state that
    stopped it.
    """
    found, strays = hull(game, rules), list[Any]()
    while True:
        refuse_the_impossible(game, rules, size_of(game, kind_of(game), found))
        walk = _walk(game, found, walker, machine)
        done, *result, stray = walk(rules, game.start(rules, 0), machine.blank(found.layout.size))
        if done:
            return found, result
        # A state stops the walk when it does not fit, or its mirror does not: the hull has room for both from now on.
        strays.append(stray)
        wider = hull(game, rules, strays)
        turns_round = found.turns_round and wider.turns_round
        found = Hull(joined(found.layout, wider.layout), turns_round, wider.branching)


_compiled: dict[tuple[Any, ...], Any] = {}


def _walk(game: Game, found: Hull, walker: Callable[[Game, Tools, Machine], Any], machine: Machine) -> Any:
    """The walk through a layout. Compiling it takes seconds, so what was compiled is kept for the next time."""

    def made() -> Any:
        return walker(game, tools_for(game, found.layout, found.turns_round, machine), machine)

    if not machine.compiled:
        return made()
    key = (walker, code_hash(game), found.layout, found.turns_round)
    if key not in _compiled:
        from numba import njit

        from duelbook.positions.compiler import keep_by

        walk = made()
        _compiled[key] = keep_by(functions_hash(walk), njit(walk))
    return _compiled[key]


def set_up_adder(tools: Tools, kind: int, machine: Machine) -> Any:
    """How a walk goes on when all that follows is there: to positions of this kind that can only be set up."""
    unpack, canonical, turn = tools.unpack, tools.canonical, tools.rules.turn

    @machine.make
    def add_set_up(rules, node_of, numbers, count, swept):  # type: ignore[no-untyped-def]  # the compiler finds them
        """Make the next position that is no node yet one. How many there are then, and where to look from then on."""
        for place in range(swept, len(node_of)):
            if node_of[place] != 0 or turn(rules, unpack(place)) != kind:
                continue
            number = canonical(unpack(place))[0]
            if number >= 0 and node_of[number] == 0:
                numbers[count] = number
                node_of[number] = count + 1
                return count + 1, place + 1
        return count, len(node_of)

    return add_set_up
