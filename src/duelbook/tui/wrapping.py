"""Where lines end on the full screen: between words, but not between a figure and its sign.

Textual ends lines at every space, those that must not be broken as well. It asks one function where; it is told the
same text with a letter in place of such a space, which is as long and leaves everything else where it was.
"""

from __future__ import annotations

from rich._wrap import divide_line
from textual import content

from duelbook.window import joined


def between_words(text: str, width: int, fold: bool = True) -> list[int]:
    """Where each line after the first begins."""
    return divide_line(joined(text, "_"), width, fold)


def keep_together() -> None:
    """From now on every text on the screen is broken so."""
    content.divide_line = between_words  # type: ignore[attr-defined]  # a name that Textual imports, not one it offers
