"""What the ladder is worth on the scale of ratings: random at 0, the levels and perfect where exact chances put them.

Every two rungs of the ladder have met in every duel as often as one likes, on paper: `solve.levels` holds the exact
chances of every end. Rated like any tournament, with everybody playing everybody a thousand times in either seat, they
give each rung a rating without any error of chance. Where a tournament plays several duels, each counts by its share
of the games.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import product

from duelbook.arena.judge.bradley_terry import Games, fit
from duelbook.arena.play.results import Duel
from duelbook.core import DuelError, Game
from duelbook.policies.levels import RUNGS, Standings
from duelbook.policies.standings import FILE, read, standings
from duelbook.positions.kind import kind_of
from duelbook.solving.cache import kept_file

AS_MANY = 1000.0
"""Games of every two rungs in each seat.

Any large number gives the same, but for one thing: in secret an expert never beats perfect, and no number of games
could say how far above perfect stands. The prior of the model then does, as it would in a tournament of this size.
"""


def known_standings(duel: str) -> Standings | None:
    """The exact chances of a duel, unless it would take minutes to compute them."""
    game, rules = Duel.named(duel).loaded()
    if kind_of(game) != "backwards" and not _kept(game, rules):
        return None
    try:
        return standings(game, rules)
    except DuelError:
        return None


def _kept(game: Game, rules: object) -> bool:
    kept = kept_file(game, rules, ".levels.json")
    return any(read(game, rules, path) is not None for path in (FILE, kept))


def ladder(shares: Mapping[str, float]) -> dict[str, float] | None:
    """The rating of each rung where duels make up these shares of the games, in natural units; None if not known."""
    return _ladder(tuple(sorted(shares.items())))


@lru_cache(maxsize=64)
def _ladder(shares: tuple[tuple[str, float], ...]) -> dict[str, float] | None:
    rungs = list(RUNGS)
    games: list[Games] = []
    for number, (duel, share) in enumerate(shares):
        table = known_standings(duel)
        if table is None:
            return None
        for one, two in product(rungs, rungs):
            met = table[one, two]
            count = AS_MANY * share
            ends = (count * met.win, count * (met.draw + met.no_result), count * met.loss)
            games.append(Games(rungs.index(one), rungs.index(two), number, *ends))
    found = fit(games, {0: 0.0})
    return {rung: found.of("player", number) or 0.0 for number, rung in enumerate(rungs)}
