"""Rules at the ends of what the knobs allow: each knob at its lowest, in the middle and at its highest, and each two at
their ends together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from duelbook.core import Game


def extremes(game: Game) -> Iterator[tuple[str, ...]]:
    """The settings of each such variant, as `variant` reads them."""
    values = {name: knob.samples(getattr(game.book, name)) for name, knob in game.knobs.items()}
    for name, some in values.items():
        for value in some:
            yield (f"{name}={value}",)
    for one, two in combinations(values, 2):
        ends = [
            values[name] if game.knobs[name].choices else [values[name][0], values[name][-1]] for name in (one, two)
        ]
        for left, right in product(*ends):
            yield (f"{one}={left}", f"{two}={right}")
