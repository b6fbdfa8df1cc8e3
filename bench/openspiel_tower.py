"""Tower Defense Duel as an OpenSpiel game in Python, for the benchmark only.

The rules are written out a second time on purpose, in the way that is fastest for OpenSpiel: plain integers changed in
place, lists of moves made once, and only the hooks that OpenSpiel documents for Python games. Before anything is
measured `bench.referee` holds them against Duelbook's own rules, so that both sides play the same race.
"""

from __future__ import annotations

from typing import Any

import pyspiel

GOAL = 15
BUILDS = (1, 2, 4)
KNOCKED = 3
ATTACK = 3
BUILD_ONLY = [0, 1, 2]
ALL_MOVES = [0, 1, 2, 3]
LONGEST = 10_000
"""OpenSpiel wants a bound on the length of a game; random play stays far below this one."""

GAME_TYPE = pyspiel.GameType(
    short_name="duelbook_bench_tower",
    long_name="Tower Defense Duel",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={},
)
GAME_INFO = pyspiel.GameInfo(
    num_distinct_actions=4,
    max_chance_outcomes=0,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=LONGEST,
)


class TowerGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    def __init__(self, params: Any = None) -> None:
        super().__init__(GAME_TYPE, GAME_INFO, params or {})

    def new_initial_state(self) -> TowerState:
        return TowerState(self)


class TowerState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    def __init__(self, game: TowerGame) -> None:
        super().__init__(game)
        self.one = 0
        self.two = 0
        self.mover = 0
        self.over = False

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.over else self.mover

    def _legal_actions(self, player: int) -> list[int]:
        theirs = self.one if player else self.two
        return ALL_MOVES if theirs >= KNOCKED else BUILD_ONLY

    def _apply_action(self, action: int) -> None:
        if action == ATTACK:
            if self.mover:
                self.one -= KNOCKED
            else:
                self.two -= KNOCKED
        elif self.mover:
            self.two += BUILDS[action]
            self.over = self.two >= GOAL
        else:
            self.one += BUILDS[action]
            self.over = self.one >= GOAL
        self.mover = 1 - self.mover

    def is_terminal(self) -> bool:
        return self.over

    def returns(self) -> list[float]:
        if not self.over:
            return [0.0, 0.0]
        first_wins = self.one == GOAL or self.two > GOAL
        return [1.0, -1.0] if first_wins else [-1.0, 1.0]

    def __str__(self) -> str:
        return f"{self.one} {self.two} {self.mover + 1}"
