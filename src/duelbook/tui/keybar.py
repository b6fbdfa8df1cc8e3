"""The keys that work now, at the foot of the screen; each can be clicked.

Textual's own footer makes a widget of every key and all of them anew whenever one changes, which can be felt on every
turn of a game. This one draws a line of text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from duelbook.tui import CONFIRMING, SMALLEST
from duelbook.tui.menu import wrapped

if TYPE_CHECKING:
    from duelbook.tui.base import BaseScreen

GAP = "  "
HELP = "question_mark"
"""The key that is there whatever is said: whoever is told that a key does nothing wants to know which do."""
WAYS_OUT = ("escape", "q")
MOST_ROWS = 3
_NEEDED = f"{SMALLEST[0]}x{SMALLEST[1]} at least"
TOO_SMALL = (f"The window is too small for the full screen: {_NEEDED}", f"The window is too small: {_NEEDED}", _NEEDED)


def is_too_small(screen: Screen[Any]) -> bool:
    width, height = screen.size
    return width < SMALLEST[0] or height < SMALLEST[1]


def too_small(width: int) -> Content:
    """What is said where not everything can be seen, as long as there is room for it."""
    return Content.styled(next((words for words in TOO_SMALL if len(words) <= width), TOO_SMALL[-1]), "bold $warning")


class TooSmall(Widget):
    """The last line of a screen that has no keys at its foot, while its window is too small."""

    DEFAULT_CSS = "TooSmall { dock: bottom; height: 1; padding: 0 1; background: $panel; }"

    def look(self) -> None:
        self.display = is_too_small(self.screen)

    def render(self) -> Content:
        return too_small(self.content_size.width)


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
        """Say something of the key that was pressed, in the room that the keys have if there is any way to."""
        if words != self.said:
            self.said = words
            self.refresh(layout=True)

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
        width = self.screen.size.width
        if is_too_small(self.screen):
            return too_small(self.content_size.width)
        pieces = {}
        typing = bool(self.said and getattr(self.screen, "typed", ""))
        for key, shown, words in self.keys():
            if typing and key in CONFIRMING:
                continue  # they end what is typed, and the line says what that does
            click = Style.from_meta({"@click": f"press({key!r})"})
            label = Content(f"{shown} {words}")
            pieces[key] = label.stylize(click).stylize("bold $accent", 0, len(shown))
        lines = lines_of([*pieces.values()], width - 2)
        return Content("\n").join(self._answered(pieces, width - 2, max(1, len(lines))) if self.said else lines)

    def _answered(self, pieces: dict[str, Content], width: int, most: int) -> list[Content]:
        """What is said, the help, and as many of the other keys as there is room for in so many lines, the way out
        first. What is too long for them gives up its last sentences; what is too long even so takes a line more."""
        help = [piece for key, piece in pieces.items() if key == HELP]
        others = [pieces[key] for key in sorted(pieces, key=lambda key: key not in WAYS_OUT) if key != HELP]
        sentences = re.split(r"(?<=[.?!]) ", self.said)
        ways = [" ".join(sentences[:count]) for count in range(len(sentences), 0, -1)]
        said = [wrapped(words, width, "bold $warning") for words in ways]
        needed = [len(lines_of([*lines, *help], width)) for lines in said]
        way = next((way for way, rows in zip(said, needed, strict=True) if rows <= most), said[-1])
        return lines_of([*way, *help, *others], width)[: max(most, min(MOST_ROWS, min(needed)))]

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
