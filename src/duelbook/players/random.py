"""The player who does not think."""

from __future__ import annotations

from duelbook.luck import mix, stir
from duelbook.match import View


class RandomPlayer:
    """Any legal move, each as likely as the next.

    The same seed and turn give the same choice, so taking back does not reroll it.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        bits = mix(seed)
        self._streams = (stir(bits, 0), stir(bits, 1))

    def choose(self, view: View) -> int:
        legal = view.legal()
        return legal[(stir(self._streams[view.seat], view.number) * len(legal)) >> 64]
