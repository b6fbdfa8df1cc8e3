"""One step of a game on the scales: how much of the change was luck, who gave what away, and what was the guess.

Every step moves the value of the game from what the position was worth to what the next one is worth. The whole of
that change is shared out here, so that the shares of a game add up to its result. What a decision gives away is for
the solution to say. Where both pick at once, what then remains of the change is nobody's merit and nobody's fault: the
guess.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from duelbook.core import BOTH, LUCK
from duelbook.match import Match
from duelbook.solving.loss import given_away


class Values(Protocol):
    """What says how much positions are worth: a solution, or whoever remembers what one has said."""

    def value(self, state: object) -> float: ...

    def loss(self, state: object, seat: int, move: int) -> float: ...


class Weighed(NamedTuple):
    """What a step did to the value of the game, in Player 1's values."""

    before: float
    after: float
    lost: tuple[float, float] = (0.0, 0.0)
    """What each seat's decision gave away, 0 or more."""
    luck: float = 0.0
    guess: float = 0.0


def weigh_game(values: Values, match: Match) -> list[Weighed]:
    """Every step of a game."""
    states = [*(step.before for step in match.steps), match.state]
    steps = zip(match.steps, states[1:], strict=True)
    return [weigh(values, step.turn, step.play, step.before, after) for step, after in steps]


def weigh(values: Values, turn: int, play: Any, before: object, after: object) -> Weighed:
    """`play` is a face, a move or two picks, as the turn has it."""
    was, now = values.value(before), values.value(after)
    if turn == LUCK:
        return Weighed(was, now, luck=now - was)
    if turn == BOTH:
        one, two = (values.loss(before, seat, pick) for seat, pick in enumerate(play))
        return Weighed(was, now, (one, two), guess=now - was + one - two + 0.0)
    # As `Solution.loss` has it, with values that are known by now.
    return Weighed(was, now, (given_away(was, now), 0.0) if turn == 0 else (0.0, given_away(now, was)))
