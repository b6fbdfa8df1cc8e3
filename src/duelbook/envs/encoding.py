"""What an observation and an action are: the same for every duel and every tool.

An action is the number of a move. An observation is the numbers that a state is made of, as whoever looks at it would
lay them out: of a pair the own entry first, the mover as 0 for oneself and 1 for the other; and at the end the seat.
So two seats that are in the same situation see the same, but for their last number. A mask says which moves are legal.

Luck to come and sealed picks are no part of a state, so no observation can show them. Nothing here needs NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from duelbook.core import BOTH, Game, SomeRules, SomeState, check_beginning, rules_given, settings
from duelbook.games import duel_of
from duelbook.positions.hull import extent
from duelbook.positions.layout import Layout, flatten, joined, turned

AGENTS = ("player_0", "player_1")
"""What the seats are called where agents have names."""


class View(NamedTuple):
    """How a seat reads a state: which int comes where, and which of them is turned round."""

    order: tuple[int, ...]
    flipped: int
    """The place of the mover in what is seen, where it has to be turned round; -1 for none."""


class Encoding:
    """One duel under one set of rules as numbers."""

    def __init__(self, game: str | Game, rules: Sequence[str] = ()) -> None:
        """`rules` as in `("goal=20",)`; in one text, spaces stand between them."""
        self.game = duel_of(game)
        self.rules: SomeRules = rules_given(self.game, rules)
        check_beginning(self.game, self.rules)
        found = extent(self.game, self.rules)
        self.layout = joined(found, turned(found))
        self.views = (_view(self.layout, 0), _view(self.layout, 1))
        self.names = (*_names(self.layout, self.game.start(self.rules, 0)), "seat")
        """What each number of an observation is."""
        self.low = (*(span.low for span in self.layout.spans), 0)
        self.high = (*(span.low + span.step * (span.places - 1) for span in self.layout.spans), 1)
        self.moves = len(self.game.moves)
        self.words = self.game.dialogue.words(self.rules)
        """What each action is called."""
        self.alternates = hasattr(self.game.rules_file, "apply")
        """Whether there are turns of one seat, so that the other has to wait."""

    def __deepcopy__(self, memo: object) -> Encoding:
        """It never changes, and its rules are a module, of which there is one."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """By name: whoever reads it has the duel installed."""
        return Encoding, (self.game.id, tuple(settings(self.game, self.rules)))

    def observed(self, state: SomeState, seat: int) -> list[int]:
        """What a seat sees of a state."""
        order, flipped = self.views[seat]
        flat = flatten(state)
        seen = [flat[place] for place in order]
        if flipped >= 0:
            seen[flipped] = 1 - seen[flipped]
        seen.append(seat)
        return seen

    def whole(self, state: SomeState) -> list[int]:
        """The state as it stands, for who looks on from beside the table: as Player 1 sees it, without the seat."""
        return flatten(state)

    def mask(self, state: SomeState, seat: int) -> list[int]:
        """1 for every move that a seat may make here; nothing but 0 where it has nothing to decide."""
        game, rules = self.game, self.rules
        if game.turn(rules, state) not in (seat, BOTH):
            return [0] * self.moves
        return [int(game.legal(rules, state, seat, move)) for move in game.moves]


def _view(layout: Layout, seat: int) -> View:
    order, flipped, at = [], -1, 0
    for field, length in enumerate(layout.shape):
        places = list(range(at, at + max(1, length)))
        order += places[::-1] if length == 2 and seat == 1 else places
        if field == layout.mover and seat == 1:
            flipped = at
        at += len(places)
    return View(tuple(order), flipped)


def _names(layout: Layout, start: SomeState) -> list[str]:
    names: list[str] = []
    for name, length in zip(start._fields, layout.shape, strict=True):
        if length == 0:
            names.append(name)
        elif length == 2:
            names += [f"my {name}", f"their {name}"]
        else:
            names += [f"{name} {place}" for place in range(length)]
    return names
