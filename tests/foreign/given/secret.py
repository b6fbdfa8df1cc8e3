"""Environments for Number Duel (secret): both picks at once, as PettingZoo's parallel kind has it, or one by one.

`Secret` and `SecretInTurn` keep every law. Each of the others breaks the law that its name tells.
"""

import random


class Round:
    """What happens when both have picked; no environment yet."""

    bell = 200

    def begin(self, seed):
        self.chance = random.Random(seed)
        self.hp, self.last, self.rounds = [100, 100], [0, 0], 0

    def resolve(self, one, two):
        """The winner, 2 for nobody, None while it goes on."""
        self.rounds += 1
        repeats = [pick == last for pick, last in zip((one, two), self.last, strict=True)]
        self.last = [one, two]
        if any(repeats):
            return 2 if all(repeats) else 1 - repeats.index(True)
        self.hp[0] = max(0, self.hp[0] - max(0, two - one))
        self.hp[1] = max(0, self.hp[1] - max(0, one - two))
        return self.hp.index(0) ^ 1 if 0 in self.hp else None

    def rung(self):
        return self.bell is not None and self.rounds >= self.bell


class Secret(Round):
    possible_agents = ("a", "b")

    class Space:
        n = 10

    def action_space(self, agent):
        return self.Space()

    def reset(self, seed=None, options=None):
        self.begin(seed)
        return self.seen(), {"a": {}, "b": {}}

    def seen(self):
        return {agent: [*self.hp, *self.last] for agent in self.possible_agents}

    def step(self, actions):
        won = self.resolve(actions["a"] + 1, actions["b"] + 1)
        rewards = {agent: 0 if won in (None, 2) else 1 if at == won else -1 for at, agent in enumerate("ab")}
        over, cut = dict.fromkeys("ab", won is not None), dict.fromkeys("ab", won is None and self.rung())
        return self.seen(), rewards, over, cut, {"a": {}, "b": {}}


class EndRepeatGoesOn(Secret):
    def resolve(self, one, two):
        self.last = [0, 0]
        return super().resolve(one, two)


class EndlessNoBell(Secret):
    bell = None


class EffectSixAtMost(Secret):
    def resolve(self, one, two):
        before = list(self.hp)
        won = super().resolve(one, two)
        self.hp = [max(now, had - 6) for now, had in zip(self.hp, before, strict=True)] if won is None else self.hp
        return won


class SecretInTurn(Round):
    class action_space:  # noqa: N801 - as it is called there
        n = 10

    def reset(self, seed=None, options=None):
        self.begin(seed)
        self.held = None
        return self.seen(), {}

    def seen(self):
        return [*self.hp, *self.last, int(self.held is not None)]

    def step(self, action):
        if self.held is None:
            self.held = action + 1
            return self.seen(), (0, 0), False, False, {}
        won = self.resolve(self.held, action + 1)
        self.held = None
        rewards = (0, 0) if won in (None, 2) else (1, -1) if won == 0 else (-1, 1)
        return self.seen(), rewards, won is not None, won is None and self.rung(), {}


class SightOfThePick(SecretInTurn):
    def seen(self):
        return [*super().seen(), self.held or 0]


class MovesRepeatIsRefused(SecretInTurn):
    def step(self, action):
        whose = 0 if self.held is None else 1
        if action + 1 == self.last[whose]:
            return self.seen(), (0, 0), False, False, {"error": "invalid: the same number again"}
        return super().step(action)


class OpponentByChance(Round):
    class action_space:  # noqa: N801 - as it is called there
        n = 10

    def reset(self, seed=None, options=None):
        self.begin(seed)
        return [*self.hp, *self.last], {}

    def step(self, action):
        won = self.resolve(action + 1, self.chance.choice([n for n in range(1, 11) if n != self.last[1]]))
        return (
            [*self.hp, *self.last],
            {None: 0, 2: 0, 0: 1, 1: -1}[won],
            won is not None,
            won is None and self.rung(),
            {},
        )
