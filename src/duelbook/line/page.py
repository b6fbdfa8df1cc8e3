"""Longer texts, such as a rule book: rendered where a terminal can show it, as it is elsewhere."""

from __future__ import annotations

import re

from duelbook.core import Game
from duelbook.games import rulebook
from duelbook.letters import cells, encoding_of, showable
from duelbook.line.console import Console

WIDEST = 100
FENCE = "`" * 3


def show_rulebook(game: Game, console: Console, *, page_by_page: bool = False) -> None:
    """The rule book; on a terminal rendered and, if asked for, page by page when it is longer than the window."""
    text = rulebook(game)
    if not console.fancy:
        _say_as_it_is(text.rstrip(), console)
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


def _say_as_it_is(text: str, console: Console) -> None:
    """As it was written; in a window that is narrower than that, paragraphs are filled anew and commands stay whole."""
    if not console.is_window or max(map(cells, text.split("\n"))) < console.width:
        console.say(text)
        return
    text, before = filled(text), console.whole
    console.whole = (*before, *(span for span in re.findall(r"`[^`\n]*`", text) if " " in span))
    console.say(*text.split("\n"))
    console.whole = before


def filled(text: str) -> str:
    """Every paragraph and every point of a list in one line; what is shown letter by letter stays as it is."""
    lines: list[str] = []
    may_go_on = fenced = False
    for line in text.split("\n"):
        fence = line.lstrip().startswith(FENCE)
        if may_go_on and not fence and line.strip() and not re.match(r" *(#|[-*] |\d+\. |\|)", line):
            lines[-1] += f" {line.strip()}"
            continue
        lines.append(line)
        fenced = fenced != fence
        may_go_on = bool(line.strip()) and not fenced and not fence and not line.startswith(("#", "|"))
    return "\n".join(lines)
