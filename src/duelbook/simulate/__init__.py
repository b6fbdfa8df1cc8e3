"""Whole games by the million between policies, players given as tables of probabilities.

`simulate` plays a fixed number of games and counts how they end. Everything is derived from the rules: a board duel
becomes one table of where each position leads, the others run on the rule functions as they stand, compiled. Game k
of a seed is the same game with any number of threads and on either back end.
"""

try:
    import numpy  # noqa: F401 - looked for here, used everywhere in this room
except ImportError:
    raise ImportError("duelbook.simulate needs NumPy, which is not installed: pip install numpy") from None

from duelbook.simulate.outcomes import NO_RESULT, Outcomes
from duelbook.simulate.plans import PolicyTable
from duelbook.simulate.policy import policy_table
from duelbook.simulate.positions import Positions, positions
from duelbook.simulate.run import simulate

__all__ = ["NO_RESULT", "Outcomes", "PolicyTable", "Positions", "policy_table", "positions", "simulate"]
