"""The rule book beside whatever is on the screen, so that nobody has to leave a game to look something up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.containers import VerticalScroll

from duelbook.core import Game, settings
from duelbook.tui.base import BaseScreen

ROOM_FOR_ALL = 130
"""From so many columns on nothing has to give way to the book."""


class BookBeside(BaseScreen[None]):
    gives_way = ""
    """What the book takes the place of in a narrow window."""
    game: Game

    def rules_here(self) -> object:
        """The rules under which one plays."""
        return self.game.book

    @property
    def reading(self) -> bool:
        return bool(self.query("#rulebook"))

    async def action_rules(self) -> None:
        """Lay the book to the right of everything else; once more takes it away."""
        from textual.widgets import Markdown

        from duelbook.games import rulebook

        if self.reading:
            await self.close_book()
            return
        changed = settings(self.game, self.rules_here())
        here = f"**Not by the book: this game is played with {', '.join(changed)}.**\n\n" if changed else ""
        book = VerticalScroll(Markdown(here + rulebook(self.game)), id="rulebook")
        self.query_one(self.gives_way).display = self.size.width >= ROOM_FOR_ALL
        await self.query_one("#middle").mount(book)
        book.focus()

    def before_a_key(self) -> Callable[[], Awaitable[None]]:
        reading = self.reading

        async def set_back() -> None:
            if self.reading != reading:
                await self.action_rules()

        return set_back

    async def close_book(self) -> None:
        await self.query("#rulebook").remove()
        self.query_one(self.gives_way).display = True

    def action_leave(self) -> None:
        """Close the book, or leave where none is open."""
        if self.reading:
            self.call_later(self.action_rules)
        else:
            self.leave()

    def action_quit(self) -> None:
        """Leave, whether or not a book is open."""
        self.leave()

    def leave(self) -> None:
        self.dismiss()
