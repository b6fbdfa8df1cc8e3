"""What one answer is worth: how much it loses, and what kind of mistake it was.

A move loses the win probability that best play had before it and has no more after it; 0 for a perfect one. Of a player
who says how likely it makes each move, the mean of that is known without asking. What a secret pick loses is measured
against a perfect opponent. A perfect opponent who knew the player's whole plan could do better than that: by how much
is `given_by_plan`, which only a plan shows, or many answers to the same question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import NamedTuple

from duelbook.core import DuelError
from duelbook.exam.paper import Question
from duelbook.match import ILLEGAL

WON, THROWN, HELD, CHANCES, FOUL = "won game lost", "win let slip", "held game lost", "chances lost", "foul"
MISTAKES = {
    WON: "a won game was lost by one move",
    THROWN: "a won game was not won any more, but not lost either",
    HELD: "a game that was not lost yet was lost by one move",
    CHANCES: "the chances became worse, and nothing was decided",
    FOUL: "what the rules forbid was done, and they say what it costs",
}
"""Kinds of mistake, and what each means."""
UNREADABLE, LATE, REFUSED, CUT, CRASHED = "unreadable", "late", "refused", "cut off", "crashed"
FAULTS = {
    ILLEGAL: "answered with a move that is not legal",
    UNREADABLE: "said something in which there is no move",
    LATE: "took too long",
    REFUSED: "would not answer",
    CUT: "its answer ended before there was a move in it",
    CRASHED: "broke down",
}
"""Ways not to answer at all, each with a column of its own."""
_FAULTS = {"time": LATE, "cut": CUT, "crash": CRASHED, "protocol": UNREADABLE}
"""What players call their own faults, where that is another word."""
CERTAIN = 1e-9
"""A value nearer to won or lost than this is that."""


class Mark(NamedTuple):
    lost: float
    """Win probability, from 0 to 1."""
    mistakes: Mapping[str, float]
    """How much of that each kind of mistake lost."""


def fault_named(kind: str) -> str:
    """The column of a fault; whatever has no name of its own broke down."""
    named = _FAULTS.get(kind, kind)
    return named if named in FAULTS else CRASHED


def is_answer(question: Question, move: int) -> bool:
    """Whether a move can be made here: it is legal, or a foul for which the rules have an answer."""
    game, rules, state, seat = question.subject.solution.game, question.subject.rules, question.state, question.seat
    return move in game.moves and (game.legal(rules, state, seat, move) or game.foul(rules, state, seat, move))


def mark(question: Question, move: int) -> Mark:
    """What one move loses. A move that cannot be made is no answer and has no mark."""
    for option in question.options:
        if option.move == move:
            return Mark(option.lost, {_mistake(question, option.lost): option.lost} if option.lost else {})
    if not is_answer(question, move):
        raise DuelError(f"Move {move} cannot be made at {question.line}.")
    lost = question.subject.solution.loss(question.state, question.seat, move) / 2
    return Mark(lost, {FOUL: lost} if lost else {})


def mark_plan(question: Question, plan: Sequence[float]) -> Mark:
    """What is lost on average by making each move as often as a plan says."""
    lost: dict[str, list[float]] = {}
    for move, share in enumerate(plan):
        if share > 0:
            for kind, part in mark(question, move).mistakes.items():
                lost.setdefault(kind, []).append(share * part)
    sums = {kind: fsum(parts) for kind, parts in lost.items()}
    return Mark(fsum(sums.values()), sums)


def worst(question: Question) -> Mark:
    """The mark of the worst legal move, which a fault counts as."""
    return mark(question, max(question.options, key=lambda option: option.lost).move)


def habit_plan(question: Question, move: int) -> tuple[float, ...]:
    """What somebody does who always makes one move, and any move at all where that one is not legal."""
    legal = [option.move for option in question.options]
    shares = {move: 1.0} if move in legal else dict.fromkeys(legal, 1 / len(legal))
    return tuple(shares.get(each, 0.0) for each in question.subject.solution.game.moves)


def given_by_plan(question: Question, plan: Sequence[float]) -> float:
    """What a perfect opponent takes from a player at a secret pick whose whole plan it knows: the best answer to the
    plan, where `mark_plan` has the best answer of somebody who knows nothing of it. Elsewhere the two are the same."""
    if not question.secret:
        return mark_plan(question, plan).lost
    solution, sign = question.subject.solution, 1 if question.seat == 0 else -1
    met = {move: solution.meetings(question.state, question.seat, move) for move, share in enumerate(plan) if share > 0}
    answers = next(iter(met.values()))
    left = min(sign * fsum(plan[move] * row[answer] for move, row in met.items()) for answer in answers)
    had = sign * solution.value(question.state)
    return max((had - left) / 2, 0.0) if had - left > solution.same else 0.0


def _mistake(question: Question, lost: float) -> str:
    """By what the seat had and what it kept."""
    value = question.subject.solution.value(question.state)
    had = value if question.seat == 0 else -value
    kept = had - 2 * lost
    if had >= 1 - CERTAIN:
        return WON if kept <= -1 + CERTAIN else THROWN
    return HELD if kept <= -1 + CERTAIN else CHANCES
