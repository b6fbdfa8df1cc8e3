"""What a player likes: every change holds at once and is remembered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from duelbook.core import SEATS, DuelError
from duelbook.table.invitation import LONGEST_NAME, checked_names
from duelbook.tui import naming
from duelbook.tui.keybar import KeyBar
from duelbook.tui.menu import WALKING, Dial, Item, Lines, key_cap
from duelbook.tui.naming import Named
from duelbook.tui.preferences import PACE_WORDS, THEMES
from duelbook.tui.typed import TypedLine

NAMES = (
    ("name", "N", "Your name", "the book's, Player 1 or the like"),
    ("guest", "G", "Guest's name", "a second person at this keyboard"),
)
THEME_WORDS = [(name, name) for name in THEMES]
LETTER_WORDS = [("auto", "as the terminal says"), ("unicode", "Unicode"), ("ascii", "plain ASCII")]
ON_OFF = [(True, "on"), (False, "off")]
DIALS = (
    ("theme", "T", "Colours", THEME_WORDS, "light on dark, dark on light, or as strong as a terminal can"),
    ("motion", "M", "Motion", ON_OFF, "bars that move, a moment of thought before a program moves"),
    ("coach", "C", "Coach", ON_OFF, "whether a new game begins with a coach who speaks up at every slip"),
    ("letters", "L", "Letters", LETTER_WORDS, "what the pictures are drawn with"),
    ("pace", "V", "Speed", PACE_WORDS, "how long a move takes in a game that you watch"),
)
HELP = (
    "Every change holds at once and is remembered.",
    "",
    "↑ ↓     walk from line to line",
    "← →     change a value; Enter or a click does so too",
    "Enter   behind a name: keep it; Esc puts back the one before",
    "Q, Esc  back",
    "",
    "A line can be called by its name, too, with Enter behind it: coach, coach on, colours, your name.",
)
"""Each preference with its key, its label, the words for its values and what it means."""


class Name(TypedLine):
    """A name to type. Leaving the line is enough to keep it; Enter leaves it for one where letters are keys again, and
    so does Esc, which first puts back what stood there."""

    BINDINGS = [
        Binding("enter", "submit", "Keep the name", key_display="Enter"),
        Binding("escape", "put_back", "Put it back", key_display="Esc"),
    ]
    before = ""
    """What stood there when the typing began."""

    async def action_submit(self) -> None:
        self.screen.focus_next(Dial)

    async def action_put_back(self) -> None:
        self.value = self.before
        self.screen.focus_next(Dial)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "put_back" or self.value != self.before

    def on_focus(self) -> None:
        self.before = self.value

    def on_blur(self) -> None:
        self.post_message(self.Submitted(self, self.value))

    def on_input_changed(self) -> None:
        self.refresh_bindings()

    def restricted(self) -> None:
        if isinstance(self.screen, Settings):
            self.screen.answer(f"{LONGEST_NAME} letters are the most.")


class NameRow(Horizontal):
    """A name with its key and its label, of which all leads to where it is typed."""

    def __init__(self, key: str, label: str, name: Name) -> None:
        said = Static(Content.assemble(key_cap(key), " ", (label, "bold")))
        super().__init__(said, name, classes="named")

    def on_click(self) -> None:
        self.query_one(Name).focus()


class Settings(Named[None]):
    BINDINGS = [
        *WALKING,
        *(Binding(key.lower(), f"type({id!r})", label, show=False) for id, key, label, _ in NAMES),
        *(Binding(key.lower(), f"turn_dial({id!r})", label, show=False) for id, key, label, _, _ in DIALS),
        Binding("enter", "turn_here", "Change", show=False),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q,escape", "back", "Back", key_display="Esc"),
    ]

    def compose(self) -> ComposeResult:
        liked = self.duelbook.preferences
        yield Static(Content.assemble(("Settings", "bold $accent"), "  remembered between runs"), id="heading")
        with Lines(classes="page settings"):
            for id, key, label, hint in NAMES:
                seen = "".join(letter for letter in getattr(liked, id) if letter.isprintable())
                name = Name(seen, placeholder=hint, max_length=LONGEST_NAME, select_on_focus=False, compact=True, id=id)
                yield NameRow(key, label, name)
            for id, key, label, words, about in DIALS:
                yield Dial(key, label, words, getattr(liked, id), about=about, id=id)
            yield Item("back", "Q", "Back")
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one("#theme").focus()

    def names(self) -> dict[str, naming.Name]:
        """Every line by its label, and with a value behind it: `coach`, `coach on`."""
        known = {label.lower(): naming.Name(f"type({id!r})", f"type {label.lower()}") for id, _, label, _ in NAMES}
        for id, _, label, values, about in DIALS:
            known[label.lower()] = naming.Name(f"turn_dial({id!r})", f"the next value: {about}")
            for value, words in values:
                called = f"{label} {words}".lower()
                known[called] = naming.Name(f"set_dial({id!r}, {value!r})", called)
                if values is not ON_OFF:  # what is printed names its line, too
                    known[words.lower()] = known[called]
        known |= {
            "name": known["your name"],
            "names": known["your name"],
            "guest": known["guest's name"],
            "help": naming.Name("help", "every key"),
        }
        back = naming.Name("back", "back to where you came from")
        return known | dict.fromkeys(("back", "leave", "quit", "exit"), back)

    def is_typing(self) -> bool:
        return super().is_typing() or isinstance(self.focused, Input)

    def before_a_key(self) -> Callable[[], Awaitable[None]]:
        dials = {dial: dial.value for dial in self.query(Dial)}
        typed, focused = {name: name.value for name in self.query(Name)}, self.focused

        async def set_back() -> None:
            for name, value in typed.items():
                name.value = value
            self.set_focus(focused)
            for dial, value in dials.items():
                if dial.value != value:
                    dial.offer(dial.options, value)
                    self._change(str(dial.id), value)  # at once: this screen may be about to close

        return set_back

    def action_set_dial(self, id: str, value: str | float | bool) -> None:
        dial: Dial[str | float | bool] = self.query_one(f"#{id}", Dial)
        dial.focus()
        dial.choose(value)

    def action_type(self, id: str) -> None:
        self.query_one(f"#{id}").focus()

    def action_turn_dial(self, id: str) -> None:
        dial = self.query_one(f"#{id}", Dial)
        dial.focus()
        dial.action_turn(1)

    def action_turn_here(self) -> None:
        if isinstance(self.focused, Dial):
            self.focused.action_turn(1)

    def on_dial_turned(self, event: Dial.Turned) -> None:
        self._change(str(event.dial.id), event.dial.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._rename(str(event.input.id), " ".join(event.value.split()))

    def _rename(self, which: str, name: str) -> None:
        """Take a name that a game would take; another one is put back, with the reason."""
        liked = self.duelbook.preferences
        before = getattr(liked, which)
        if name == before:
            return
        names = {"name": liked.name, "guest": liked.guest, which: name}
        try:
            checked_names(SEATS, names["name"] or None, names["guest"] or None)
        except DuelError as error:
            self.duelbook.complain(str(error))
            self.query_one(f"#{which}", Input).value = before
            return
        self._change(which, name)

    def _change(self, which: str, value: object) -> None:
        setattr(self.duelbook.preferences, which, value)
        self.duelbook.apply_preferences()
        self.duelbook.remember()

    def action_help(self) -> None:
        from duelbook.tui.dialogs import Page

        keys = [f"{key}       {label}" for _, key, label, *_ in (*NAMES, *DIALS)]
        self.app.push_screen(Page("Settings", [*HELP, "", *keys]))

    def action_back(self) -> None:
        for name in self.query(Name):
            self._rename(str(name.id), " ".join(name.value.split()))
        self.dismiss()
