"""Matches drawn from exact chances without playing them, to see whether verdicts hold what they promise.

Between players of the ladder every chance is known exactly. So it is known what a rating, an interval or a test ought
to say about them, and whether it does so as often as it claims can be counted.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from math import ceil, fsum, log
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from duelbook.arena.judge.bradley_terry import ELO, Games, fit
from duelbook.arena.judge.quality import reduced_score
from duelbook.arena.judge.sprt import SCORES, Sprt, Standing
from duelbook.arena.play.pairs import play_pair
from duelbook.arena.play.results import Entrant, Result, Settings, Task, counted, pairs_of
from duelbook.arena.play.telling import tell
from duelbook.coach.words import SAME
from duelbook.core import DRAW
from duelbook.games import load
from duelbook.intervals import NORMAL, SURE, deviation, leanings, ratio
from duelbook.luck import mix
from duelbook.match import BELL
from duelbook.policies.levels import Standings
from duelbook.policies.meeting import Meeting
from duelbook.policies.standings import standings

ENDLESS = 1e6
"""Games of each order of seats that stand for endlessly many."""
POWER = 0.95
"""How often a match of the needed length must show the difference."""
FEW, DRAWN = 50, 1000
"""Matches of fewer pairs than this are held against so many drawn ones."""


@lru_cache
def table_of(game: str) -> Standings:
    """The exact chances of a duel by its book."""
    duel = load(game)
    return standings(duel, duel.book)


def play_task(task: Task, entrants: tuple[Entrant, ...], settings: Settings) -> Result:
    """One game from its beginning to its end, in this process."""
    with TemporaryDirectory() as folder:
        (played,) = play_pair((task,), entrants, "", Path(folder))
    return tell(task, played, entrants, settings)


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


def elo_of(score: float) -> float:
    """The Elo that a share of the points stands for."""
    return 400 * (log(score) - log(1 - score)) / log(10)


# How many games it takes


class Way(NamedTuple):
    """One way to tell two players apart."""

    difference: float
    """What there is to see."""
    deviation: float
    """How far one pair of games may be off."""
    games: int | None
    """How many games it takes; None where there is no difference to be seen."""


class Needed(NamedTuple):
    wins: Way
    """Counting wins, and half of what nobody wins."""
    reduced: Way
    """The same with the luck taken off."""
    loss: Way
    """What decisions lose, in win probability."""


def needed(
    results: Iterable[Result], a: int = 0, b: int = 1, *, score: float | None = None, loss: float | None = None
) -> Needed:
    """How many games of these two players tell them apart: the 95 % interval leaves out zero in 95 of 100 matches.

    The spread of each way is measured on the results, by pairs. So is the difference itself, unless its exact value is
    given: `score`, what A scores per game beyond a half, and `loss`, what a decision of B loses more than one of A.
    """
    games = [each for each in counted(results) if {a, b} == set(each.task.seats)]
    pairs = [pair for pair in pairs_of(games) if len(pair) == 2]
    plain = [fsum(each.score(each.seat_of(a)) for each in pair) / 2 - 0.5 for pair in pairs]
    taken = [fsum(reduced_score(each, each.seat_of(a)) for each in pair) / 2 - 0.5 for pair in pairs]
    lost, pulls = [], []
    for entrant in (a, b):
        sums = [fsum(fsum(each.losses[each.seat_of(entrant)]) for each in pair) for pair in pairs]
        counts = [float(sum(len(each.losses[each.seat_of(entrant)]) for each in pair)) for pair in pairs]
        lost.append(fsum(sums) / fsum(counts) if fsum(counts) else 0.0)
        pulls.append(leanings(sums, counts) if fsum(counts) else [0.0] * len(pairs))
    apart = [theirs - mine for mine, theirs in zip(*pulls, strict=True)]
    better = score if score is not None else fsum(plain) / len(plain) if plain else 0.0
    return Needed(
        _way(better, plain), _way(better, taken), _way(loss if loss is not None else lost[1] - lost[0], apart)
    )


def _way(difference: float, pairs: Sequence[float]) -> Way:
    spread = deviation(pairs) if len(pairs) > 1 else 0.0
    if abs(difference) <= SAME:
        return Way(difference, spread, None)
    count = max(2, ceil(((SURE + NORMAL.inv_cdf(POWER)) * spread / difference) ** 2))
    while count < FEW and _shown(difference, pairs, count) < POWER:
        count += 1
    return Way(difference, spread, 2 * count)


def _shown(difference: float, pairs: Sequence[float], count: int) -> float:
    """How often the interval of so many pairs, drawn from these, leaves out zero. A few know little of their own
    spread, and the formula, which is for many, promises too much of them."""
    shift = abs(difference) - abs(fsum(pairs)) / len(pairs)
    side = 1 if fsum(pairs) >= 0 else -1
    shown = 0
    for repeat in range(DRAWN):
        drawn = [side * pairs[mix(DRAWN, repeat, at) % len(pairs)] + shift for at in range(count)]
        found = ratio(drawn, [1.0] * count)
        shown += found is not None and found.low > 0
    return shown / DRAWN
