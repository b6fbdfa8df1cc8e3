"""The reference opponent: whoever sits on the other side when moves of equal value are told apart.

It keeps the value of the position, except for random slips, in 62 of a hundred moves: a slip is
any legal move, each as likely as the other. When it does not slip it makes any of the moves that keep the value, each
as likely as the other; where both pick at once and no pick keeps it by itself, it follows the plan that guarantees its
bound. How a perfect player chooses among equals does not come into it, so that choice can be made against it without
going round in a circle.

Among moves of equal value a perfect player makes the one that leaves the smallest chance of losing against it. Where
that chance is the same, as it is where nothing can be lost any more, the largest chance of winning counts, with every
turn taking away a hundredth of it: so a win that comes soon counts for more.

All of these are sums of chances, without a difference anywhere, and so a chance of losing of one in 10**40 is known to
as many digits as any other. Chances are compared by their ratio.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbook.positions.numbers import floats

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

SLIPS = 0.62
"""How often it makes any legal move."""
PATIENCE = 0.99
"""What a turn leaves of the chance of winning."""
SAME = 1.0 + 1e-9
"""Chances that differ by no more than this factor are the same."""
CLOSE = 1e-12
"""Chances are computed again until none moves by more than this share of itself."""


WON, LOST = -1, -2
ENDS = ((LOST, 1.0, 1.0), (WON, -1.0, PATIENCE))
"""The two chances that are compared, one after the other: of which end, with which sign so that less is better, and
what a turn leaves of it."""


def chances(nodes: int, end: int, sign: float = 1.0) -> Array:
    """Room for a chance at every node and for each hero: the perfect player whose chance it is, in either seat.

    It stands at 2 * node for a hero in the first seat and behind that for one in the second. A target is 2 * node, plus
    1 in that node's mirror, where the hero sits in the other seat: so it is found at `target ^ hero`. The ends are at
    the end: -1 for won, -2 for lost, -3 and -4 for drawn; `end` is the one whose chance this is.
    """
    found: Array = floats(2 * nodes + 4, 0.0)
    found[end] = sign
    return found


def moves_on(new: float, old: float) -> bool:
    """Whether a chance has not settled yet."""
    return abs(new - old) > CLOSE * abs(new)


def as_good(chance: float, best: float) -> bool:
    """Whether a chance is the same as the best one there is: the least, since those of winning stand below 0."""
    return chance - best <= (SAME - 1.0) * abs(best)
