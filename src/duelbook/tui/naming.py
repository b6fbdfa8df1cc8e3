"""Screens whose letters are keys, on which names can be typed all the same.

A letter waits a moment for the next one. Two letters in a row are a word, whatever they begin: it is seen at the foot
with what it means, and Enter does that. People type what they have in mind, and nothing may happen by the first letter
of it. A letter after which nothing or no other letter comes is a key, as always.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import NamedTuple, TypeVar

from textual import events
from textual.timer import Timer

from duelbook.speech import called, either, quote
from duelbook.tui.base import BaseScreen
from duelbook.tui.command import CURSOR, DROPPED, LONGEST
from duelbook.tui.leftover import SLOWEST
from duelbook.tui.slow_words import are_quick_keys

T = TypeVar("T")
PAUSE = 0.35
"""Seconds that a key which begins a name waits for the next letter."""
MOST_SHOWN, MOST_EXPLAINED = 4, 2


class Name(NamedTuple):
    """What a name runs, and what that is."""

    runs: str
    about: str


class Named(BaseScreen[T]):
    typed = ""
    """What has been typed of a name."""
    space_is_a_key = True
    """Whether a Space after a letter that is a key does what it always does: where it chooses, no word is begun so."""
    takes_quick_keys = True
    """Whether keys that follow each other at once are pressed one after the other."""
    _pressed = -inf
    """When the last key came."""
    _waiting: Timer | None = None
    """Runs out when the only letter that was typed is a key after all, or all of them are."""

    def names(self) -> Mapping[str, Name]:
        """What can be typed, in small letters."""
        raise NotImplementedError

    def may_begin(self, letter: str) -> bool:
        """Whether a word can begin with this."""
        return letter.isalpha() or (letter.isdigit() and not self.is_key(letter) and self._named(letter))

    def take_key(self, key: str) -> bool:
        """Whether a letter or digit means something here without being bound."""
        return False

    def show_typed(self, words: str) -> None:
        """Let what is typed be seen."""
        self.answer(words)

    def has_room_for(self, words: str) -> bool:
        """Whether all of this can be shown: at the foot there is one line."""
        return len(words) <= self.size.width - 2

    def writes(self, key: str) -> bool:
        return key.isspace() and bool(self.typed)

    def gathers(self, key: str) -> bool:
        return key.isalpha() or self.writes(key)

    def begin_with(self, letters: str) -> None:
        self._type(letters)

    async def on_key(self, event: events.Key) -> None:
        letter = event.character if event.is_printable and event.character else ""
        if self._is_another_thing(letter, event.time):
            self.forget()
        self._pressed = event.time
        if len(self.typed) == 1 and not letter and event.key != "enter" and self.lasts(self.typed):
            self.forget()  # whoever presses anything else thinks better of it
            event.stop()
            event.prevent_default()
            return
        if len(self.typed) == 1 and not self._begins(self.typed + letter, letter):
            alone, key = self.typed, self.is_key(self.typed)
            self.forget()
            if key:
                await self._press(alone)
            elif event.key == "enter":
                await self._obey(alone)
            elif not self._named(alone):
                self.means_nothing(alone.upper())
            if event.key in ("enter", "backspace", "escape") or not self.is_current:
                event.stop()
                if letter and not self.is_current:  # it was meant for what lies below
                    self.app.post_message(events.Key(event.key, event.character))
                return
        if self.typed or self._begins(letter, letter):
            taken = await self._write(event, letter)
        else:
            taken = bool(letter) and self.take_key(letter)
        if taken:
            event.stop()

    def _is_another_thing(self, letter: str, when: float) -> bool:
        """Whether a key has nothing to do with the letter that stands there since long ago: a stray one, for nothing
        begins like the two."""
        alone = len(self.typed) == 1 and when - self._pressed >= SLOWEST * self.duelbook.left_over.held
        return alone and self.is_key(letter) and not self._named(self.typed + letter)

    async def _write(self, event: events.Key, letter: str) -> bool:
        """Let a key write, mend, or end what is typed. Any other gives it up and does what it always does."""
        if letter:
            self._type((self.typed + letter)[:LONGEST])
        elif event.key in ("backspace", "ctrl+h"):
            self._type(self.typed[:-1])
        elif event.key == "enter":
            typed, self.typed = self.typed, ""
            await self._obey(typed)
        else:
            given_up = len(self.typed) > 1 and event.key != "escape"
            self.forget()
            if given_up:
                self.show_typed(DROPPED)
            return event.key == "escape"
        return True

    def _begins(self, typed: str, letter: str) -> bool:
        """Whether a word begins so. A letter that is a key where nobody waits for the next is no beginning."""
        twice = len(typed) == 2 and typed[0] == typed[1]  # a key pressed again: no word begins so
        any_word = self.duelbook.pause > 0 and not twice
        alone = self.space_is_a_key and self.is_key(typed[:1])
        goes_on = self.may_begin(letter) or (letter.isspace() and len(typed) > 1 and not alone)
        goes_on = goes_on or (bool(letter) and len(typed) > 1 and self._named(typed))
        if not goes_on or not (any_word or self._named(typed)):
            return False
        return len(typed) > 1 or self.duelbook.pause > 0 or not self.is_key(typed)

    def is_key(self, letter: str) -> bool:
        bound = letter.lower() in self.active_bindings
        return bound or letter.lower() in self.also_keys()

    def is_typing(self) -> bool:
        return bool(self.typed)

    def words_here(self) -> Iterable[str]:
        return self.names()

    def words_for(self, key: str) -> Iterable[str]:
        bound = self.active_bindings.get(key.lower())
        does = "" if bound is None else bound.binding.action
        return [word for word, name in self.names().items() if name.runs == does]

    def also_keys(self) -> str:
        """The letters that `take_key` takes."""
        return ""

    def forget(self) -> None:
        """Nothing is typed any more."""
        self._type("")

    def _type(self, typed: str) -> None:
        self.typed = typed
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None
        if len(typed) == 1 and (self.is_key(typed) or not self._named(typed)):
            self._waiting = self.set_timer(self.waits(typed), self._no_more_letters)
            if self.waits(typed) > self.duelbook.pause:  # it can be seen, and that Enter need not wait
                meaning = f" {self._meaning_of_a_key(typed)}" if self._named(typed) else ""
                self.show_typed(f"{typed}{CURSOR}{meaning}")
            return
        self.show_typed(f"{typed}{CURSOR} {self._meaning(typed)}" if typed else "")
        if self.takes_quick_keys and self._are_quick_keys(typed):
            self._waiting = self.set_timer(self.duelbook.pause, self._no_more_letters)

    def _are_quick_keys(self, typed: str) -> bool:
        """Whether letters in a row can be nothing but keys: each of them is one, and no word begins like that."""
        return not self._named(typed) and are_quick_keys(typed, self.is_key)

    async def _no_more_letters(self) -> None:
        keys = self.typed
        self.forget()
        for key in keys:
            if self.has_the_keys:
                await self._press(key)

    def _named(self, typed: str) -> bool:
        return any(name.startswith(typed.lower()) for name in self.names())

    async def _press(self, key: str) -> None:
        if not self.take_key(key) and not await self.app._check_bindings(key):
            self.means_nothing(key.upper())

    def _meaning_of_a_key(self, key: str) -> str:
        """What Enter does behind a key that waits."""
        does = self.lasts(key)
        return next((f"Enter: {name.about}" for name in self.names().values() if name.runs == does), self._meaning(key))

    def _meaning(self, typed: str) -> str:
        names = self.names()
        found = called(typed, names.items())
        if len(found) == 1:
            return f"Enter: {found[0].about}"
        if not found:
            return "nothing here begins so. Esc clears the line."
        return _begun(typed, names)

    async def _obey(self, typed: str) -> None:
        found = called(typed, self.names().items())
        if len(found) == 1:
            self.show_typed("")
            await self.run_action(found[0].runs)
        else:
            self.show_typed(self.refusal(typed, found))

    def refusal(self, typed: str, found: Sequence[Name]) -> str:
        """Why a word does nothing: none of the names begins so, or several of them do."""
        return f"{quote(typed)} {self._why_not(typed, found)}"

    def _why_not(self, typed: str, found: Sequence[Name]) -> str:
        """What two names mean has room at the foot of a small window; of more than two the names have to do."""
        if not found:
            return "means nothing here."
        explained = f"is not enough. It can be {either(each.about for each in found)}."
        if len(found) > MOST_EXPLAINED or not self.has_room_for(f"{quote(typed)} {explained}"):
            return f"is not enough: {_begun(typed, self.names())}"
        return explained


def _begun(typed: str, names: Mapping[str, Name]) -> str:
    """The names that begin so, as a question, one for each meaning: as many of them as the foot of a small window has
    room for."""
    meant: dict[str, str] = {}
    for name, word in names.items():
        if name.startswith(" ".join(typed.lower().split())):
            meant.setdefault(word.runs, name)
    begun = list(meant.values())
    return f"{either(begun[:MOST_SHOWN])}?" if len(begun) <= MOST_SHOWN else f"{', '.join(begun[:MOST_SHOWN])} ...?"
