"""How hard a puzzle is: how tempting the wrong choices are.

The scale is Elo's, as players know it from chess: somebody whose rating is a puzzle's rating finds the answer half the
time, with 400 points more ten times out of eleven. 1200 is the rating of a player who goes by looks alone, and a puzzle
has 1200 when such a player does no better than tossing a coin. Around 700 the answer is seen at a glance; from 1350 on,
looks lead astray.

A player who goes by looks weighs every choice by its appeal, in points:

    appeal = LOOKS * look + PLAIN * plain

`look` compares the gauges right after each choice, mine against theirs: 1 for the choice that does most for them, 0 for
the one that does least. Where both pick at once it is the mean over all answers. `plain` says how plainly the end can
be seen: 1 / (1 + plies) for a forced win, the same with a minus for a forced loss, nothing where nobody can force an
end. With luck or secret picks there are no such plies, and the win probability lost counts instead, with a minus: a big
loss is plain to see.

Ten to the power of (appeal of a wrong choice - appeal of the answer) / 400 is how often the wrong choice is taken for
each time that the answer is. The rating follows from their sum, as it would from the score of a match.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import NamedTuple

from duelbook.core import BOTH, Game

BY_LOOKS = 1200
"""The rating of a player who goes by looks alone, and everybody's first one."""
LOOKS, PLAIN = 300, 800
SCALE = 400
"""So many points more mean that the odds are ten times better."""
LOWEST, HIGHEST = 100, 2900


class Candidate(NamedTuple):
    """One choice as somebody sees it who does not think far."""

    look: float
    plies: int | None
    result: int
    """1 for a choice that wins for certain, -1 for one that loses, 0 for all between."""
    lost: float
    """The win probability it gives away, where nothing is seen by the end."""

    @property
    def appeal(self) -> float:
        plain = self.result / (1 + self.plies) if self.plies is not None else 0.0
        return LOOKS * self.look + PLAIN * (plain - self.lost)


def temptation(wrong: Candidate, right: Candidate) -> float:
    """How often a wrong choice is taken for each time that the right one is, by somebody who goes by looks."""
    return float(10 ** ((wrong.appeal - right.appeal) / SCALE))


def rating_of(right: Candidate, wrong: Sequence[Candidate]) -> int:
    points = BY_LOOKS + SCALE * log10(sum(temptation(each, right) for each in wrong))
    return round(min(max(points, LOWEST), HIGHEST))


def looks(game: Game, rules: object, state: object, seat: int, moves: Sequence[int]) -> dict[int, float]:
    """How good each move looks right after it: 1 for the one that does most for the gauges, 0 for the one that does
    least.

    Where both pick at once, every answer counts alike: nobody can see it.
    """
    margins = {move: _margin(game, rules, state, seat, move) for move in moves}
    low, high = min(margins.values()), max(margins.values())
    return {move: (margin - low) / (high - low) if high > low else 0.0 for move, margin in margins.items()}


def _margin(game: Game, rules: object, state: object, seat: int, move: int) -> float:
    if game.turn(rules, state) != BOTH:
        return _ahead(game, rules, game.apply(rules, state, move), seat)
    answers = game.legal_moves(rules, state, 1 - seat)
    pairs = [(move, answer) if seat == 0 else (answer, move) for answer in answers]
    return sum(_ahead(game, rules, game.resolve(rules, state, *pair), seat) for pair in pairs) / len(pairs)


def _ahead(game: Game, rules: object, state: object, seat: int) -> float:
    """How far a seat's gauge is ahead of the other's; nothing in a duel that does not show one for each seat."""
    gauges = [line.gauge for line in game.dialogue.status(rules, state, game.seats) if line.gauge is not None]
    if len(gauges) != 2:
        return 0.0
    one, two = (value / top if top else 0.0 for value, top in gauges)
    return one - two if seat == 0 else two - one
