"""A game in its book's words, as who watches hears it: kept line by line, and grown by what has happened since.

To lay out a long game again with every move would cost more than the move.
"""

from __future__ import annotations

from duelbook.core import LUCK
from duelbook.match import Match
from duelbook.speech import Line
from duelbook.table.telling import ending, heard


class Story:
    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._told = 0
        """Steps that are in it."""
        self._turn = 1
        self._ended = False

    def __len__(self) -> int:
        """Lines that have been laid out."""
        return len(self._lines)

    def lines(self, match: Match | None) -> list[Line]:
        """All of it, up to where the game stands now. Online nothing is taken back, so a line that is told stays."""
        if match is not None and not self._ended:
            self._grow(match)
        return self._lines

    def _grow(self, match: Match) -> None:
        if not self._lines:
            self._lines += match.game.dialogue.opening(match.rules, match.start, match.names)
        for at in range(self._told, len(match.steps)):
            step = match.steps[at]
            after = match.steps[at + 1].before if at + 1 < len(match.steps) else match.state
            self._lines += heard(match, step, after, self._turn)
            self._turn += step.turn != LUCK
        self._told = len(match.steps)
        if match.outcome is not None:
            self._ended = True
            self._lines += ending(match)
