"""Lines that can be walked to, clicked, or reached by their key: what every screen around a game is made of."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from textual import events
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from duelbook.window import FIRM, joined

V = TypeVar("V")
CHOSEN, OTHER = "●", "○"
LESS, MORE = "◂", "▸"
QUIET = "$foreground 70%"
"""What is said beside something. It keeps its contrast in every theme."""
WALKING: list[BindingType] = [
    Binding("down", "app.focus_next", "Walk", key_display="↑↓"),
    Binding("up", "app.focus_previous", "Walk back", show=False),
]
"""For screens whose lines stand one under the other."""


def key_cap(key: str) -> Content:
    return Content.styled(f" {key} ", "bold $foreground on $primary-muted")


def wrapped(words: str, width: int, style: str = "", most: int | None = None, before: str = "") -> list[Content]:
    """The words broken into lines, each with the same before it; where there would be more than `most`, the last one
    shows that something is missing."""
    lines = textwrap.wrap(joined(words), max(8, width), max_lines=most, placeholder=" …")
    return [Content.assemble(before, (line.replace(FIRM, " "), style)) for line in lines]


class Lines(VerticalScroll, can_focus=False, inherit_bindings=False):
    """A list of lines that scrolls with the focus: the arrow keys walk through it."""


class Walkable(Widget, can_focus=True):
    """Something that can be walked to. A click comes here when the button is let go, not when it is pressed: what has
    the focus may be longer, and have other keys at the foot, and nothing may move under the mouse in between."""

    FOCUS_ON_CLICK = False

    async def on_click(self, event: events.Click) -> None:
        self.screen.set_focus(self, scroll_visible=False)
        await self.clicked(event)

    async def clicked(self, event: events.Click) -> None:
        """What a click does besides."""


class Row(Walkable):
    """A line, or a few. It draws itself whole: many small widgets would be slow to open."""

    def lines(self, width: int) -> list[Content]:
        raise NotImplementedError

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.lines(width))

    def render(self) -> Content:
        return Content("\n").join(self.lines(self.content_size.width))

    def draw(self) -> None:
        """Show that something has changed."""
        self.refresh(layout=True)


class Choosable(Walkable):
    """Something that Enter or a click chooses: its screen then runs the action that it names, as its key would."""

    BINDINGS = [Binding("enter,space", "choose", "Choose", key_display="Enter")]
    does = ""

    async def action_choose(self) -> None:
        await self.screen.run_action(self.does)

    async def clicked(self, event: events.Click) -> None:
        await self.action_choose()


class Item(Choosable, Row):
    """Something that can be done."""

    def __init__(self, does: str, key: str, label: str | Content, *, id: str | None = None, classes: str = "") -> None:
        super().__init__(id=id, classes=f"item {classes}")
        self.does, self.key, self.label, self.about = does, key, label, ""

    def lines(self, width: int) -> list[Content]:
        label = Content.styled(self.label, "bold") if isinstance(self.label, str) else self.label
        about = wrapped(self.about, width - 4, QUIET if self.can_focus else "", before="    ")
        return [Content.assemble(key_cap(self.key), " ", label), *about]

    def tell(self, about: str, *, possible: bool = True) -> None:
        """Say something else under the label. What is not possible is passed by, and its reason says why."""
        self.about = about
        self.can_focus = possible
        self.set_class(not possible, "refused")
        self.draw()


class Dial(Row, Generic[V]):
    """A few values of which one holds. Left and right, Space, its key and a click on a value turn it."""

    BINDINGS = [
        Binding("right,space", "turn(1)", "Change", key_display="←→"),
        Binding("left", "turn(-1)", "Change back", show=False),
    ]

    @dataclass
    class Turned(Message):
        dial: Dial[Any]  # whoever hears it has dials of several kinds

    def __init__(
        self,
        key: str,
        label: str,
        options: Sequence[tuple[V, str]],
        value: V,
        *,
        about: str = "",
        narrow: bool = False,
        id: str | None = None,
    ) -> None:
        """`options` are pairs of a value and its words. A narrow dial shows the one that holds, between two arrows,
        and so does every dial whose values have no room side by side."""
        super().__init__(id=id, classes="dial")
        self.key, self.label, self.about = key, label, about
        self.options, self.value = list(options), value
        self.narrow = narrow

    def offer(self, options: Sequence[tuple[V, str]], value: V) -> None:
        self.options, self.value = list(options), value
        self.draw()

    def action_turn(self, by: int) -> None:
        self.choose(self._beside(by))

    def _beside(self, by: int) -> V:
        values = [value for value, _ in self.options]
        at = values.index(self.value) if self.value in values else 0
        return values[(at + by) % len(values)]

    def choose(self, value: V) -> None:
        if value != self.value:
            self.value = value
            self.draw()
            self.post_message(self.Turned(self))

    async def clicked(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None or at.y > 0:
            return
        start = self._label().cell_length
        for value, piece in self._pieces(self.content_size.width):
            if start <= at.x < start + piece.cell_length:
                self.choose(value)
                return
            start += piece.cell_length
        self.action_turn(1)

    def lines(self, width: int) -> list[Content]:
        head = Content.assemble(self._label(), *(piece for _, piece in self._pieces(width))).rstrip()
        return [head, *wrapped(self.about, width - 4, QUIET, before="    ")]

    def _label(self) -> Content:
        return Content.assemble(key_cap(self.key), " ", (f"{self.label:14} ", "bold"))

    def _pieces(self, width: int) -> list[tuple[V, Content]]:
        """What stands beside the label, each piece with the value that a click on it chooses."""
        pieces = []
        for value, words in self.options:
            mark, style = (CHOSEN, "bold $accent") if value == self.value else (OTHER, "")
            pieces.append((value, Content.styled(f"{mark} {words}   ", style)))
        needed = self._label().cell_length + sum(piece.cell_length for _, piece in pieces) - 3
        if not self.narrow and needed <= width:
            return pieces
        after = self._beside(1)
        room = max(1, width - self._label().cell_length - len(f"{LESS}  {MORE}"))  # both arrows are there to be clicked
        middle = Content.styled(dict(self.options)[self.value], "bold $accent").truncate(room, ellipsis=True)
        return [(self._beside(-1), Content(f"{LESS} ")), (after, middle), (after, Content(f" {MORE}"))]
