"""Both picks, shown together once neither can be changed any more."""

from __future__ import annotations

from math import inf

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Digits, Static

from duelbook.speech import Line
from duelbook.tui.base import BaseScreen
from duelbook.tui.leftover import SLOWEST
from duelbook.tui.story import styled
from duelbook.tui.themes import SEATS

SUSPENSE = 0.5
"""Seconds between the dots before a reveal."""


class Reveal(ModalScreen[None], BaseScreen[None]):
    """Both picks, shown together after a moment of suspense."""

    heeds_held_keys = False
    BINDINGS = [Binding("enter,space,escape,question_mark", "go_on", "Go on", show=False)]

    def __init__(self, names: tuple[str, str], picks: tuple[str, str], lines: list[Line], *, suspense: bool) -> None:
        super().__init__()
        self.names, self.picks = names, picks
        self.numbers = all(pick.isdigit() for pick in picks)
        """Numbers are drawn large; a word is as large as other words."""
        self.lines = [line for line in lines if line.text and line.tone != "extra"]
        self.waiting = 3 if suspense else 0
        self.open = False
        self._lettered = -inf
        """When a letter was pressed last, if nothing else has been since."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog", id="reveal"):
            yield Static(id="reveal-title")
            with Horizontal(id="reveal-picks"):
                for seat in (0, 1):
                    with Vertical():
                        yield Static(Content.styled(self.names[seat], f"bold {SEATS[seat]}"))
                        yield Digits("", id=f"pick-{seat}") if self.numbers else Static("", id=f"pick-{seat}")
            with VerticalScroll(id="reveal-story", can_focus=False):
                yield Static(id="reveal-text")
            yield Static(id="reveal-keys")

    def on_mount(self) -> None:
        self._count()

    def _count(self) -> None:
        if not self.waiting:
            self._show()
        elif not self.open:
            self.write("reveal-title", Content("Both picks are in " + ". " * (4 - self.waiting)))
            self.waiting -= 1
            self.set_timer(SUSPENSE, self._count)

    def _show(self) -> None:
        self.open = True
        self.write("reveal-title", Content("Both picks are in:"))
        for seat in (0, 1):
            if self.numbers:
                self.query_one(f"#pick-{seat}", Digits).update(self.picks[seat])
            else:
                self.write(f"pick-{seat}", Content.styled(self.picks[seat], f"bold {SEATS[seat]}"))
        self.write("reveal-text", Content("\n").join(styled(line) for line in self.lines))
        self.write("reveal-keys", Content.styled("Enter: go on", "$text-muted"))

    def on_key(self, event: events.Key) -> None:
        """The Space in the middle of a sentence, such as `go on`, does not go on."""
        in_words = event.time - self._lettered < SLOWEST * self.duelbook.left_over.held
        if event.key == "space" and in_words:
            event.stop()
            event.prevent_default()
        elif event.is_printable and (event.character or "").isalnum():
            self._lettered = event.time
        else:
            self._lettered = -inf

    def what_works(self) -> str:
        return "Enter goes on."

    def action_go_on(self) -> None:
        if self.open:
            self.dismiss()
        else:
            self._show()

    on_click = action_go_on
