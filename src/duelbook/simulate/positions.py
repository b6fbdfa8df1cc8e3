"""Numbers for the positions at which somebody decides: the rows of a policy's array.

The numbering is `solve.layout`'s mixed radix, without folding mirrors: each seat's positions have their own rows. Not
every number stands for a position that can come up; such rows are never asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any, TypeVar

from duelbook.core import BOTH, BadPosition, Game, SomeRules, SomeState
from duelbook.games import duel_of
from duelbook.positions.graph import explore
from duelbook.positions.hull import hull
from duelbook.positions.kind import kind_of
from duelbook.positions.layout import Layout, joined, layout_of, packing
from duelbook.positions.rule_code import rules_key
from duelbook.simulate.arguments import rules_of

Made = TypeVar("Made")


def remembered(store: dict[Any, Any], key: Hashable, make: Callable[[], Made], most: int = 0) -> Made:
    """What is in a store under this key, or is made now. With `most` only the latest few are kept."""
    found: Made = store.pop(key) if key in store else make()
    store[key] = found
    if 0 < most < len(store):
        del store[next(iter(store))]
    return found


class Positions:
    """The positions of a duel, numbered from 0 to `count` - 1."""

    def __init__(self, game: Game, rules: SomeRules, layout: Layout) -> None:
        self.game, self.rules, self.layout = game, rules, layout
        self.kind = kind_of(game)
        self.pack, self.unpack, self.mirror = packing(layout, type(game.start(rules, 0)))
        self.made: dict[Any, Any] = {}
        """What was made from this numbering and these rules: it belongs to them and goes with them."""

    @property
    def count(self) -> int:
        return self.layout.size

    def number(self, state: SomeState) -> int:
        """The row of a position."""
        number = self.pack(state)
        if number < 0:
            where = self.game.write_position(self.rules, state)
            raise BadPosition(f"{where} is not a position of {self.game.name} at which a player decides.")
        return number

    def state(self, number: int) -> Any:
        """The position of a row; it need not be one that can come up in play."""
        if not 0 <= number < self.count:
            raise BadPosition(f"{self.game.name} has rows 0 to {self.count - 1}; there is no row {number}.")
        return self.unpack(number)

    def seats(self, state: SomeState) -> tuple[int, ...]:
        """Who decides at a position."""
        turn = self.game.turn(self.rules, state)
        return (0, 1) if turn == BOTH else (int(turn),) if turn < BOTH else ()

    def decisions(self) -> Iterator[tuple[int, Any, int]]:
        """Every row at which a seat decides: its number, the position and the seat. Slow where there are millions."""
        for number in range(self.count):
            state = self.unpack(number)
            for seat in self.seats(state):
                yield number, state, seat


_known: dict[str, Positions] = {}
"""By all that the rules are and do: a duel whose code was changed and loaded again is another one."""


def positions(game: Game | str, rules: SomeRules = None) -> Positions:
    """The numbering of a duel's positions, for those who make arrays of their own."""
    duel = duel_of(game)
    rules = rules_of(duel, rules)
    key = rules_key(duel, rules)
    if key not in _known:
        _known[key] = Positions(duel, rules, _layout(duel, rules))
    return _known[key]


def widen(game: Game, rules: SomeRules, stray: SomeState) -> Positions:
    """The numbering made anew with room for one more position."""
    wider = Positions(game, rules, joined(positions(game, rules).layout, layout_of([stray])))
    _known[rules_key(game, rules)] = wider
    return wider


def _layout(game: Game, rules: SomeRules) -> Layout:
    if kind_of(game) != "backwards":
        # Should a game ever meet more than the hull has room for, the simulator says so and the layout is widened.
        return hull(game, rules).layout
    graph = explore(game, rules, (game.start(rules, 0), game.start(rules, 1)))
    turned = [] if graph.mirror is None else [graph.mirror(state) for state in graph.states]
    return layout_of([*graph.states, *turned])
