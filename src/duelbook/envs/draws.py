"""The random numbers of an environment: its luck, its opponents' choices, and which seat is whose.

They are a function of the seed, the number of the game since that seed, what they are for, and how many of that kind
came before, and are made by SplitMix64, so that one game alone and thousands side by side draw the same. Without a seed
there is nothing to know beforehand: each number is asked of the system when it is needed.

A copy of an environment must not tell what will happen in it. So what is copied or pickled here is the fact that there
are numbers, never the numbers: the copy draws its own.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from duelbook.core import DuelError, whole
from duelbook.luck import mix, stir

DEALS, CHOICES, SEATS = range(3)
"""What a number is for."""
TRIES = 1000
"""So many games in a row may be over before the agent has had a turn."""
NEVER = f"The agent had no turn in {TRIES:,} games: the opponent, or the bell, ended each of them before."
MASK = (1 << 64) - 1
SHARE = 2.0**-53
"""53 bits times this are a number from 0 to below 1."""


class Draws:
    """The numbers of one environment, game after game."""

    def __init__(self) -> None:
        self._seed: int | None = None
        self._key, self._games = 0, 0

    def begin(self, seed: int | None = None) -> None:
        """Begin a game: the first of a seed that somebody gives, otherwise the next one."""
        if seed is not None:
            self._seed, self._games = whole(seed, "A seed", 0) & MASK, 0
        if self._seed is not None:
            self._key = mix(self._seed, self._games)
        self._games += 1

    def bits(self, kind: int, place: int) -> int:
        """64 of them."""
        if self._seed is None:
            return int.from_bytes(os.urandom(8), "big")
        return stir(stir(self._key, kind), place)

    def __copy__(self) -> Draws:
        return Draws()

    def __deepcopy__(self, memo: object) -> Draws:
        return Draws()

    def __reduce__(self) -> tuple[Any, ...]:
        return Draws, ()


def face_at(weights: Sequence[int], bits: int) -> int:
    """Which of the faces comes, by its place; weights are whole numbers that add up to less than 2 ** 32."""
    at = ((bits >> 32) * sum(weights)) >> 32
    for place, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return place
    raise DuelError("Luck has to act, and no face of it has any weight.")


def move_at(plan: Sequence[float], bits: int) -> int:
    """The move that a plan comes to. The order of the sums matters: compiled code must come to the same."""
    at = (bits >> 11) * SHARE
    for move, share in enumerate(plan):
        at -= share
        if at < 0 and share > 0:
            return move
    return max(range(len(plan)), key=lambda move: plan[move])
