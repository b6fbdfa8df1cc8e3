"""The line at the top of a screen. Where the window is too narrow for all of it, it says less, but that whole."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


class Heading(Static):
    def __init__(self) -> None:
        super().__init__(id="heading")
        self.ways: tuple[Content, ...] = ()

    def say(self, *ways: Content) -> None:
        """Show the first of these that there is room for, and if for none, the last."""
        self.ways = ways
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        if self.ways:
            room = self.content_size.width
            fitting = [way for way in self.ways if way.cell_length <= room or not room]
            self.update(fitting[0] if fitting else self.ways[-1].truncate(room, ellipsis=True))
