"""Rules at the ends of what the knobs allow: each knob at its lowest, in the middle and at its highest, and each two at
their ends together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from duelbook import Game
from duelbook.core import Knob


def values(knob: Knob, default: object, *, ends: bool = False) -> list[str]:
    """Some values that a knob takes, as they are typed."""
    if knob.choices:
        return list(knob.choices)
    low, high = knob.low, knob.high
    if isinstance(default, tuple):
        width = len(default)
        runs = [range(low, low + width), range(high - width + 1, high + 1)]
        return [",".join(map(str, run)) for run in runs]
    middle = [] if ends else [low + 1, (low + high) // 2]
    return [str(value) for value in dict.fromkeys([low, *middle, high])]


def extremes(game: Game) -> Iterator[tuple[str, ...]]:
    for name, knob in game.knobs.items():
        for value in values(knob, getattr(game.book, name)):
            yield (f"{name}={value}",)
    for one, two in combinations(game.knobs, 2):
        ends = [values(game.knobs[name], getattr(game.book, name), ends=True) for name in (one, two)]
        for left, right in product(*ends):
            yield (f"{one}={left}", f"{two}={right}")
