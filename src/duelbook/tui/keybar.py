"""The keys that work now, at the foot of the screen; each can be clicked.

Textual's own footer makes a widget of every key and all of them anew whenever one changes, which can be felt on every
turn of a game. This one draws a line of text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from duelbook.tui import SMALLEST

if TYPE_CHECKING:
    from duelbook.tui.base import BaseScreen

GAP = "  "
_NEEDED = f"{SMALLEST[0]}x{SMALLEST[1]} at least"
TOO_SMALL = (f"The window is too small for the full screen: {_NEEDED}", f"The window is too small: {_NEEDED}", _NEEDED)
"""What is said in place of the keys where not everything can be seen, as long as there is room for it."""


class KeyBar(Widget):
    DEFAULT_CSS = """
    KeyBar {
        dock: bottom;
        height: auto;
        max-height: 3;
        padding: 0 1;
        background: $panel;
        link-color: $foreground;
        link-style: none;
        link-background: $panel;
        link-color-hover: $background;
        link-background-hover: $accent;
        link-style-hover: none;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.said = ""
        """What is said before the keys, until the next key is pressed."""

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def on_unmount(self) -> None:
        self.screen.bindings_updated_signal.unsubscribe(self)

    def _changed(self, screen: Screen[object]) -> None:
        if self.is_attached and screen is self.app.screen:
            self.refresh(layout=True)

    def answer(self, words: str) -> None:
        """Say something of the key that was pressed, in the room that the keys have: nothing else moves for it."""
        if words != self.said:
            self.said = words
            self.refresh()

    def keys(self) -> list[tuple[str, str, str]]:
        """Every key on show: what to press, how it is written, what it does. An action's first key stands for it."""
        found: dict[str, tuple[str, str, str]] = {}
        screen = cast("BaseScreen[object]", self.screen)
        for active in screen.active_bindings.values():
            binding = active.binding
            if binding.show and active.enabled and binding.action not in found and not screen.writes(binding.key):
                found[binding.action] = (binding.key, self.app.get_key_display(binding), binding.description)
        return list(found.values())

    def render(self) -> Content:
        width, height = self.screen.size
        if width < SMALLEST[0] or height < SMALLEST[1]:
            words = next((words for words in TOO_SMALL if len(words) <= self.content_size.width), TOO_SMALL[-1])
            return Content.styled(words, "bold $warning")
        pieces = []
        for key, shown, words in self.keys():
            click = Style.from_meta({"@click": f"press({key!r})"})
            label = Content(f"{shown} {words}")
            pieces.append(label.stylize(click).stylize("bold $accent", 0, len(shown)))
        lines = lines_of(pieces, width - 2)
        if not self.said:
            return Content("\n").join(lines)
        answered = lines_of([Content.styled(self.said, "bold $warning"), *pieces], width - 2)
        return Content("\n").join(answered[: max(1, len(lines))])

    async def action_press(self, key: str) -> None:
        """Do what the key would do; pressed, it could be a letter of what is being typed."""
        active = self.screen.active_bindings.get(key)
        if active is not None:
            await self.app.run_action(active.binding.action, active.node)


def between_keys(pieces: Sequence[Content], width: int) -> Content:
    """The pieces in as many lines as they need."""
    return Content("\n").join(lines_of(pieces, width))


def lines_of(pieces: Sequence[Content], width: int) -> list[Content]:
    """A line ends between two of them, never between a key and its word."""
    lines: list[Content] = []
    for piece in pieces:
        if lines and lines[-1].cell_length + len(GAP) + piece.cell_length <= width:
            lines[-1] = Content.assemble(lines[-1], GAP, piece)
        else:
            lines.append(piece)
    return lines
