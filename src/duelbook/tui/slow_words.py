"""Words whose letters come so slowly that the first of them are taken for keys.

A letter that is a key waits a moment for the next one, and whoever looks for every letter on the keyboard is slower
than that. What is typed is listened to all the same: once the letters spell the beginning of a word that people type
where the first of them was pressed, what they have done as keys is set back, and the word is gathered there. Two keys
in a row are left alone, for they may be meant as keys; of a word that says what its first letter has done the rest
says nothing more, and so it is where what was done cannot be set back.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from functools import cache
from math import inf
from typing import TYPE_CHECKING

from textual import events

from duelbook.games import game_ids
from duelbook.policies.characters import CHARACTERS
from duelbook.tui.base import BaseScreen
from duelbook.tui.command import DROPPED
from duelbook.tui.leftover import LATEST, SLOWEST, LeftOver

if TYPE_CHECKING:
    from duelbook.tui.app import DuelbookApp

ANYWHERE = """again, back, coach, continue, exit, go on, got it, help, hint, idea, keep, knock down, learn, leave,
level, next, nice, nope, okay, oops, overshoot, perfect, person, play, player, puzzle, quit, random, record, replay,
resign, resume, review, rules, save, settings, show me, start, status, step, stop, strong, tell me, toss, undo, watch,
what, who, why, win, wow, yes"""
"""What people type wherever they are, whether it means something there or not."""
EXCLAMATIONS = ("ah", "ha", "no", "oh", "ok")
"""What they say in two letters: an H after an O is no heal."""


@cache
def lexicon() -> tuple[str, ...]:
    return (*re.split(r",\s", ANYWHERE), *CHARACTERS, *(id.lower() for id in game_ids()))


MOST_KEYS = 3


def are_quick_keys(typed: str, is_key: Callable[[str], bool]) -> bool:
    """Whether letters that follow each other as quickly as those of a word are keys all the same."""
    if not 1 < len(typed) <= MOST_KEYS or not all(letter.isalpha() and is_key(letter) for letter in typed):
        return False
    return not any(word.startswith(typed.lower()) for word in lexicon())


class SlowWords:
    """Hears every key before a screen does."""

    def __init__(self, app: DuelbookApp, left_over: LeftOver) -> None:
        self._app, self._left_over = app, left_over
        self._last = -inf
        self._begin("", None)

    def _begin(self, letter: str, screen: BaseScreen[object] | None) -> None:
        """This letter may be the first of a word; in the middle of one that is gathered it is not."""
        first = screen is not None and letter.isalpha() and not screen.is_typing()
        self._word, self._origin = letter, screen if first else None
        self._acted = 0
        """How many of its letters have done something as keys."""
        self._slow = False
        """Whether a letter came so late that the one before it has done whatever it does as a key."""
        self._rest_is_dropped = False
        self._came_too_early = False
        """Whether it was begun where nothing could be typed yet."""
        self._set_back: list[Callable[[], Awaitable[None]]] = []
        if self._origin is not None:
            self._words = {*self._origin.words_here(), *lexicon()}
            self._done = self._origin.words_for(letter)
            self._may_act(letter, self._origin)

    def _may_act(self, letter: str, screen: BaseScreen[object]) -> None:
        if screen.is_key(letter):
            self._acted += 1
            self._set_back.append(screen.before_a_key())

    async def takes(self, key: events.Key) -> bool:
        """Whether a key belongs to such a word, and is done with."""
        screen = self._app.screen
        letter = key.character if key.is_printable and key.character else ""
        since, self._last = key.time - self._last, key.time
        soon, quick = since < SLOWEST * self._left_over.held, since < self._app.pause
        if not isinstance(screen, BaseScreen):
            self._begin("", None)
            return False
        if key.key == "enter" and self._rest_is_dropped and since < LATEST * self._left_over.held:
            self._say_what_happened(soon)
            self._begin("", None)
            return True
        if screen.drops_words or (soon and self._came_too_early and (letter or key.key == "enter")):
            return self._drops(key, screen)
        origin = self._origin
        if origin is None or not soon or (origin not in self._app.screen_stack and not self._says_it(letter)):
            self._begin(letter, screen)
            return False
        if key.key == "enter" and self._was_typed_elsewhere(screen, origin):
            await self._gather(self._word, origin)
            return False  # its Enter ends it there
        if not letter.isalpha() and not letter.isspace() and letter != "'":
            self._begin("", None)
            return False
        self._slow = self._slow or not quick
        if not self._slow or (not quick and origin is screen and origin.is_typing()):  # it is gathered anyway
            self._word += letter
            return False
        return await self._goes_on(letter, screen, origin)

    async def _goes_on(self, letter: str, screen: BaseScreen[object], origin: BaseScreen[object]) -> bool:
        word = self._word + letter
        nothing_done = not self._acted and screen is origin
        exclaimed = word.lower() in EXCLAMATIONS
        known = exclaimed or any(each.startswith(word.lower()) for each in self._words)
        meant = len(word) == 2 and screen.begins_a_move(letter) and not exclaimed
        if meant or (not known and (screen.is_key(letter) or not nothing_done)):
            self._begin(letter, screen)
            return False
        says_it = self._says_it(letter)
        second = len(word) == 2 and screen.is_key(letter) and not nothing_done
        second_key = second and not says_it and not exclaimed
        self._word = word
        if second_key:
            self._may_act(letter, screen)
            return False
        gone = origin not in self._app.screen_stack
        if gone or (screen is not origin and (says_it or not self._can_be_set_back(origin))):
            self._rest_is_dropped = True
            if second:
                screen.answer(f"{letter.upper()} was taken for a part of the word. Once more, and it is a key.")
            return True
        await self._gather(word, origin)
        return True

    def _drops(self, key: events.Key, screen: BaseScreen[object]) -> bool:
        """A key that came before anything could be typed, or goes on with a word that did."""
        self._begin("", None)
        acts = screen.drops_words and screen.is_key(key.character or "")  # Q gives up, and what comes next is no word
        self._came_too_early = key.is_printable and not acts
        if not screen.drops_words:
            screen.answer(DROPPED)
        return not screen.drops_words

    def _was_typed_elsewhere(self, screen: BaseScreen[object], origin: BaseScreen[object]) -> bool:
        """Whether the first letter has led to a line in which the rest of a word now stands: a name could begin so, so
        it is known only at the end."""
        whole = self._word.strip().lower() in {*origin.words_here()}
        return bool(self._acted and self._slow and whole and origin is screen and origin.is_typing())

    def _says_it(self, letter: str) -> bool:
        """Whether the word goes on as one that says what its first letter has done."""
        word = (self._word + letter).lower()
        return self._acted == 1 and any(each.startswith(word) for each in self._done)

    def _above(self, origin: BaseScreen[object]) -> list[object]:
        stack = self._app.screen_stack
        return list(stack[stack.index(origin) + 1 :])

    def _can_be_set_back(self, origin: BaseScreen[object]) -> bool:
        return all(isinstance(each, BaseScreen) and each.leaves_no_trace for each in self._above(origin))

    async def _gather(self, word: str, origin: BaseScreen[object]) -> None:
        """Set back what the letters have done as keys, and let them be a word where the first was pressed."""
        self._rest_is_dropped = False
        for set_back in reversed(self._set_back):
            await set_back()
        for _ in self._above(origin):
            self._app.screen.workers.cancel_node(self._app.screen)
            await self._app.pop_screen()
        origin.begin_with(word)
        self._begin("", None)

    def _say_what_happened(self, soon: bool) -> None:
        screen, word = self._app.screen, self._word.strip()
        if not isinstance(screen, BaseScreen):
            return
        if word.lower() not in self._done:
            screen.answer(f"{word[0].upper()} was taken for a key: {word} came slowly.")
        elif not soon:
            screen.answer(f"That Enter was the end of {word}.")
