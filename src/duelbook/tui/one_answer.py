"""Screens that answer once: a key that comes twice must not close the screen that lies below."""

from __future__ import annotations

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import Screen

T = TypeVar("T")


class OneAnswer(Screen[T]):
    def dismiss(self, result: T | None = None) -> AwaitComplete:
        return super().dismiss(result) if self.is_current else AwaitComplete()


def close(screen: Screen[None]) -> None:
    """Take a screen away, if it is the one that is seen, and what it was busy with before its parts are gone."""
    if screen.is_current:
        screen.workers.cancel_node(screen)
        screen.app.pop_screen()
