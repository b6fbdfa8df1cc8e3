"""Who sits opposite a single agent: any kind of player, or an object with `choose(view)`.

A player that is a table is not asked but drawn, by the environment's own numbers, so that the same seed brings the same
opponent here and among thousands of games at once.
"""

from __future__ import annotations

from copy import deepcopy
from reprlib import repr as shown
from typing import Protocol

from duelbook.core import DuelError, IllegalMove
from duelbook.envs.carried import Carried
from duelbook.envs.draws import CHOICES, move_at
from duelbook.luck import new_seed
from duelbook.match import Closable, Player, PlayerFault, Prepared
from duelbook.players import HUMAN, check_kind, seat_player
from duelbook.policies.levels import TABULAR
from duelbook.policies.plans import plan_of


class Opponent(Protocol):
    def begin(self, carried: Carried, seat: int) -> None:
        """Get ready for a game."""

    def act(self, carried: Carried, seat: int) -> None:
        """Make the move, or the pick, that is due."""

    def close(self) -> None: ...


class Drawn:
    """A player that is a table: how likely it makes each move is known, and a number of the environment decides."""

    def __init__(self, kind: str) -> None:
        self.kind, self._choices = kind, 0

    def begin(self, carried: Carried, seat: int) -> None:
        self._choices = 0

    def act(self, carried: Carried, seat: int) -> None:
        encoding = carried.encoding
        plan = plan_of(self.kind, encoding.game, encoding.rules, carried.state, seat)
        carried.act(seat, move_at(plan, carried.draws.bits(CHOICES, self._choices)))
        self._choices += 1

    def close(self) -> None:
        """It holds nothing."""


class Asked:
    """A player that is asked: a program, a model, or an object of somebody's."""

    def __init__(self, player: Player, kind: str = "") -> None:
        self.player, self.kind = player, kind

    def begin(self, carried: Carried, seat: int) -> None:
        if isinstance(self.player, Prepared):
            try:
                self.player.prepare(carried.match.view(seat))
            except (PlayerFault, IllegalMove) as error:
                carried.fail(seat, error)

    def act(self, carried: Carried, seat: int) -> None:
        try:
            move = self.player.choose(carried.match.view(seat))
            carried.check(seat, move)
        except (PlayerFault, IllegalMove) as error:
            carried.fail(seat, error)
        else:
            carried.act(seat, move)

    def close(self) -> None:
        if isinstance(self.player, Closable):
            self.player.close()

    def __deepcopy__(self, memo: dict[int, object]) -> Asked:
        """A copy has a program of its own: two games must not talk to one."""
        return _asked(self.kind) if self.kind else Asked(deepcopy(self.player, memo))


def opponent_of(given: str | Player) -> Opponent:
    """The opponent that a kind or an object stands for."""
    if not isinstance(given, str):
        if not callable(getattr(given, "choose", None)):
            raise DuelError(f"An opponent is a kind or an object with choose(view); {shown(given)} is neither.")
        return Asked(given)
    kind = check_kind(given)
    return Drawn(kind) if kind in TABULAR else _asked(kind)


def _asked(kind: str) -> Asked:
    player = seat_player(kind, new_seed())
    if player is None:
        raise DuelError(f"A {HUMAN} needs a terminal; here the other seat is taken by a program or an object.")
    return Asked(player, kind)
