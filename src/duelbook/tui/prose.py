"""Lines to read, broken between words however wide the window is."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from duelbook.speech import Line, plain_lines
from duelbook.tui.themes import TONES
from duelbook.window import FIRM, hanging, joined


def broken(text: str, width: int) -> list[str]:
    """The line in pieces of this width. They hang under its words, not under the key or the move before these."""
    hang = " " * hanging(text, width)
    head, words = text[: len(hang)], text[len(hang) :]
    pieces = wrap(joined(words), width, initial_indent=head, subsequent_indent=hang)
    return [piece.replace(FIRM, " ") for piece in pieces] or [""]


class Prose(Widget):
    DEFAULT_CSS = "Prose { height: auto; width: 1fr; }"

    def __init__(self, lines: Sequence[Line]) -> None:
        super().__init__()
        self.lines = lines

    def _drawn(self, width: int) -> list[Content]:
        return [
            Content.styled(piece, TONES.get(line.tone, ""))
            for line in self.lines
            for row in plain_lines(line.text).split("\n")
            for piece in broken(row, max(20, width))
        ]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._drawn(width))

    def render(self) -> Content:
        return Content("\n").join(self._drawn(self.content_size.width))
