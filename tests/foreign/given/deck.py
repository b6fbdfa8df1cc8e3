"""Environments for Number Duel (deck), in the manner of those for language models: a move is written in a box.

The first keeps every law. Each of the others breaks the law that its name tells.
"""

import random
import re


class Deck:
    bell = 200
    drawn_first = True

    def reset(self, seed=None):
        self.chance = random.Random(seed)
        self.lp, self.mover, self.turns, self.deck = [20, 20], 0, 0, []
        self.draw()
        return self.text(), {}

    def draw(self):
        if not self.deck:
            self.deck = list(range(1, 11))
            self.chance.shuffle(self.deck)
        self.card = self.deck.pop()

    def text(self, said=""):
        card = f"You drew a {self.card}. " if self.drawn_first else ""
        lines = [said, f"Player 1 LP: {self.lp[0]}, Player 2 LP: {self.lp[1]}", f"{card}Attack or heal?"]
        return "\n".join(filter(None, lines))

    def may(self, word):
        return word in ("attack", "heal")

    def over(self):
        return min(self.lp) <= 0

    def step(self, action):
        boxed = re.search(r"\\boxed\{(\w+)\}", action)
        word = boxed[1] if boxed else ""
        me = self.mover
        if not self.may(word):
            return self.text("This is an invalid move."), 0.0, False, False, {}
        if word == "attack":
            self.lp[1 - me] -= self.card
        else:
            self.lp[me] = min(20, self.lp[me] + self.card // 2)
        self.mover, self.turns = 1 - me, self.turns + 1
        if self.over():
            return self.text(), 1.0, True, False, {}
        self.draw()
        return self.text(), 0.0, False, self.bell is not None and self.turns >= self.bell, {}


class MovesNoHealAtFull(Deck):
    def may(self, word):
        return super().may(word) and (word != "heal" or self.lp[self.mover] < 20)


class SightAfterTheChoice(Deck):
    drawn_first = False


class EndlessNoBell(Deck):
    bell = None


class OpponentByChance(Deck):
    def step(self, action):
        answer = super().step(action)
        if answer[2] or answer[3] or "invalid" in answer[0]:
            return answer
        seen, reward, over, cut, info = super().step(f"\\boxed{{{self.chance.choice(('attack', 'heal'))}}}")
        return seen, -reward, over, cut, info


class EndAtTwo(Deck):
    def over(self):
        return min(self.lp) <= 2


class EffectWholeHeal(Deck):
    def step(self, action):
        me, lp, card = self.mover, self.lp[self.mover], self.card
        answer = super().step(action)
        if "heal" in action:
            self.lp[me] = min(20, lp + card)
        return (self.text(), *answer[1:])
