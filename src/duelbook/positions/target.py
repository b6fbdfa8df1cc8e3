"""Where a move leads, as one number: 2 * node, plus 1 for that node's mirror; or an end, -1 - winner.

Plain functions: whoever calls them from compiled code has them compiled too.
"""

from __future__ import annotations

from typing import Any

from duelbook.core import DRAW


def end_value(winner: int) -> Any:
    """What an end is worth for Player 1: 1 if they won, -1 if Player 2 did, 0 if nobody."""
    return 1.0 if winner == 0 else -1.0 if winner == 1 else 0.0


def value_at(target: int, values: Any) -> Any:
    """What a target is worth for Player 1. In a mirror the seats have changed sides."""
    if target < 0:
        return end_value(-1 - target)
    return -values[target // 2] if target % 2 == 1 else values[target // 2]


def winner_at(target: int, turned: int) -> Any:
    """Who wins at an end: a seat, or DRAW. Seen from the mirror it is the other seat."""
    winner = -1 - target
    return winner if winner == DRAW else winner ^ turned
