"""What a player likes: every change holds at once and is remembered."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from duelbook.core import SEATS, DuelError
from duelbook.table.invitation import LONGEST_NAME, checked_names
from duelbook.tui.keybar import KeyBar
from duelbook.tui.menu import WALKING, Dial, Item, Lines, app_of, key_cap, remember
from duelbook.tui.one_answer import close
from duelbook.tui.preferences import LETTERS, PACES, THEMES
from duelbook.tui.typed import TypedLine

ON_OFF = [("on", "on"), ("off", "off")]
LETTER_WORDS = {"auto": "as the terminal says", "unicode": "Unicode", "ascii": "plain ASCII"}


class Name(TypedLine):
    """A name to type. Leaving the line is enough to keep it; Enter goes on to the next line, as in every form."""

    async def action_submit(self) -> None:
        self.screen.focus_next()

    def on_blur(self) -> None:
        self.post_message(self.Submitted(self, self.value))


class Settings(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        *WALKING,
        Binding("n", "type('name')", "Name", show=False),
        Binding("g", "type('guest')", "Guest", show=False),
        Binding("t", "turn_dial('theme')", "Colours", show=False),
        Binding("m", "turn_dial('motion')", "Motion", show=False),
        Binding("c", "turn_dial('coach')", "Coach", show=False),
        Binding("l", "turn_dial('letters')", "Letters", show=False),
        Binding("v", "turn_dial('pace')", "Speed", show=False),
        Binding("q,escape", "back", "Back", key_display="Esc"),
    ]

    def compose(self) -> ComposeResult:
        liked = app_of(self).preferences
        yield Static(Content.assemble(("Settings", "bold $accent"), "  remembered between runs"), id="heading")
        with Lines(classes="page settings"):
            yield from self._names()
            about = "light on dark, dark on light, or as strong as a terminal can"
            yield Dial("T", "Colours", [(name, name) for name in THEMES], liked.theme, about=about, id="theme")
            about = "bars that move, a moment of thought before a program moves"
            yield Dial("M", "Motion", ON_OFF, _on_off(liked.motion), about=about, id="motion")
            about = "whether a new game begins with a coach who speaks up at every slip"
            yield Dial("C", "Coach", ON_OFF, _on_off(liked.coach), about=about, id="coach")
            letters = [(name, LETTER_WORDS[name]) for name in LETTERS]
            about = "what the pictures are drawn with"
            yield Dial("L", "Letters", letters, liked.letters, about=about, id="letters")
            paces = [(str(pace), f"{pace:g} s") for pace in PACES]
            about = "how long a move takes in a game that you watch"
            yield Dial("V", "Speed", paces, str(liked.pace), about=about, id="pace")
            yield Item("back", "Q", "Back")
        yield KeyBar()

    def _names(self) -> ComposeResult:
        liked = app_of(self).preferences
        for id, key, label, name, hint in (
            ("name", "N", "Your name", liked.name, "the book's, Player 1 or the like"),
            ("guest", "G", "Guest's name", liked.guest, "a second person at this keyboard"),
        ):
            with Horizontal(classes="named"):
                yield Static(Content.assemble(key_cap(key), " ", (label, "bold")))
                seen = "".join(letter for letter in name if letter.isprintable())
                yield Name(seen, placeholder=hint, max_length=LONGEST_NAME, select_on_focus=False, compact=True, id=id)

    def on_mount(self) -> None:
        self.query_one("#theme").focus()

    def action_type(self, id: str) -> None:
        self.query_one(f"#{id}").focus()

    def action_turn_dial(self, id: str) -> None:
        dial = self.query_one(f"#{id}", Dial)
        dial.focus()
        dial.action_turn(1)

    def on_dial_turned(self, event: Dial.Turned) -> None:
        liked, dial = app_of(self).preferences, event.dial
        if dial.id == "pace":
            liked.pace = float(dial.value)
        elif dial.id in ("theme", "letters"):
            setattr(liked, dial.id, dial.value)
        elif dial.id is not None:
            setattr(liked, dial.id, dial.value == "on")
        self._keep()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.input.id is not None:
            self._rename(event.input.id, " ".join(event.value.split()))

    def _rename(self, which: str, name: str) -> None:
        """Take a name that a game would take; another one is put back, with the reason."""
        liked = app_of(self).preferences
        before = getattr(liked, which)
        if name == before:
            return
        names = {"name": liked.name, "guest": liked.guest, which: name}
        try:
            checked_names(SEATS, names["name"] or None, names["guest"] or None)
        except DuelError as error:
            app_of(self).complain(str(error))
            self.query_one(f"#{which}", Input).value = before
            return
        setattr(liked, which, name)
        self._keep()

    def _keep(self) -> None:
        app_of(self).apply_preferences()
        remember(self)

    async def on_item_pressed(self, event: Item.Pressed) -> None:
        await self.run_action(event.item.does)

    def action_back(self) -> None:
        for name in self.query(Name):
            self._rename(str(name.id), " ".join(name.value.split()))
        close(self)


def _on_off(value: bool) -> str:
    return "on" if value else "off"
