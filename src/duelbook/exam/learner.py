"""A policy over observations as a player: what an agent has learnt sits down like anybody else.

It has `choose(view)`, so it plays games and tournaments, and `plan(view)`, so that the exam knows what it loses without
asking twice. Needs NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from duelbook.core import DuelError
from duelbook.envs.draws import move_at
from duelbook.envs.encoding import Encoding
from duelbook.match import View

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


class Learner:
    """`policy` makes probabilities of observations and masks, a row each; it is asked with one row here."""

    def __init__(self, encoding: Encoding, policy: Callable[[Array, Array], Array], seed: int | None = None) -> None:
        self.encoding, self.policy = encoding, policy
        self._random = Random(seed)

    def plan(self, view: View) -> list[float]:
        encoding = self.encoding
        if view.rules != encoding.rules or len(view.game.moves) != encoding.moves:
            raise DuelError(f"This policy was learnt for {encoding.game.name} and its rules, and plays nothing else.")
        seen = np.array([encoding.observed(view.state, view.seat)], np.int32)
        mask = np.array([encoding.mask(view.state, view.seat)], np.bool_)
        shares = np.where(mask, np.asarray(self.policy(seen, mask), np.float64), 0.0)[0]
        return [float(share) for share in shares / shares.sum()]

    def choose(self, view: View) -> int:
        return move_at(self.plan(view), self._random.getrandbits(64))
