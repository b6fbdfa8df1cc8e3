"""The plan of everybody who is a table, at all positions of a duel that is laid out."""

from __future__ import annotations

from typing import Any

from duelbook.core import Game
from duelbook.policies.forward_picks import AtOnce
from duelbook.policies.forward_turns import Alone
from duelbook.policies.inclination import STYLES
from duelbook.policies.inclined_picks import inclined_picks
from duelbook.policies.inclined_turns import inclined_turns
from duelbook.policies.levels import mistakes_of
from duelbook.positions.machine import Machine


def table_plan(table: Alone | AtOnce, machine: Machine, game: Game, kind: str) -> Any:
    """How likely this player makes each move, as the table lists them."""
    if kind not in STYLES:
        return table.plan(machine, mistakes_of(game)[kind])
    inclined = inclined_turns if isinstance(table, Alone) else inclined_picks
    return machine.twin(inclined)(table, STYLES[kind])
