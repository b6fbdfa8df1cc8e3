"""Which games of a tournament are worth looking at, and why.

Not the ones with the largest mistakes: a random player makes those in every game. A mistake is worth a look where it
surprises, so each player's largest ones are measured against what that player usually loses; one that was not made
good again counts double. A player has at most one in a duel. Where programs play, the slips of our own players are left
out: they are thrown by lot. Beside those stand the game in which the most was thrown away to and fro, and the longest
game in which hardly anything was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from duelbook.arena.judge.quality import Quality
from duelbook.arena.play.results import Entrant, Result, counted, duel_name
from duelbook.coach.decision import Decision
from duelbook.coach.report import in_words
from duelbook.coach.review import review
from duelbook.coach.words import MARKS, fall, mark
from duelbook.core import DRAW, DuelError
from duelbook.policies.levels import TABULAR
from duelbook.record import reads

MOST = 6
DECISIVE = 2.0
"""A blunder is worth so much more of a look where it was not made good again."""
BLUNDER = MARKS[0][0]
USUAL = 0.02
"""Added to what a player usually loses, so that a first slip of one who never slips is not endlessly surprising."""
TO_AND_FRO = 4
"""Blunders, before a game is called so."""
WELL_PLAYED, LONG_ENOUGH = 0.02, 10
"""Lost by both together, in so many decisions."""


class Instructive(NamedTuple):
    result: Result
    title: str
    sentence: str


def instructive(
    entrants: Sequence[Entrant], results: Iterable[Result], qualities: Sequence[Quality]
) -> list[Instructive]:
    """At most six games, each with a title and a sentence that says what to look for."""
    games = [each for each in counted(results) if each.fault is None and all(each.losses) and each.record]
    found: dict[int, Instructive] = {}
    shown: set[tuple[int, str]] = set()
    for result, seat in _surprising(entrants, games, qualities):
        whose = (result.task.seats[seat], duel_name(result.task))
        if len(found) < MOST - 2 and whose not in shown and result.task.number not in found:
            shown.add(whose)
            found[result.task.number] = _costly(entrants, result, seat)
    for extra in (_to_and_fro(entrants, games), _best_played(entrants, games)):
        if extra is not None:
            found.setdefault(extra.result.task.number, extra)
    return list(found.values())


def _surprising(
    entrants: Sequence[Entrant], games: Sequence[Result], qualities: Sequence[Quality]
) -> list[tuple[Result, int]]:
    """Games and the seat that blundered in them, the most surprising first."""
    programs = {at for at, entrant in enumerate(entrants) if entrant.kind not in TABULAR} or set(range(len(entrants)))
    usual: Mapping[int, float] = {at: each.overall.mean for at, each in enumerate(qualities) if each.overall}
    ranked = [
        (_weight(result, seat) / (usual.get(result.task.seats[seat], 0.0) + USUAL), result, seat)
        for result in games
        for seat in (0, 1)
        if max(result.losses[seat]) >= BLUNDER and result.task.seats[seat] in programs
    ]
    ranked.sort(key=lambda each: (-each[0], each[1].task.number, each[2]))
    return [(result, seat) for _, result, seat in ranked]


def _weight(result: Result, seat: int) -> float:
    return max(result.losses[seat]) * (1.0 if result.winner == seat else DECISIVE)


def _costly(entrants: Sequence[Entrant], result: Result, seat: int) -> Instructive:
    name = entrants[result.task.seats[seat]].name
    title = f"{name} blunders"
    try:
        (record,) = reads(result.record)
        decisions = [each for each in review(record).decisions if each.seat == seat]
    except DuelError:  # a record of another version, say: the losses are known all the same
        return Instructive(result, title, f"One decision of {name} gave away {100 * max(result.losses[seat]):.0f} %.")
    return Instructive(result, title, _told(name, max(decisions, key=lambda each: each.lost), result, seat))


def _told(name: str, worst: Decision, result: Result, seat: int) -> str:
    before, after, _ = fall(worst.before, worst.after)
    better = f"; better was {in_words(worst.better)}" if worst.better else ""
    won = result.winner not in (None, DRAW) and result.winner == seat
    ended = "won all the same" if won else "lost" if result.winner == 1 - seat else "did not win"
    return f"Turn {worst.turn}: {name} played {worst.move} and fell from {before} to {after}{better}. {name} {ended}."


def _to_and_fro(entrants: Sequence[Entrant], games: Sequence[Result]) -> Instructive | None:
    def blunders(result: Result) -> int:
        return sum(mark(lost) == "blunder" for lost in (*result.losses[0], *result.losses[1]))

    most = max(games, key=blunders, default=None)
    if most is None or blunders(most) < TO_AND_FRO:
        return None
    one, two = (entrants[at].name for at in most.task.seats)
    told = f"{one} and {two} threw away 20 points or more {blunders(most)} times in {most.turns} turns."
    return Instructive(most, "To and fro", told)


def _best_played(entrants: Sequence[Entrant], games: Sequence[Result]) -> Instructive | None:
    def decisions(result: Result) -> int:
        return len(result.losses[0]) + len(result.losses[1])

    good = [each for each in games if fsum(map(fsum, each.losses)) <= WELL_PLAYED and decisions(each) >= LONG_ENOUGH]
    ended = [each for each in good if each.winner is not None]
    best = max(ended, key=lambda each: (decisions(each), -each.task.number), default=None)
    if best is None:
        return None
    one, two = (entrants[at].name for at in best.task.seats)
    lost = 100 * fsum(map(fsum, best.losses))
    told = f"{one} and {two} gave away {lost:.1f} points together in {decisions(best)} decisions."
    return Instructive(best, "Hardly a fault", told)
