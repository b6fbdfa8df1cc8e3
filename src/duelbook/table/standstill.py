"""A game that goes round: the same position, or the same moves, again and again.

None of the books says what happens then. Where a position comes back, best play may go on so for ever, and the bell
ends such a match without a result, after 200 turns; nobody has to sit through them. Who plays a program may have the
bell rung at once, two people if both agree. It is never called a draw or a win.

Where the moves come back and the position does not, as when both pick 10 and 9 by turns in secret and are out of step,
it ends some day, and people are told when and how: that is worked out by playing on so, by the rules.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from duelbook.core import BOTH, LUCK, OVER
from duelbook.match import TIMES, Match, Step
from duelbook.speech import amount

LONGEST_CYCLE = 4
"""So many turns at most are compared with those before them."""
LONG = 40
"""Turns that are worth a word: a shorter way to the end is soon over."""


class Standstill(NamedTuple):
    """A game goes round."""

    why: str
    """What that means,"""
    how: str
    """and what can be done, for whoever types."""
    may_stop: bool
    """Whether the bell can be rung."""


def offer(match: Match, people: int) -> Standstill:
    """The position has come up again and again."""
    both = ", if you both agree" if people == 2 else ""
    return Standstill(
        f"This position has come up {TIMES} times. If nobody plays anything else, the bell rings after "
        f"{amount(match.max_turns, 'turn')}, without a result.",
        f"Type stop to have it ring now{both}.",
        True,
    )


def too_early(match: Match) -> str:
    """What is said to whoever wants to stop a game that does not go round."""
    if match.game.faces:
        return "Stop is for games that go round, and luck lets none do so. Resign ends it; quit keeps it for later."
    return f"Stop works once the same position has come up {TIMES} times. Until then resign ends it; quit keeps it."


def foretold(match: Match, people: Collection[int]) -> Standstill | None:
    """Where the same moves come round: when and how that ends, if it is far away. `people` are those who are told."""
    cycle = _cycle(match)
    if cycle is None:
        return None
    turns, winner = _played_on(match, cycle)
    if turns - match.turns < LONG:
        return None
    if winner is None:
        ended = "the bell rings, without a result"
    else:
        ended = f"{match.names[winner]} wins"
        if len(people) == 1:
            ended = "you win" if winner in people else "you lose"
    return Standstill(
        f"The same moves have come round {TIMES} times. If that goes on, it is over after turn {turns}: {ended}.",
        "Anything else changes that; resign ends it at once.",
        False,
    )


def _cycle(match: Match) -> list[Step] | None:
    """The turns that have come round, if some have."""
    if match.outcome is not None or match.game.faces:
        return None
    for length in range(1, LONGEST_CYCLE + 1):
        last = match.steps[-TIMES * length :]
        plays = [(step.turn, step.play) for step in last]
        if len(plays) == TIMES * length and plays == plays[:length] * TIMES:
            return last[:length]
    return None


def _played_on(match: Match, cycle: list[Step]) -> tuple[int, int | None]:
    """After which turn it is over if the cycle goes on, and who wins then; nobody where the bell rings first.

    A cycle that the rules stop is over there: somebody has to play something else.
    """
    game, rules, state, turns = match.game, match.rules, match.state, match.turns
    while turns < match.max_turns:
        step = cycle[(turns - match.turns) % len(cycle)]
        if game.turn(rules, state) != step.turn or step.turn == LUCK:
            break
        picks = list(enumerate(step.play)) if step.turn == BOTH else [(step.turn, step.play)]
        if not all(game.legal(rules, state, seat, move) for seat, move in picks):
            return match.turns, None
        state = game.resolve(rules, state, *step.play) if step.turn == BOTH else game.apply(rules, state, step.play)
        turns += 1
        if game.turn(rules, state) == OVER:
            winner = game.winner(rules, state)
            return turns, winner if winner in (0, 1) else None
    return turns, None
