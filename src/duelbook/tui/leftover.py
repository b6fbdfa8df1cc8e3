"""Keys and clicks that belong to what was decided before: left over from it, or held down since."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from textual import events
from textual.errors import NoWidget
from textual.screen import Screen
from textual.widget import Widget

from duelbook.tui import CONFIRMING
from duelbook.tui.base import BaseScreen

HELD, REPEATS = 0.6, 0.1
"""Seconds: an Enter or Space that follows one which did something sooner than the first was left over, or begins to
repeat because the key is held down; one that follows any other sooner than the second goes on repeating."""
ERASING = ("backspace", "ctrl+h")
DOUBLE, NEAR = 0.5, (2, 1)
"""Seconds, and columns and rows: two clicks that are closer to each other than that are one double click."""
READING = 0.3
"""Seconds before which nobody has read a question that has just come."""
SLOWEST = 2.5
"""So many times as long as a key is held down the next letter of the same word may take: who looks for every letter on
the keyboard needs a second and a half."""

LATEST = 8.0
"""So many times as long the Enter behind a word may take whose letters have meant nothing more: whoever sees that the
word has been understood before it was whole stops for a moment, and then ends it."""


def now() -> float:
    """By the clock that keys and clicks carry."""
    return events.Event().time


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


class SecondClicks:
    """Hears every press of the mouse before a screen does: the second half of a double click decides nothing."""

    def __init__(self, left_over: LeftOver) -> None:
        self._left_over = left_over
        self._last, self._at = -inf, (0, 0)
        self._on: Screen[object] | None = None
        self._what: Widget | None = None
        """What was pressed last."""
        self._swallowed = False

    def swallows(self, event: events.MouseEvent, screen: Screen[object]) -> bool:
        """Whether a press, or the release after it, belongs to the click before: on a screen where that matters, or on
        another screen, which nobody can have seen by then; or on lines that have moved for the first click."""
        if isinstance(event, events.MouseDown):
            at = (event.screen_x, event.screen_y)
            near = all(abs(now - then) <= most for now, then, most in zip(at, self._at, NEAR, strict=True))
            soon = event.time - self._last < min(DOUBLE, self._left_over.held)
            goes_on = screen is self._on and getattr(screen, "heeds_quick_clicks", True)
            goes_on = goes_on and _under(screen, self._at) is self._what
            self._swallowed = near and soon and not goes_on
            self._last, self._at, self._what = event.time, at, _under(screen, at)
            if not self._swallowed:
                self._on = screen
        return self._swallowed and isinstance(event, events.MouseDown | events.MouseUp)


def _under(screen: Screen[object], at: tuple[int, int]) -> Widget | None:
    try:
        return screen.get_widget_at(*at)[0]
    except NoWidget:
        return None


class RestOfAWord:
    """The first letter of a word answers a question; the letters after it, and its Enter, say nothing more. Nor does
    the same letter once more: whoever presses it twice does not mean what it does on the screen below."""

    def __init__(self, left_over: LeftOver) -> None:
        self._left_over = left_over
        self._rests: set[str] = set()
        self._letter = ""
        """The one that has just been the answer, as long as nothing has followed it."""
        self._last = -inf
        self._kept = self._broken_off = ""
        """What was typed of the word, where it is kept, and what it is if it was another word."""

    def follows(self, key: events.Key, words: Iterable[str], *, kept: bool = False) -> None:
        """This key was the answer, and it may be the beginning of these words.

        With `kept` the letters are kept for the case that it is the beginning of another word.
        """
        self._letter = letter = key.key.lower()
        self._kept = (key.character or "") if kept else ""
        self._rests = {word.lower()[1:] for word in words if word.lower().startswith(letter)} | {""}
        self._last = key.time

    def takes(self, key: events.Key, screen: Screen[object]) -> bool:
        """Whether a key only ends the word that has been understood already. The first letter after an answer may take
        its time, unless it begins a move: `no` is typed more often than N, and then O. Where it is a key of the screen
        that is there now, that is said."""
        letter = key.character.lower() if key.is_printable and key.character else ""
        going_on = {rest[1:] for rest in self._rests if letter and rest.startswith(letter)}
        since, held = key.time - self._last, self._left_over.held
        soon, slowly = since < held, since < SLOWEST * held
        below = screen if self._letter and isinstance(screen, BaseScreen) else None
        if below is not None and below.begins_a_move(letter):
            slowly = soon
        late = since < LATEST * held
        ends = key.key == "enter" and bool(self._rests) and (soon or (late and not self._letter))
        again = bool(letter) and letter == self._letter and not going_on and soon
        taken = (bool(going_on) and slowly) or ends or again
        if going_on and slowly and not soon and below is not None and below.is_key(letter):
            below.answer(f"{letter.upper()} was taken for a part of the answer. Once more, and it is a key.")
        if ends and not slowly and isinstance(screen, BaseScreen):
            screen.answer("That Enter was the end of a word.")
        twice = self._kept.lower() == letter  # a key pressed twice: no word begins so
        goes_on = letter.isalpha() or (letter.isspace() and len(self._kept) > 1)
        # Q is a key, and what comes a moment after it another; `b` is only ever the beginning of a word.
        one_word = soon or (slowly and self._kept.lower() != "q")
        self._broken_off = self._kept if one_word and goes_on and not twice and not taken else ""
        self._kept = self._kept + (key.character or "") if self._kept and going_on and taken else ""
        self._rests, self._last = (going_on if taken else set()), key.time
        self._letter = letter if again and taken else ""
        return taken

    def broken_off(self) -> str:
        """The letters that were taken for the beginning of a word which the last key has made another one."""
        broken_off, self._broken_off = self._broken_off, ""
        return broken_off
