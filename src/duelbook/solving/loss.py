"""What a decision gives away (its regret), and what a secret pick is worth against a perfect opponent.

A perfect opponent often has more than one perfect answer; where the opponent is lost, every answer is as good as any
other. A pick is held against each of them that is certain to keep what the opponent has, and against the opponent's
mixed plan: it is worth what the hardest of these leaves it. A pick that belongs to a perfect plan loses nothing
against any of them.

All here is seen from the seat that decides: what is good for it is high. The functions are written over plain numbers,
so that a solution asks them about one position and the ladder, compiled, about a million.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duelbook.positions.numbers import Numbers, Room

ROUNDING = 1e-12
"""Values closer than this are the same: what lies between them is the dust of computing."""


def given_away(had: float, kept: float) -> float:
    """What a decision loses of what the seat had, 0 or more. Nobody gains by their own decision: what looks like it, or
    like next to nothing, is rounding."""
    return had - kept if had - kept > ROUNDING else 0.0


def mark_certain(
    met: Numbers[Numbers[float]], mine: Numbers[bool], theirs: Numbers[bool], most: float, certain: Room[bool]
) -> None:
    """Mark the answers that are perfect by themselves: against every legal pick they leave no more than `most`.

    `met[pick][answer]` is what a pair comes to; `mine` and `theirs` say which picks and which answers are legal.
    """
    for answer in range(len(theirs)):
        certain[answer] = theirs[answer]
        for pick in range(len(mine)):
            if certain[answer] and mine[pick] and met[pick][answer] > most:
                certain[answer] = False


def hardest_answer(row: Numbers[float], plan: Numbers[float], certain: Numbers[bool]) -> float:
    """What a pick is worth: `row[answer]` is what it comes to with each answer, `plan` the other's mixed plan."""
    mixed, hardest = 0.0, 2.0
    for answer in range(len(plan)):
        if plan[answer] > 0.0:
            mixed += plan[answer] * row[answer]
        if certain[answer] and row[answer] < hardest:
            hardest = row[answer]
    return min(mixed, hardest)
