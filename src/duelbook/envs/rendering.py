"""How an environment shows its table: in the words of the book."""

from __future__ import annotations

from reprlib import repr as shown_briefly
from typing import TYPE_CHECKING

from duelbook.core import DuelError

if TYPE_CHECKING:
    from duelbook.envs.carried import Carried

RENDER_MODES = ["human", "ansi"]
"""Printed, or handed over as text."""


def check_render_mode(mode: str | None) -> str | None:
    if mode is not None and mode not in RENDER_MODES:
        raise DuelError(f"A table is shown as {' or '.join(map(repr, RENDER_MODES))}, not as {shown_briefly(mode)}.")
    return mode


def rendered(carried: Carried, mode: str | None) -> str | None:
    """The text, where it is asked for; where a person looks on it is printed."""
    if mode == "human":
        print(carried.picture())
    return carried.picture() if mode == "ansi" else None
