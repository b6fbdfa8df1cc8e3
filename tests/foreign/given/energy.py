"""Environments for Energy Duel, in the manner of PettingZoo's AEC: two agents in turn, an action mask, a reward each.

The first keeps every law. Each of the others breaks the law that its name tells.
"""

import random

ATTACK, DEFEND, PASS = 0, 1, 2


class Energy:
    possible_agents = ("one", "two")

    def reset(self, seed=None, options=None):
        self.chance = random.Random(seed)
        self.agents = list(self.possible_agents)
        self.energy, self.guarded, self.passes, self.mover = [10, 10], False, 0, 0
        self.rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}

    @property
    def agent_selection(self):
        return self.possible_agents[self.mover]

    def observe(self, agent):
        me = self.possible_agents.index(agent)
        return {"observation": [self.energy[me], self.energy[1 - me], int(self.guarded)], "action_mask": self.mask()}

    def mask(self):
        mine = self.energy[self.mover]
        return [int(mine >= 2), int(mine >= 1), int(mine < 2)]

    def step(self, action):
        me, foe = self.mover, 1 - self.mover
        if not self.mask()[action]:
            self.finish(foe)
            return
        if action == ATTACK:
            self.energy[me] -= 2
            self.energy[foe] = max(0, self.energy[foe] - (1 if self.guarded else 3))
        if action == DEFEND:
            self.energy[me] -= 1
        self.guarded = action == DEFEND
        self.passes = self.passes + 1 if action == PASS else 0
        self.mover = foe
        self.look(me, foe)

    def look(self, me, foe):
        if self.energy[foe] == 0:
            self.finish(me)
        elif self.passes == 2:
            self.finish(None)

    def finish(self, winner):
        self.terminations = dict.fromkeys(self.possible_agents, True)
        if winner is not None:
            self.rewards = {agent: 1 if at == winner else -1 for at, agent in enumerate(self.possible_agents)}


class MovesPassAlways(Energy):
    def mask(self):
        return [*super().mask()[:2], 1]


class MovesNoAttackAfterDefending(Energy):
    def reset(self, seed=None, options=None):
        self.held = [False, False]
        super().reset(seed, options)

    def mask(self):
        attack, *rest = super().mask()
        return [int(attack and not self.held[self.mover]), *rest]

    def step(self, action):
        me = self.mover
        super().step(action)
        self.held[me] = action == DEFEND


class SightOfNothing(Energy):
    def observe(self, agent):
        return {"observation": [self.mover], "action_mask": self.mask()}


class EndlessPassing(Energy):
    def look(self, me, foe):
        if self.energy[foe] == 0:
            self.finish(me)


class OpponentByChance(Energy):
    def step(self, action):
        super().step(action)
        if not all(self.terminations.values()):
            super().step(self.chance.choice([at for at, may in enumerate(self.mask()) if may]))


class EndAtOwnCost(Energy):
    def look(self, me, foe):
        if self.energy[me] == 0:
            self.finish(foe)
        else:
            super().look(me, foe)


class EffectDefenceOfOne(Energy):
    def step(self, action):
        foe, guarded = 1 - self.mover, self.guarded
        super().step(action)
        if action == ATTACK and guarded and self.energy[foe] > 0:
            self.energy[foe] = max(0, self.energy[foe] - 1)
