"""Does a duel keep every law? The conformance kit for those who write duels, and what our own tests run."""

from duelbook.conformance.check import Conformance, check_game
from duelbook.conformance.mistake import Mistake

__all__ = ["Conformance", "Mistake", "check_game"]
