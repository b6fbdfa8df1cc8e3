"""Players of every strength between random and perfect: the ladder.

What a level does at a position stands in `policies.plans`: the perfect player's moves, and mistakes, each as likely as
it is tempting. Since that is a table, its results can be computed instead of measured.
"""

from __future__ import annotations

from collections.abc import Sequence

from duelbook.core import DuelError
from duelbook.match import View
from duelbook.players.perfect import PerfectPlayer
from duelbook.policies.eye import eye_of
from duelbook.policies.levels import LEVELS
from duelbook.policies.plans import plan_by


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
    """Perfect, but for its mistakes."""

    def __init__(self, seed: int, number: int) -> None:
        super().__init__(seed)
        self.kind = f"level:{number}"

    def plan(self, view: View) -> Sequence[float]:
        return plan_by(self.kind, self.solution(view), view.state, view.seat)

    def prepare(self, view: View) -> None:
        eye_of(self.solution(view))
