"""The client; it comes with Duelbook."""

from duelbook.agents.openenv_client import DuelEnv

__all__ = ["DuelEnv"]
