"""A small environment for Tower Defense Duel as one might write it in a hurry. It breaks two laws of the rule book."""

from __future__ import annotations

Answer = tuple[list[int], int, bool, bool, dict[str, str]]


class HastyTower:
    """0, 1 and 2 build 1, 2 and 4; 3 attacks. The observation is your tower and the other one."""

    def reset(self, seed: int | None = None) -> tuple[list[int], dict[str, str]]:
        self.mine, self.theirs = 0, 0
        return [self.mine, self.theirs], {}

    def valid_moves(self) -> list[int]:
        return [0, 1, 2, 3] if self.theirs >= 3 else [0, 1, 2]

    def step(self, action: int) -> Answer:
        if action not in self.valid_moves():
            return [self.mine, self.theirs], -1, True, False, {}
        if action == 3:
            self.theirs -= 3
        else:
            self.mine += (1, 2, 4)[action]
        won = self.mine >= 15
        self.mine, self.theirs = self.theirs, self.mine
        return [self.mine, self.theirs], int(won), won, False, {}
