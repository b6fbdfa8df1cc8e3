"""Enter and Space that belong to what was decided before: left over from it, or held down since."""

from __future__ import annotations

from math import inf

from textual import events
from textual.screen import Screen

from duelbook.tui.base import BaseScreen

HELD, REPEATS = 0.6, 0.1
"""Seconds: an Enter or Space that follows one which did something sooner than the first was left over, or begins to
repeat because the key is held down; one that follows any other sooner than the second goes on repeating."""
CONFIRMING, ERASING = ("enter", "space"), ("backspace", "ctrl+h")


class LeftOver:
    """Hears every key before a screen does."""

    def __init__(self, held: float = HELD) -> None:
        self.held = held
        self._confirmed = self._repeated = -inf
        """When Enter or Space did something, and when it last came, if no other key has come since."""
        self._confirmed_on: Screen[object] | None = None
        """Where it did something."""
        self._in_a_word = False
        """Whether the last key was a letter of a line that is being typed."""

    def is_left_over(self, key: events.Key, screen: Screen[object]) -> bool:
        """Whether a key belongs to what was decided before: on a screen where that matters, or on another screen,
        which nobody can have seen by then."""
        if not self._confirms(key, screen):
            self._confirmed = self._repeated = -inf
            return False
        goes_on = screen is self._confirmed_on and getattr(screen, "heeds_held_keys", True)
        soon = key.time - self._confirmed < self.held or key.time - self._repeated < min(self.held, REPEATS)
        self._repeated = key.time
        if soon and not goes_on:
            return True
        self._confirmed, self._confirmed_on = key.time, screen
        return False

    def _confirms(self, key: events.Key, screen: Screen[object]) -> bool:
        """Whether a key is an Enter, or a Space that is no letter of what is being typed.

        The keys themselves tell: quick ones are here before the line on the screen has those that came before them.
        """
        letter = key.character if key.is_printable and key.character else ""
        writes = isinstance(screen, BaseScreen) and screen.writes(letter)
        if key.key not in ERASING:
            self._in_a_word = bool(letter) and (self._in_a_word or writes)
        return key.key in CONFIRMING and not self._in_a_word
