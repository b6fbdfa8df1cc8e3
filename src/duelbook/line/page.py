"""Longer texts, such as a rule book: rendered where a terminal can show it, as it is elsewhere."""

from __future__ import annotations

from duelbook.core import Game
from duelbook.games import rulebook
from duelbook.letters import encoding_of, showable
from duelbook.line.console import Console

WIDEST = 100


def show_rulebook(game: Game, console: Console, *, page_by_page: bool = False) -> None:
    """The rule book; on a terminal rendered and, if asked for, page by page when it is longer than the window."""
    text = rulebook(game)
    if not console.fancy:
        console.say(text.rstrip())
        return
    from rich.console import Console as RichConsole
    from rich.markdown import Markdown

    class Book(RichConsole):
        encoding = encoding_of(console.sink)  # so that lines and boxes are drawn with letters that can be shown

    rich = Book(file=console.sink, color_system="standard" if console.coloured else None)
    with rich.capture() as rendered:
        rich.print(Markdown(text), width=min(WIDEST, rich.width))
    if page_by_page and console.typing and rendered.get().count("\n") >= rich.height:
        import click

        click.echo_via_pager(showable(rendered.get(), console.sink), color=console.coloured)
    else:
        console.write(rendered.get())
        console.sink.flush()
