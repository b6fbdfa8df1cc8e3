"""What is sent and seen; it comes with Duelbook."""

from duelbook.agents.openenv_server import DuelAction, DuelObservation, DuelState

__all__ = ["DuelAction", "DuelObservation", "DuelState"]
