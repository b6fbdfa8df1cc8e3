"""A position that came up and has no number yet."""

from __future__ import annotations

from duelbook.core import SomeState


class Stray(Exception):
    def __init__(self, state: SomeState) -> None:
        super().__init__(state)
        self.state = state
