"""A position that came up and has no number yet."""

from __future__ import annotations

from typing import Any


class Stray(Exception):
    def __init__(self, state: Any) -> None:
        super().__init__(state)
        self.state = state
