"""What the ladder is worth on the scale of ratings: random at 0, all others where exact chances put them.

Every two rungs of the ladder have met in every duel as often as one likes, on paper: `solve.levels` holds the exact
chances of every end. Rated like any tournament, with everybody playing everybody a thousand times in either seat, they
give each rung a rating without any error of chance. The characters are put on the same scale by how they fare against
every rung; they do not move it. Where a tournament plays several duels, each counts by its share
of the games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product

from duelbook.arena.judge.bradley_terry import Games, fit
from duelbook.arena.play.results import Duel
from duelbook.core import DuelError, Game
from duelbook.policies.characters import CHARACTERS
from duelbook.policies.levels import RUNGS, TABULAR, Standings
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
    """The rating of all rungs, and of the characters where their chances are known, where duels make up these shares of
    the games, in natural units; None if not known."""
    return _ladder(tuple(sorted(shares.items())))


@lru_cache(maxsize=64)
def _ladder(shares: tuple[tuple[str, float], ...]) -> dict[str, float] | None:
    tables = [known_standings(duel) for duel, _ in shares]
    found = [(table, share) for table, (_, share) in zip(tables, shares, strict=True) if table is not None]
    if len(found) < len(shares):
        return None
    rungs = _rated(found, list(product(RUNGS, RUNGS)), {RUNGS[0]: 0.0})
    met = [pair for one, two in product(RUNGS, CHARACTERS) for pair in ((one, two), (two, one))]
    known = all(pair in table for table, _ in found for pair in met)  # other rules may have been computed without them
    return _rated(found, met, rungs) if known else rungs


def _rated(
    tables: Sequence[tuple[Standings, float]], pairs: Iterable[tuple[str, str]], fixed: Mapping[str, float]
) -> dict[str, float]:
    """What these meetings say of everybody in them, where some ratings are known."""
    games: list[Games] = []
    for (number, (table, share)), (one, two) in product(enumerate(tables), pairs):
        met, count = table[one, two], AS_MANY * share
        ends = (count * met.win, count * (met.draw + met.no_result), count * met.loss)
        games.append(Games(TABULAR.index(one), TABULAR.index(two), number, *ends))
    found = fit(games, {TABULAR.index(kind): rating for kind, rating in fixed.items()})
    everyone = {number for each in games for number in each[:2]}
    return {TABULAR[number]: found.of("player", number) or 0.0 for number in sorted(everyone)} | dict(fixed)
