"""Players who are tables: the levels between random and perfect, and the characters.

What they do at a position stands in `policies.plans`. Since that is a table, their results can be computed instead of
measured.
"""

from __future__ import annotations

from collections.abc import Sequence

from duelbook.match import View
from duelbook.players.perfect import PerfectPlayer
from duelbook.policies.eye import eye_of
from duelbook.policies.plans import plan_by


class TablePlayer(PerfectPlayer):
    """Knows the solution, and plays as its kind does."""

    def __init__(self, seed: int, kind: str) -> None:
        super().__init__(seed)
        self.kind = kind

    def plan(self, view: View) -> Sequence[float]:
        return plan_by(self.kind, self.solution(view), view.state, view.seat)

    def prepare(self, view: View) -> None:
        eye_of(self.solution(view))
