"""The rule book beside whatever is on the screen, so that nobody has to leave a game to look something up."""

from __future__ import annotations

from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widget import Widget

from duelbook.core import Game

ROOM_FOR_ALL = 130
"""From so many columns on nothing has to give way to the book."""


def is_open(screen: Screen[None]) -> bool:
    return bool(screen.query("#rulebook"))


async def open_book(screen: Screen[None], game: Game, instead_of: Widget) -> None:
    """Lay the book to the right of its neighbours; in a narrow window it takes the place of one of them."""
    from textual.widgets import Markdown

    from duelbook.games import rulebook

    book = VerticalScroll(Markdown(rulebook(game)), id="rulebook")
    instead_of.display = screen.size.width >= ROOM_FOR_ALL
    await screen.query_one("#middle").mount(book)
    book.focus()


async def close_book(screen: Screen[None], instead_of: Widget) -> None:
    await screen.query("#rulebook").remove()
    instead_of.display = True
