"""The story of the game, in the book's words."""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from duelbook.speech import Line, plain_lines
from duelbook.tui.themes import TONES


def styled(line: Line) -> Content:
    return Content.styled(plain_lines(line.text), TONES.get(line.tone, ""))


class Story(VerticalScroll, can_focus=False):
    """Scrolls as the game goes on, and can be scrolled back with the wheel or Page Up."""

    # Textual brings the end of a page to the foot of its window, also that of a page which is shorter than it.
    DEFAULT_CSS = "Story > Static { min-height: 100%; }"

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.told: list[Line] = []
        self._page = Static()

    def compose(self) -> ComposeResult:
        yield self._page

    def tell(self, lines: Iterable[Line]) -> None:
        for line in lines:
            if line.tone == "extra":  # such a line is there for its bar, and the board draws that
                continue
            if line.text or (self.told and self.told[-1].text):  # one empty line is enough, and none at the top
                self.told.append(line)
        self._page.update(Content("\n").join(styled(line) for line in self.told))
        self.show_end()

    def on_resize(self) -> None:
        self.show_end()

    def show_end(self) -> None:
        """Now and whenever what was told has found its place, however late that is, until somebody scrolls back."""
        self.anchor()
