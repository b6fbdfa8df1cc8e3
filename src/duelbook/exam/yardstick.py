"""What stands beside a score: random, the best fixed habit, every level, perfect, exactly and on the same questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import NamedTuple

from duelbook.exam.marks import habit_plan, mark_plan
from duelbook.exam.paper import Question
from duelbook.policies.levels import RUNGS
from duelbook.policies.plans import plan_by

HABIT = "one move"
"""The yardstick that makes the same move again and again: in each duel the one that loses least."""


class Yardstick(NamedTuple):
    name: str
    lost: float
    """Per decision, in win probability, the mean over the duels."""
    duels: Mapping[str, float]
    about: str = ""
    """What else is to be said of it."""


def yardsticks(questions: Sequence[Question]) -> list[Yardstick]:
    """All of them, from random to perfect; the habit stands behind random."""
    duels = by_duel(questions)
    random, *others = (_rung(kind, duels) for kind in RUNGS)
    return [random, _habit(duels), *others]


def by_duel(questions: Sequence[Question]) -> dict[str, list[Question]]:
    found: dict[str, list[Question]] = {}
    for question in questions:
        found.setdefault(question.subject.name, []).append(question)
    return found


def losses(kind: str, questions: Sequence[Question]) -> list[float]:
    """What a player who is a table loses at each question, on average over its plan."""
    return [mark_plan(each, plan_by(kind, each.subject.solution, each.state, each.seat)).lost for each in questions]


def _rung(kind: str, duels: Mapping[str, Sequence[Question]]) -> Yardstick:
    found = {name: _mean(losses(kind, asked)) for name, asked in duels.items()}
    return Yardstick(kind, _mean(list(found.values())), found)


def _habit(duels: Mapping[str, Sequence[Question]]) -> Yardstick:
    found, said = {}, []
    for name, asked in duels.items():
        game, rules = asked[0].subject.game, asked[0].subject.rules
        each = {
            move: _mean([mark_plan(question, habit_plan(question, move)).lost for question in asked])
            for move in game.moves
        }
        best = min(each, key=lambda move: each[move])
        found[name] = each[best]
        said.append(f"{game.dialogue.words(rules)[best]} in {game.id}")
    return Yardstick(HABIT, _mean(list(found.values())), found, ", ".join(said))


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)
