"""What every screen here has: its app, lines of text that change, and an end that comes only once."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from textual.await_complete import AwaitComplete
from textual.screen import Screen
from textual.visual import VisualType
from textual.widgets import Static

if TYPE_CHECKING:
    from duelbook.tui.app import DuelbookApp

T = TypeVar("T")


class BaseScreen(Screen[T]):
    @property
    def duelbook(self) -> DuelbookApp:
        """The app with its preferences and its games; nothing here is ever shown by another one."""
        return cast("DuelbookApp", self.app)

    def write(self, id: str, words: VisualType) -> None:
        """Let the line of this name say these words."""
        self.query_one(f"#{id}", Static).update(words)

    def on_resize(self) -> None:
        """The keys at the foot say where a window is too small, and need not notice by themselves that it changed."""
        self.call_after_refresh(self.query("KeyBar").refresh, layout=True)

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
