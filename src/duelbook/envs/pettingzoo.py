"""Every duel as PettingZoo has it: `env` and `raw_env` in turn (AEC), `parallel_env` all at once.

In turn, where both pick at once the first agent seals its pick and the second sees nothing of it. All at once, an agent
that is not on turn has nothing to do but wait, which is an action of its own behind the moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

try:
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError:
    needed = "duelbook.envs.pettingzoo needs PettingZoo, which is not installed: pip install 'duelbook[pettingzoo]'"
    raise ImportError(needed) from None

import numpy as np

from duelbook.core import BOTH, DuelError, Game, whole
from duelbook.envs.carried import LOSE, Carried, check_illegal
from duelbook.envs.draws import Draws
from duelbook.envs.encoding import AGENTS, Encoding
from duelbook.envs.rendering import RENDER_MODES, check_render_mode, rendered
from duelbook.envs.spaces import NUMBERS, action_space, observation, observation_space, state_space
from duelbook.match import BELL, LATEST_BELL
from duelbook.speech import amount, either

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


def env(game: str | Game, **options: Any) -> OrderEnforcingWrapper:
    """A duel in turn, with PettingZoo's own guard against steps out of order. The options are those of `InTurn`."""
    return OrderEnforcingWrapper(raw_env(game, **options))


def raw_env(game: str | Game, **options: Any) -> InTurn:
    return InTurn(game, **options)


def parallel_env(game: str | Game, **options: Any) -> AllAtOnce:
    """A duel in which both agents act in every step. The options are those of `AllAtOnce`."""
    return AllAtOnce(game, **options)


class InTurn(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A duel, one agent after the other.

    `rules` are settings as in `("goal=20",)`. No agent acts more than `max_cycles` times: then the bell rings, which
    is truncation. `illegal` says what comes of an action that is not in the mask: "lose", or "replace" by the first
    that is.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        rules: Sequence[str] = (),
        max_cycles: int = BELL,
        illegal: str = LOSE,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.encoding = Encoding(game, rules)
        self.max_cycles = whole(max_cycles, "The cycles before the bell", 1, LATEST_BELL)
        self.illegal, self.render_mode = check_illegal(illegal), check_render_mode(render_mode)
        self.metadata = {
            "name": f"duelbook_{self.encoding.game.id}_v0",
            "render_modes": RENDER_MODES,
            "is_parallelizable": not self.encoding.alternates,
        }
        self.possible_agents = list(AGENTS)
        self.observation_spaces = {agent: observation_space(self.encoding, self.encoding.moves) for agent in AGENTS}
        self.action_spaces = {agent: action_space(self.encoding.moves) for agent in AGENTS}
        self.state_space = state_space(self.encoding)
        self.agents: list[str] = []
        self._draws = Draws()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._draws.begin(seed)
        self._carried = Carried(self.encoding, self._draws, illegal=self.illegal)
        self._acted, self._counted = [0, 0], 0
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self._tell()

    def _tell(self) -> None:
        """What PettingZoo keeps of each agent, from how the game stands."""
        carried = self._carried
        self.terminations = dict.fromkeys(AGENTS, carried.over and not carried.rung)
        self.truncations = dict.fromkeys(AGENTS, carried.rung)
        self.infos = {agent: carried.told() for agent in AGENTS}

    @property
    def agent_selection(self) -> str:
        """Who has to act. It follows from how the game stands, so that a copy cannot have it otherwise."""
        if self._carried.over:
            return self.agents[0] if self.agents else AGENTS[0]
        return AGENTS[self._carried.match.to_act()[0]]

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Array]:
        return observation(self._carried, AGENTS.index(agent))

    def state(self) -> Array:
        return np.array(self.encoding.whole(self._carried.state), NUMBERS)

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self._carried.over:
            self._leave(agent, action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._carried.act(AGENTS.index(agent), action)
        self._ring_in_time()
        self.rewards = {agent: self._carried.reward(seat) for seat, agent in enumerate(AGENTS)}
        self._tell()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _ring_in_time(self) -> None:
        """Have the bell ring before somebody acts once too often."""
        steps = self._carried.match.steps
        for step in steps[self._counted :]:
            for seat in (0, 1):
                self._acted[seat] += step.turn in (seat, BOTH)
        self._counted = len(steps)
        if any(self._acted[seat] >= self.max_cycles for seat in self._carried.match.to_act()):
            self._carried.ring(f"The bell rang: nobody acts more than {amount(self.max_cycles, 'time')}.")

    def _leave(self, agent: str, action: Any) -> None:
        """An agent that is done says so by doing nothing once, as PettingZoo wants it."""
        if action is not None:
            raise DuelError(f"The game is over for {agent}: its only action is None.")
        for kept in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del kept[agent]
        self.agents.remove(agent)
        self.rewards = dict.fromkeys(self.agents, 0.0)

    def render(self) -> str | None:
        return rendered(self._carried, self.render_mode)

    def close(self) -> None:
        """There is nothing to let go."""


class AllAtOnce(ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A duel in which both agents act in every step. Whoever is not on turn waits, whatever it says.

    Options as those of `InTurn`; `max_cycles` steps are the most there are.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        rules: Sequence[str] = (),
        max_cycles: int = BELL,
        illegal: str = LOSE,
        render_mode: str | None = None,
    ) -> None:
        self.encoding = Encoding(game, rules)
        self.max_cycles = whole(max_cycles, "The cycles before the bell", 1, LATEST_BELL)
        self.illegal, self.render_mode = check_illegal(illegal), check_render_mode(render_mode)
        self.metadata = {"name": f"duelbook_{self.encoding.game.id}_v0", "render_modes": RENDER_MODES}
        self.possible_agents = list(AGENTS)
        actions = self.encoding.moves + self.encoding.alternates
        self.observation_spaces = {agent: observation_space(self.encoding, actions) for agent in AGENTS}
        self.action_spaces = {agent: action_space(actions) for agent in AGENTS}
        self.state_space = state_space(self.encoding)
        self.agents: list[str] = []
        self._draws = Draws()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, Array]], dict[str, dict[str, str]]]:
        self._draws.begin(seed)
        self._carried = Carried(
            self.encoding, self._draws, bell=self.max_cycles, illegal=self.illegal, waits=self.encoding.alternates
        )
        self.agents = list(AGENTS)
        return self._observed(), self._infos()

    def _observed(self) -> dict[str, dict[str, Array]]:
        return {agent: observation(self._carried, seat) for seat, agent in enumerate(AGENTS)}

    def _infos(self) -> dict[str, dict[str, str]]:
        return {agent: self._carried.told() for agent in AGENTS}

    def state(self) -> Array:
        return np.array(self.encoding.whole(self._carried.state), NUMBERS)

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        if not self.agents:
            raise DuelError("There is no game to act in; reset() begins one.")
        carried = self._carried
        acting = carried.match.to_act()
        missing = [AGENTS[seat] for seat in acting if AGENTS[seat] not in actions]
        if missing:
            raise DuelError(f"{either(missing, 'and')} must act now, and these actions have none of that agent.")
        if len(acting) == 2:
            carried.act_both((actions[AGENTS[0]], actions[AGENTS[1]]))
        else:
            carried.act(acting[0], actions[AGENTS[acting[0]]])
        if self.render_mode == "human":
            self.render()
        if carried.over:
            self.agents = []
        return (
            self._observed(),
            {agent: carried.reward(seat) for seat, agent in enumerate(AGENTS)},
            dict.fromkeys(AGENTS, carried.over and not carried.rung),
            dict.fromkeys(AGENTS, carried.rung),
            self._infos(),
        )

    def render(self) -> str | None:
        return rendered(self._carried, self.render_mode)

    def close(self) -> None:
        """There is nothing to let go."""
