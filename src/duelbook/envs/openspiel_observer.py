"""What a seat sees of a duel in OpenSpiel.

Everything is public: luck that has come, and picks once they are revealed. Sealed picks are no part of a node, so there
is nothing of them to see. An observation is the position, an information state all that has happened so far as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from duelbook.core import BOTH, LUCK, DuelError
from duelbook.match import Step

if TYPE_CHECKING:
    from duelbook.envs.openspiel import DuelGame, DuelState
    from duelbook.positions.numbers import Array


class DuelObserver:
    """Text and numbers for one kind of observation, as OpenSpiel asks for it.

    The numbers are those of the other environments, `position`, and with a bell the `turns` played. Where all is to be
    remembered there is a row of `history` for each turn before the bell: the position in which it was taken, then the
    observer's move and the other's, each counted from 1, and 0 for none. Without a bell no number of rows is enough,
    and only the text remembers all.
    """

    def __init__(self, game: DuelGame, kind: Any, params: Any) -> None:
        if params:
            raise DuelError(f"An observer of {game.duel.name} takes no parameters.")
        self._game, self._kind = game, kind
        self._own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.dict: dict[str, Array] = {}
        self.tensor: Array | None = None
        shapes = self._shapes()
        if shapes is None:
            return
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        at = 0
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size

    def _shapes(self) -> dict[str, tuple[int, ...]] | None:
        if not self._kind.public_info:
            return {}
        bell, numbers = self._game.tree.bell, len(self._game.encoding.names)
        if self._kind.perfect_recall and not bell:
            return None
        shapes: dict[str, tuple[int, ...]] = {"position": (numbers,)}
        if bell:
            shapes["turns"] = (1,)
        if self._kind.perfect_recall:
            shapes["history"] = (bell, numbers + 2)
        return shapes

    def set_from(self, state: DuelState, player: int) -> None:
        """Fill the numbers with what `player` sees."""
        if not self.dict:
            return
        seat, encoding = self._seat(player), self._game.encoding
        self.dict["position"][:] = encoding.observed(state.node.state, seat)
        if "turns" in self.dict:
            self.dict["turns"][0] = state.node.turns
        if "history" in self.dict:
            rows = self.dict["history"]
            rows.fill(0)
            taken = (step for step in self._steps(state) if step.turn != LUCK)
            for row, step in zip(rows, taken, strict=False):
                row[:-2] = encoding.observed(step.before, seat)
                row[-2:] = _moves(step, seat)

    def string_from(self, state: DuelState, player: int) -> str:
        if not self._kind.public_info:
            return ""
        said = [f"seat {player}"] if self._own else []
        if self._kind.perfect_recall:
            said.append(", ".join(map(self._game.told, self._steps(state))))
        return ": ".join([*said, self._game.tree.text(state.node)])

    def _steps(self, state: DuelState) -> Iterable[Step]:
        return self._game.tree.walk(state.history())

    def _seat(self, player: int) -> int:
        """Who looks: Player 1 where views are not told apart, and where OpenSpiel asks for nobody in particular."""
        return max(0, player) if self._own else 0


def _moves(step: Step, seat: int) -> tuple[int, int]:
    """The own move and the other's, counted from 1."""
    if step.turn == BOTH:
        return step.play[seat] + 1, step.play[1 - seat] + 1
    return (step.play + 1, 0) if step.turn == seat else (0, step.play + 1)
