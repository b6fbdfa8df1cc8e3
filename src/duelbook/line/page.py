"""Longer texts, such as a rule book: rendered where a terminal can show it, as it is elsewhere."""

from __future__ import annotations

from duelbook.core import Game
from duelbook.games import rulebook
from duelbook.line.console import Console


def show_rulebook(game: Game, console: Console) -> None:
    text = rulebook(game)
    if not console.fancy:
        console.say(text.rstrip())
        return
    from rich.console import Console as RichConsole
    from rich.markdown import Markdown

    rich = RichConsole(file=console.sink, color_system="standard" if console.coloured else None)
    rich.print(Markdown(text), width=min(100, rich.width))
