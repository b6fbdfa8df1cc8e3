"""How well somebody plays, by the exact values: what decisions lose, and results with the luck taken off.

**Loss per decision.** Every decision of a solved duel has an exact loss: the win probability it gave away. Who wins is
half luck and half the other player; what a decision loses is the player's own. The interval compares whole pairs of
games (see `intervals`), for decisions of one game are anything but independent.

**A result with the luck taken off.** In the first seat's value, from -1 for a loss to 1 for a win, every game obeys

    result = start + luck + guess - 2 * (sum of the first seat's losses) + 2 * (sum of the second's) + cut

where losses are in win probability, half as large as values, `luck` is what each card changed against the average of
all that could have come, `guess` is what two secret picks did together, and `cut` is what the bell or a forfeit did
that the rules did not. Before a card comes, its effect on the value has the mean 0, whoever plays and however badly.
So

    reduced score = score - luck / 2        (for the first seat; plus for the second)

has the same mean as the score: unbiased, without a word about the players. It varies less, and so fewer games tell
as much. That of a game, or of a few, may leave the range from 0 to 1; what is shown of a player is brought into it,
where the truth lies (see `intervals`). The guess is no luck: between players who do not pick perfectly its mean
is not 0, and it stays where it is. Without cards there is nothing to take off, and the reduced score is the score.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from typing import NamedTuple

from duelbook.arena.play.results import Entrant, Result, counted, duel_name, duels_of, pairs_of
from duelbook.coach.words import SAME
from duelbook.intervals import ALIKE, Estimate, part, share, spread


class Loss(NamedTuple):
    """What the decisions of a player lose on average, in win probability."""

    mean: float
    low: float | None
    high: float | None
    """The interval; None where there is only one pair of games, of which nothing can be said."""
    decisions: int
    games: int
    perfect: float | None
    """The share of decisions that lost nothing; None where losses are computed and no decision was made."""
    exact: bool = False
    """Known, not measured on games, however alike these were."""
    alike: bool = False
    """All pairs lost the same: the interval says only how rare others must be, and is wide."""


class Quality(NamedTuple):
    name: str
    overall: Loss | None
    """None where nothing that this player played is solved."""
    parts: dict[tuple[str, int], Loss]
    """By duel and seat, 0 or 1."""


def qualities(entrants: Sequence[Entrant], results: Iterable[Result]) -> list[Quality]:
    """Everybody's losses, in the order of the entrants."""
    games = counted(results)
    return [_quality(at, entrant.name, games) for at, entrant in enumerate(entrants)]


def _quality(entrant: int, name: str, games: Sequence[Result]) -> Quality:
    mine = [result for result in games if entrant in result.task.seats]
    parts = {}
    for duel in duels_of(mine):
        for seat in (0, 1):
            here = [each for each in mine if duel_name(each.task) == duel and each.task.seats[seat] == entrant]
            found = loss(here, entrant)
            if found is not None:
                parts[duel, seat] = found
    return Quality(name, loss(mine, entrant), parts)


def loss(results: Iterable[Result], entrant: int) -> Loss | None:
    """What an entrant's decisions lost in these games; None if none of them was weighed."""
    pairs = [[each.losses[each.seat_of(entrant)] for each in pair] for pair in pairs_of(results)]
    clusters = [[lost for game in pair for lost in game] for pair in pairs]
    clusters = [cluster for cluster in clusters if cluster]
    decisions = sum(map(len, clusters))
    if not decisions:
        return None
    sums, counts = [fsum(cluster) for cluster in clusters], [float(len(cluster)) for cluster in clusters]
    found = part(sums, counts)
    low, high = (found.low, found.high) if found is not None else (None, None)
    perfect = sum(lost <= SAME for cluster in clusters for lost in cluster) / decisions
    games = sum(bool(game) for pair in pairs for game in pair)
    alike = found is not None and spread(sums, counts) <= ALIKE
    return Loss(fsum(sums) / decisions, low, high, decisions, games, perfect, alike=alike)


# Results with the luck taken off


def reduced_score(result: Result, seat: int) -> float:
    """The score of a seat, less what luck did for it: the same mean, less noise."""
    return result.score(seat) - (result.luck / 2 if seat == 0 else -result.luck / 2)


class Scores(NamedTuple):
    """What a player scored per game, counted and with the luck taken off; None for fewer than two pairs."""

    counted: Estimate | None
    reduced: Estimate | None


def scores(results: Iterable[Result], entrant: int) -> Scores:
    """What an entrant scored against all."""
    pairs = pairs_of(each for each in counted(results) if entrant in each.task.seats)
    plain = [fsum(each.score(each.seat_of(entrant)) for each in pair) for pair in pairs]
    taken = [fsum(reduced_score(each, each.seat_of(entrant)) for each in pair) for pair in pairs]
    counts = [float(len(pair)) for pair in pairs]
    return Scores(share(plain, counts), share(taken, counts))
