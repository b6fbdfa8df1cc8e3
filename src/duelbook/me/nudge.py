"""When the record says that it is time for the next level.

The last ten games against the opponent that was met last are looked at, without those that nobody won. If a player who
is only as good as the opponent, and so wins half of such games, would win as many of them at most once in twenty times,
the score is clearly above half, and the next rung of the ladder is named. That chance is computed exactly: the tail of
the binomial distribution (the sign test). So five of five are enough, eight of nine, or nine of ten, but not eight of
ten.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import NamedTuple

from duelbook.me.played import LOST, WON, Played
from duelbook.me.tally import in_order
from duelbook.policies.levels import RUNGS

LAST = 10
"""So many games against one opponent are looked at."""
CLEAR = Fraction(1, 20)
"""A score that an equal reaches more rarely than this is clearly above half."""


class Nudge(NamedTuple):
    opponent: str
    """The kind of player that was met last."""
    upwards: str
    """The next rung."""
    won: int
    lost: int
    games: int
    """Of these last ones, those that nobody won among them."""


def chance_of_an_equal(won: int, of: int) -> Fraction:
    """How likely somebody who wins half of the games wins at least so many."""
    return Fraction(sum(comb(of, more) for more in range(won, of + 1)), 2**of)


def next_rung(kind: str) -> str | None:
    """The rung above; None above the last one, and for whoever is not on the ladder."""
    return dict(pairwise(RUNGS)).get(kind)


def nudge(games: Sequence[Played]) -> Nudge | None:
    """What the games of one duel, under the same rules, say; None where they do not say so."""
    counted = in_order(game for game in games if game.counts)
    if not counted:
        return None
    opponent = counted[-1].opponent
    upwards = next_rung(opponent)
    last = [game.standing for game in counted if game.opponent == opponent][-LAST:]
    won, lost = last.count(WON), last.count(LOST)
    if upwards is None or chance_of_an_equal(won, won + lost) > CLEAR:
        return None
    return Nudge(opponent, upwards, won, lost, len(last))
