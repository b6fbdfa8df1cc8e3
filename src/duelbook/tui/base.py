"""What every screen here has: its app, lines of text that change, and an end that comes only once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, TypeVar, cast

from textual import events
from textual.await_complete import AwaitComplete
from textual.screen import Screen
from textual.visual import VisualType
from textual.widgets import Static

from duelbook.tui.keybar import KeyBar, TooSmall, is_too_small

if TYPE_CHECKING:
    from duelbook.tui.app import DuelbookApp

T = TypeVar("T")
PATIENT = 3.0
"""So many times as long a letter waits that does what nothing sets back, such as an answer in a box, or beginning a
game: people type their surprise at half a second a letter, and slower."""


class BaseScreen(Screen[T]):
    heeds_held_keys = True
    """Whether Enter and Space that are held down work again and again, as they do in a list. Where something is
    decided they work once: what is left over from one decision must not make the next one."""

    @property
    def heeds_quick_clicks(self) -> bool:
        """The same for clicks that follow each other at once."""
        return self.heeds_held_keys

    @property
    def duelbook(self) -> DuelbookApp:
        """The app with its preferences and its games; nothing here is ever shown by another one."""
        return cast("DuelbookApp", self.app)

    @property
    def has_the_keys(self) -> bool:
        """Whether nothing lies over this screen; Textual calls one current that can be seen around a question, too."""
        return self.is_current and self.app.screen is self

    def write(self, id: str, words: VisualType) -> None:
        """Let the line of this name say these words."""
        self.query_one(f"#{id}", Static).update(words)

    def writes(self, key: str) -> bool:
        """Whether a key is typed here before it can mean anything else."""
        return False

    def gathers(self, key: str) -> bool:
        """Whether a word that begins with this key is gathered here, even if the key alone means something else."""
        return self.writes(key)

    def begin_with(self, letters: str) -> None:
        """These letters were typed before this screen had the keys, and the word goes on here."""

    # What a word that is typed slowly is held against

    drops_words = False
    """Whether nothing can be typed here yet: the rest of a word that was begun here is dropped on the next screen."""
    leaves_no_trace = True
    """Whether this screen can be closed again as if it had never been opened."""

    def words_here(self) -> Iterable[str]:
        """What can be typed here, in small letters."""
        return ()

    def words_for(self, key: str) -> Iterable[str]:
        """Those of them that say what a key does."""
        return ()

    def is_key(self, letter: str) -> bool:
        """Whether a letter alone does something here."""
        return False

    lasting: tuple[str, ...] = ()
    """What keys of this screen do that nothing sets back."""

    def lasts(self, key: str) -> str:
        """What a key would do now that nothing sets back: such a one waits longer for the next letter, and is seen."""
        bound = self.active_bindings.get(key.lower())
        does = "" if bound is None else bound.binding.action
        return does if does in self.lasting else ""

    def waits(self, key: str) -> float:
        """Seconds that a letter waits for the next one before it does what it does as a key."""
        return self.duelbook.pause * (PATIENT if self.lasts(key) else 1)

    def begins_a_move(self, letter: str) -> bool:
        """Whether a letter is the beginning of something that can be chosen now."""
        return False

    def is_typing(self) -> bool:
        """Whether a word is being typed; where only letters can be typed, every letter belongs to one."""
        return True

    def before_a_key(self) -> Callable[[], Awaitable[None]]:
        """What sets back whatever one key can change here."""

        async def nothing() -> None:
            pass

        return nothing

    def before_key(self, event: events.Key) -> bool:
        """A key is about to come to this screen; one that makes way for another now leaves it to that one.

        True if the key has done its work with that: on its way it could meet another screen.
        """
        return False

    def means_nothing(self, key: str) -> None:
        """Answer a key that nobody has taken; `key` is as it is written."""
        nameless = len(key) > 1 and "_" in key  # only a name of Unicode has words like these: zero_width_joiner
        self.answer(f"{'That key' if nameless else key} does nothing here.")

    def answer(self, words: str) -> None:
        """Say in a few words what a key did not do: at the foot beside the keys that work, or in passing."""
        for bar in self.query(KeyBar):
            bar.answer(words)
            return
        self.app.notify(f"{words} {self.what_works()}".strip(), timeout=3, markup=False)

    def what_works(self) -> str:
        """The keys of a screen that has no room for them at its foot."""
        return ""

    def on_screen_resume(self) -> None:
        """What was said of another screen, or of a question that has been answered, is not said of this one."""
        self.duelbook.let_old_notes_go()

    def on_resize(self) -> None:
        """The foot says where a window is too small, and need not notice by itself that it changed."""
        if is_too_small(self) and not self.query("KeyBar, TooSmall"):
            self.mount(TooSmall())
        for each in self.query(TooSmall):
            each.look()
        self.call_after_refresh(self.query(KeyBar).refresh, layout=True)

    def action_turn_page(self, selector: str, pages: int, overlap: int = 2) -> None:
        """Scroll what is named by so many pages, whatever has the focus."""
        for each in self.query(selector):
            each.scroll_relative(y=pages * max(1, each.size.height - overlap), animate=False)

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """Close the screen, and what it was busy with before its parts are gone.

        Only if it is the one that is seen: a key that comes twice must not close the screen that lies below.
        """
        if not self.is_current:
            return AwaitComplete()
        self.workers.cancel_node(self)
        return super().dismiss(result)
