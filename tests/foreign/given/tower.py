"""Environments for Tower Defense Duel, in the manner of text games: moves and observations are words.

The first keeps every law. Each of the others breaks the law that its name tells.
"""

import random

BUILDS = {"build 1": 1, "build 2": 2, "build 4": 4}


class Tower:
    bell = 200
    needed = 3

    def reset(self, seed=None, options=None):
        self.chance = random.Random(seed)
        self.heights, self.mover, self.turns = [0, 0], 0, 0
        return self.text(), {}

    def text(self, said=""):
        mine, theirs = self.heights[self.mover], self.heights[1 - self.mover]
        asked = f"Player {self.mover + 1}, it is your turn."
        return f"{said}\n{asked}\nYour tower: {mine} of 15\nThe other tower: {theirs} of 15"

    def allowed(self, word):
        return word in BUILDS or (word == "attack" and self.heights[1 - self.mover] >= self.needed)

    def step(self, action):
        word = action.strip().lower()
        if not self.allowed(word):
            return self.text("This is an invalid move."), -0.1, False, False, {}
        me = self.mover
        if word == "attack":
            self.heights[1 - me] = max(0, self.heights[1 - me] - 3)
        else:
            self.heights[me] += BUILDS[word]
        self.mover, self.turns = 1 - me, self.turns + 1
        reward = self.reward(self.heights[me])
        return self.text(), reward, reward != 0, self.bell is not None and self.turns >= self.bell, {}

    def reward(self, height):
        return 1 if height == 15 else -1 if height > 15 else 0


class MovesAttackOnALowTower(Tower):
    needed = 1


class MovesNoBuildingTooMuch(Tower):
    def allowed(self, word):
        return super().allowed(word) and self.heights[self.mover] + BUILDS.get(word, 0) <= 15


class SightOfOneTower(Tower):
    def text(self, said=""):
        return super().text(said).partition("\nThe other tower")[0]


class EndlessNoBell(Tower):
    bell = None


class EndlessDraw(Tower):
    bell = None

    def step(self, action):
        seen, reward, over, cut, info = super().step(action)
        if self.turns >= 100 and not over:
            return f"{seen}\nIt is a draw.", 0, True, False, info
        return seen, reward, over, cut, info


class OpponentByChance(Tower):
    def step(self, action):
        seen, reward, over, cut, info = super().step(action)
        if over or cut or "invalid" in seen:
            return seen, reward, over, cut, info
        seen, reward, over, cut, info = super().step(
            self.chance.choice([w for w in (*BUILDS, "attack") if self.allowed(w)])
        )
        return seen, -reward, over, cut, info


class EndOvershootWins(Tower):
    def reward(self, height):
        return 1 if height >= 15 else 0


class EndOvershootGoesOn(Tower):
    def reward(self, height):
        return 1 if height == 15 else 0


class EffectAttackOfTwo(Tower):
    def step(self, action):
        before = list(self.heights)
        me = self.mover
        answer = super().step(action)
        if self.heights[1 - me] < before[1 - me]:
            self.heights[1 - me] = before[1 - me] - 2
        return (self.text(), *answer[1:])
