"""Duelbook as an environment of OpenEnv: what a client needs."""

from .client import DuelEnv
from .models import DuelAction, DuelObservation, DuelState

__all__ = ["DuelAction", "DuelEnv", "DuelObservation", "DuelState"]
