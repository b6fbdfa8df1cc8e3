"""Every duel as Gymnasium has it: one agent against any player.

Importing this page makes all duels known to Gymnasium: `gymnasium.make("duelbook/Tower-v0", opponent="level:3")`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

try:
    import gymnasium
except ImportError:
    needed = "duelbook.envs.gymnasium needs Gymnasium, which is not installed: pip install 'duelbook[gymnasium]'"
    raise ImportError(needed) from None

import numpy as np

from duelbook.core import DuelError, Game, SomeState, whole
from duelbook.envs.carried import LOSE, Carried, check_illegal
from duelbook.envs.draws import NEVER, SEATS, TRIES, Draws
from duelbook.envs.encoding import Encoding
from duelbook.envs.opponents import opponent_of
from duelbook.envs.registration import register
from duelbook.envs.rendering import RENDER_MODES, check_render_mode, rendered
from duelbook.envs.spaces import BITS, action_space, observation, observation_space
from duelbook.match import BELL, LATEST_BELL, Player

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

Observed = dict[str, "Array"]


class DuelEnv(gymnasium.Env):  # type: ignore[misc]  # its types are not there where it is not installed
    """One seat of a duel; in the other sits `opponent`, a kind of player (`level:3`) or an object with `choose(view)`.

    `seat` is 0 or 1, or None to be drawn anew for every game. `rules` are settings as in `("goal=20",)`. The bell rings
    after `max_turns` turns of the match: truncation. `illegal` says what comes of an action that is not in the mask:
    "lose", or "replace" by the first that is. With `judged` every info has the `loss` of the action, the win
    probability that it gave away, from the solution.

    A game that the opponent ends before the agent's first turn is skipped, for Gymnasium has no word for it; the info
    of `reset` says how many were.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        game: str | Game,
        *,
        opponent: str | Player = "random",
        seat: int | None = 0,
        rules: Sequence[str] = (),
        max_turns: int = BELL,
        illegal: str = LOSE,
        judged: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.encoding = Encoding(game, rules)
        self.opponent = opponent_of(opponent)
        self._given_seat = None if seat is None else whole(seat, "A seat", 0, 1)
        self.max_turns = whole(max_turns, "The turns before the bell", 1, LATEST_BELL)
        self.illegal, self.render_mode = check_illegal(illegal), check_render_mode(render_mode)
        self.judged = judged
        self.observation_space = observation_space(self.encoding, self.encoding.moves)
        self.action_space = action_space(self.encoding.moves)
        self._draws = Draws()
        self._carried: Carried | None = None
        self.seat = 0
        """Where the agent sits in this game."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        super().reset(seed=seed)
        for skipped in range(TRIES):
            carried = self._begun(seed if skipped == 0 else None)
            if not carried.over:
                self._show()
                return observation(carried, self.seat), {**self._info(carried), "skipped": skipped}
        raise DuelError(NEVER)

    def _begun(self, seed: int | None) -> Carried:
        """A game in which it is the agent's turn; or one that was over before."""
        self._draws.begin(seed)
        given = self._given_seat
        self.seat = self._draws.bits(SEATS, 0) & 1 if given is None else given
        carried = self._carried = Carried(self.encoding, self._draws, bell=self.max_turns, illegal=self.illegal)
        self.opponent.begin(carried, 1 - self.seat)
        self._let_opponent_act(carried)
        return carried

    def step(self, action: Any) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        carried = self._carried
        if carried is None or carried.over:
            raise DuelError("There is no game to act in; reset() begins one.")
        loss = self._loss(carried.state, carried.meant(self.seat, action)) if self.judged else None
        carried.act(self.seat, action)
        self._let_opponent_act(carried)
        self._show()
        info = self._info(carried)
        if loss is not None:
            info["loss"] = loss
        over = carried.over and not carried.rung
        return observation(carried, self.seat), carried.reward(self.seat), over, carried.rung, info

    def _let_opponent_act(self, carried: Carried) -> None:
        """Until the agent has something to decide; where both pick, only once its own pick is sealed."""
        while carried.match.to_act() == (1 - self.seat,):
            self.opponent.act(carried, 1 - self.seat)

    def _info(self, carried: Carried) -> dict[str, Any]:
        return {"action_mask": self._mask(carried), "seat": self.seat, **carried.told()}

    def _mask(self, carried: Carried) -> Array:
        return np.array(carried.mask(self.seat), BITS)

    def action_masks(self) -> Array:
        """The mask as sb3-contrib asks for it."""
        if self._carried is None:
            raise DuelError("There is no game yet; reset() begins one.")
        return self._mask(self._carried).astype(bool)

    def _loss(self, state: SomeState, move: int) -> float:
        """The win probability that a move gives away; what cannot be played gives away all there is."""
        from duelbook.solving.library import solution_at

        game, rules, seat = self.encoding.game, self.encoding.rules, self.seat
        solution = solution_at(game, rules, state, however_large=True)
        if game.legal(rules, state, seat, move) or game.foul(rules, state, seat, move):
            return solution.loss(state, seat, move) / 2
        value = solution.value(state)
        return (1 + (value if seat == 0 else -value)) / 2

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        return None if self._carried is None else rendered(self._carried, self.render_mode)

    def close(self) -> None:
        self.opponent.close()


register()
