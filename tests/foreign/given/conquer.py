"""Environments for Command Line Conquer, in the manner of self-play: numbers for moves, a list of them, and a vector.

The first keeps every law. Each of the others breaks the law that its name tells.
"""

import random

ATTACK, DEFEND, HEAL = 0, 1, 2


class Conquer:
    bell = 200

    def __init__(self):
        self.reset()

    def reset(self, seed=None, options=None):
        self.chance = random.Random(seed)
        self.hp, self.last, self.covered = [10, 10], [None, None], [False, False]
        self.mover, self.turns = 0, 0
        return self.seen(), {}

    def seen(self):
        return [self.hp[self.mover], self.hp[1 - self.mover]]

    def valid_moves(self):
        return [DEFEND, HEAL] if self.last[self.mover] == DEFEND else [ATTACK, DEFEND, HEAL]

    def hit(self, foe):
        if self.last[foe] == DEFEND:
            return 0
        return 4 if self.last[foe] == HEAL and not self.covered[foe] else 2

    def lost(self, hp):
        return hp <= 0

    def step(self, action):
        me, foe = self.mover, 1 - self.mover
        if action not in self.valid_moves():
            return self.seen(), -10, True, False, {}
        if action == ATTACK:
            self.hp[foe] -= self.hit(foe)
        if action == HEAL:
            self.hp[me] = min(10, self.hp[me] + 1)
        self.covered[me] = action == HEAL and self.last[me] == DEFEND
        self.last[me] = action
        self.mover, self.turns = foe, self.turns + 1
        over = self.lost(self.hp[foe])
        return self.seen(), int(over), over, self.bell is not None and self.turns >= self.bell and not over, {}


class MovesAttackAfterDefending(Conquer):
    def valid_moves(self):
        return [ATTACK, DEFEND, HEAL]


class MovesNoHealAtFull(Conquer):
    def valid_moves(self):
        return [each for each in super().valid_moves() if each != HEAL or self.hp[self.mover] < 10]


class SightOfNothing(Conquer):
    def seen(self):
        return [self.mover]


class EndlessNoBell(Conquer):
    bell = None


class OpponentByChance(Conquer):
    def step(self, action):
        answer = super().step(action)
        if answer[2] or answer[3]:
            return answer
        seen, reward, over, cut, info = super().step(self.chance.choice(self.valid_moves()))
        return seen, -reward, over, cut, info


class OpponentWhoAttacks(Conquer):
    def step(self, action):
        answer = super().step(action)
        if answer[2] or answer[3]:
            return answer
        seen, reward, over, cut, info = super().step(self.valid_moves()[0])
        return seen, -reward, over, cut, info


class EndBelowNothing(Conquer):
    def lost(self, hp):
        return hp < 0


class EffectHealIsSafe(Conquer):
    def hit(self, foe):
        return 0 if self.last[foe] == DEFEND else 2


class InAnotherOrder(Conquer):
    """Right, too: 0 defends, 1 heals, 2 attacks."""

    def valid_moves(self):
        return sorted((each - 1) % 3 for each in super().valid_moves())

    def step(self, action):
        if action not in self.valid_moves():
            return self.seen(), -10, True, False, {}
        ours = (action + 1) % 3
        self.valid_moves = super().valid_moves
        try:
            return super().step(ours)
        finally:
            del self.valid_moves
