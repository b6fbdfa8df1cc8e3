"""The player who does not think."""

from __future__ import annotations

from duelbook.luck import Stream
from duelbook.match import View


class RandomPlayer:
    """Any legal move, each as likely as the next.

    The same seed and turn give the same choice, so taking back does not reroll it.
    """

    def __init__(self, seed: int) -> None:
        self._numbers = (Stream(seed, "choices", 0), Stream(seed, "choices", 1))

    def choose(self, view: View) -> int:
        legal = view.legal()
        return legal[(self._numbers[view.seat].number(view.number) * len(legal)) >> 64]
