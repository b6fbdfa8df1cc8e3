"""The plans of characters at all positions of a duel in which both pick at once; see `inclination`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbook.policies.inclination import Foreseen, incline
from duelbook.policies.inclined_turns import had_at
from duelbook.positions.numbers import floats
from duelbook.positions.target import value_at

if TYPE_CHECKING:
    from duelbook.policies.forward_picks import AtOnce
    from duelbook.positions.numbers import Room


def inclined_picks(table: AtOnce, style: int) -> tuple[Room[float], Room[float]]:
    """How likely a character of this style makes each pick, in each seat of every node."""
    picks = table.picks
    first, second = floats(len(table.losses[0]), 0.0), floats(len(table.losses[0]), 0.0)
    mean, square, least = floats(picks, 0.0), floats(picks, 0.0), floats(picks, 0.0)
    mine, theirs, made = floats(picks, 0.0), floats(picks, 0.0), floats(picks, 0.0)
    foreseen, may = Foreseen(mean, square, least, mine, theirs), floats(picks, 0.0)
    group = 0
    for node in range(len(table.symmetric)):
        while table.group_ends[group] <= node:
            group += 1
        row = node * picks
        for seat in range(2):
            own, other = table.anything[seat], table.anything[1 - seat]
            plan, side = (first, 1.0) if seat == 0 else (second, -1.0)
            for pick in range(picks):
                mean[pick] = square[pick] = mine[pick] = theirs[pick] = 0.0
                least[pick] = 2.0
                for answer in range(picks):
                    share = other[row + answer]
                    if own[row + pick] > 0.0 and share > 0.0:
                        one, two = (pick, answer) if seat == 0 else (answer, pick)
                        target = table.after[(group * picks + one) * picks + two]
                        value = side * value_at(target, table.seen)
                        mean[pick] += share * value
                        square[pick] += share * value * value
                        least[pick] = min(least[pick], value)
                        mine[pick] += share * had_at(target, node, seat, table.has)
                        theirs[pick] += share * had_at(target, node, 1 - seat, table.has)
                may[pick] = own[row + pick]
            incline(style, foreseen, may, picks, True, made)
            for pick in range(picks):
                plan[row + pick] = made[pick]
    return first, second
