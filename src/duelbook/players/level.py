"""Players of every strength between random and perfect: the ladder.

A player of a level makes a perfect move, but slips with a fixed chance and then makes any legal move, good ones
included. At every position of every duel it therefore loses just that share of what a random player would lose there:
a rung means the same everywhere, and its results can be computed instead of measured. Random is the rung that always
slips, perfect the one that never does.

The rungs themselves stand in `policies.levels`, beside the exact chances between every two of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from duelbook.core import DuelError
from duelbook.match import View
from duelbook.players.perfect import PerfectPlayer
from duelbook.policies.levels import LEVELS, level_plan


def level_number(text: str) -> int:
    """The rung that `level:3` or `level:club player` names, from 1."""
    names = [level.name for level in LEVELS]
    wanted = text.strip().lower()
    if wanted in names:
        return names.index(wanted) + 1
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 4 and 1 <= int(wanted) <= len(LEVELS):
        return int(wanted)
    known = ", ".join(f"{number} ({name})" for number, name in enumerate(names, 1))
    raise DuelError(f"There is no level '{text}'. The levels are {known}.")


class LevelPlayer(PerfectPlayer):
    """Perfect, but for its slips."""

    def __init__(self, seed: int, number: int) -> None:
        super().__init__(seed)
        self.slips = LEVELS[number - 1].slips

    def plan(self, view: View) -> Sequence[float]:
        return level_plan(self.slips, super().plan(view), view.legal())
