"""Matches drawn from exact chances without playing them, to see whether verdicts hold what they promise.

Between players of the ladder every chance is known exactly. So it is known what a rating, an interval or a test ought
to say about them, and whether it does so as often as it claims can be counted.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from duelbook.arena.judge.bradley_terry import ELO, Games, fit
from duelbook.arena.judge.sprt import SCORES, Sprt, Standing
from duelbook.arena.play.results import Result, Task
from duelbook.core import DRAW
from duelbook.games import load
from duelbook.luck import mix
from duelbook.match import BELL
from duelbook.policies.levels import Standings
from duelbook.policies.meeting import Meeting
from duelbook.policies.standings import standings

ENDLESS = 1e6
"""Games of each order of seats that stand for endlessly many."""


@lru_cache
def table_of(game: str) -> Standings:
    """The exact chances of a duel by its book."""
    duel = load(game)
    return standings(duel, duel.book)


def drawn_match(game: str, kinds: tuple[str, str], pairs: int, seed: int) -> list[Result]:
    """Results of a match between two rungs of the ladder, as entrants 0 and 1."""
    table = table_of(game)
    found = []
    for pair in range(pairs):
        for place, (one, two) in enumerate(((0, 1), (1, 0))):
            winner = _end(table[kinds[one], kinds[two]], mix(seed, pair, place) / 2**64)
            found.append(Result(Task(2 * pair + place, pair, game, (), (one, two), pair, BELL), winner, "", BELL))
    return found


def _end(meeting: Meeting, at: float) -> int | None:
    """How a match ends that is drawn by a number between 0 and 1."""
    for chance, winner in ((meeting.win, 0), (meeting.loss, 1), (meeting.draw, DRAW)):
        if at < chance:
            return winner
        at -= chance
    return None


def true_difference(game: str, kinds: tuple[str, str]) -> float:
    """What endless games of the two would say, in Elo: the model of ratings, fitted to the exact chances themselves."""
    games = []
    for one, two in ((0, 1), (1, 0)):
        met = table_of(game)[kinds[one], kinds[two]]
        ends = (ENDLESS * met.win, ENDLESS * (met.draw + met.no_result), ENDLESS * met.loss)
        games.append(Games(one, two, 0, *ends))
    found = fit(games, {1: 0.0}, prior=1e-9).of("player", 0)
    return ELO * (found or 0.0)


def pair_chances(game: str, kinds: tuple[str, str]) -> list[float]:
    """How likely the first of two rungs scores 0, a half, 1, one and a half and 2 in a pair."""
    table = table_of(game)
    one, two = kinds
    chances = [0.0] * len(SCORES)
    for mine, here in enumerate(_scores(table[one, two])):
        for theirs, there in enumerate(_scores(table[two, one].turned())):
            chances[mine + theirs] += here * there
    return chances


def _scores(met: Meeting) -> Sequence[float]:
    return met.loss, met.draw + met.no_result, met.win


def drawn_test(test: Sprt, chances: Sequence[float], seed: int) -> Standing:
    """A match that goes on until the test has its verdict. Give it a test that nothing was added to."""
    levels = list(accumulate(chances))
    while test.standing.accepted is None:
        at = bisect(levels, mix(seed, test.standing.pairs) / 2**64)
        test.add(SCORES[min(at, len(SCORES) - 1)])
    return test.standing


__all__ = ["drawn_match", "drawn_test", "pair_chances", "table_of", "true_difference"]
