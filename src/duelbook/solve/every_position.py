"""What the compiled walks have in common: they find every position of a duel and give each of them a number.

A walk starts at the start. Since a game can also be set up, it is not done before it has been to every position that
the layout has room for. A position that does not fit stops it, and the walk begins again on a wider layout.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

from duelbook.core import DuelError, Game
from duelbook.solve.walk import LARGEST, Found, compiled_tools, first_layout, widened


def walk_everywhere(
    game: Game, rules: Any, kinds: tuple[int, ...], walker: Callable[[Game, Any], Any]
) -> tuple[Found, list[Any]]:
    """The layout that holds all positions, and what the walk found there.

    `walker` makes the walk from compiled tools. The walk answers whether it is done, what it found, and the state that
    stopped it.
    """
    layout, turns_round = first_layout(game, rules, kinds)
    while True:
        if layout.size > LARGEST:
            raise DuelError(f"{game.name} has too many positions under these rules to be solved here.")
        walk = walker(game, compiled_tools(game, layout, turns_round))
        done, *found, stray = walk(rules, game.start(rules, 0), layout.size)
        if done:
            return Found(layout, turns_round), found
        layout = widened(layout, stray)


@njit(cache=True)
def add_node(number: int, node_of: Any, numbers: Any, count: int) -> int:
    """Make a position the next node. How many there are then."""
    # Whether it is a node already is asked for every move, and by the walks themselves: a call for it takes too long.
    node_of[number] = count
    numbers[count] = number
    return count + 1


def set_up_adder(tools: Any, kind: int) -> Any:
    """How a walk goes on when all that follows is there: to positions of this kind that can only be set up."""
    rules_of, unpack, canonical = tools
    turn = rules_of.turn

    @njit
    def add_set_up(rules, node_of, numbers, count, swept):  # type: ignore[no-untyped-def]  # the compiler finds them
        """Make the next position that is no node yet one. How many there are then, and where to look from then on."""
        for place in range(swept, len(node_of)):
            if node_of[place] >= 0 or turn(rules, unpack(place)) != kind:
                continue
            number = canonical(unpack(place))[0]
            if number >= 0 and node_of[number] < 0:
                return add_node(number, node_of, numbers, count), place + 1
        return count, len(node_of)

    return add_set_up
