"""The rules of a duel as things to turn: every number and every reading of the book, each with its meaning."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.message import Message

from duelbook.core import DuelError, Game, Knob, settings, variant
from duelbook.speech import either
from duelbook.tui.heading import Heading
from duelbook.tui.keybar import KeyBar
from duelbook.tui.menu import LESS, MORE, QUIET, WALKING, Item, Lines, Row, wrapped
from duelbook.tui.naming import Name, Named
from duelbook.tui.preview import TALL_BREAKPOINTS

NAME, VALUE, BOOK = 15, 14, 16
"""How broad the columns are."""
CHANGED = "●"
HELP = (
    "Every number of the rule book, and every place where it can be read in two ways.",
    "",
    "↑ ↓     walk from rule to rule",
    "← →     change the value; Enter lets you type it",
    "B       everything as the book has it",
    "Q, Esc  done: the game is played by what is shown",
    "",
    f"{CHANGED} stands before what differs from the book. Hints, levels and perfect play follow what is chosen.",
)
Value = int | tuple[int, ...]


class KnobRow(Row):
    """One rule. Left and right turn it, Enter lets one type its value, an arrow can be clicked."""

    BINDINGS = [
        Binding("right", "turn(1)", "Change", key_display="←→"),
        Binding("left", "turn(-1)", "Change back", show=False),
        Binding("enter,space", "type", "Type a value", key_display="Enter"),
    ]

    @dataclass
    class Wanted(Message):
        """Somebody wants this rule to have another value."""

        rule: str
        text: str

    def __init__(self, rule: str, knob: Knob, usual: Value, value: Value) -> None:
        super().__init__(classes="knob")
        self.rule, self.knob, self.usual, self.value = rule, knob, usual, value

    def lines(self, width: int) -> list[Content]:
        """The value, what the book says, and what else it could be; a mark where the two differ; the meaning."""
        left, right = ("  ", "  ") if isinstance(self.value, tuple) else (f"{LESS} ", f" {MORE}")
        changed = self.value != self.usual
        value = Content.assemble(left, (self.knob.show(self.value), "bold $accent" if changed else "bold"), right)
        head = Content.assemble(
            (f"{CHANGED if changed else ' '} ", "bold $warning"),
            (f"{self.rule:{NAME}}", "bold"),
            value.pad_right(max(1, VALUE - value.cell_length)),
            f"book: {self.knob.show(self.usual)}".ljust(BOOK),
        )
        allowed, meaning = self.knob.allowed(self.usual).replace("|", ", "), self.knob.meaning
        if head.cell_length + 1 + len(allowed) <= width:
            head = Content.assemble(head, (f" {allowed}", QUIET))
        else:
            meaning = f"{meaning} ({allowed})"
        return [head, *wrapped(meaning, width - 4, QUIET, before="    ")]

    def action_turn(self, by: int) -> None:
        if isinstance(self.value, tuple):
            self.action_type()
        elif self.knob.choices:
            self._want(self.knob.choices[(self.value + by) % len(self.knob.choices)])
        elif self.knob.low <= self.value + by <= self.knob.high:
            self._want(str(self.value + by))

    def action_type(self) -> None:
        from duelbook.tui.dialogs import AskForText

        if self.knob.choices:
            self.action_turn(1)
            return
        example = ", as in 1,2,4" if isinstance(self.usual, tuple) else ""
        question = f"{self.rule}: {self.knob.meaning}.\nIt takes {self.knob.allowed(self.usual)}{example}."
        self.app.push_screen(AskForText(question, self.knob.show(self.value), replaced=True), self._want)

    def _want(self, text: str | None) -> None:
        if text is not None:
            self.post_message(self.Wanted(self.rule, text))

    async def clicked(self, event: events.Click) -> None:
        """An arrow turns the value; everything beside the arrows is for typing it."""
        at = event.get_content_offset(self)
        start = NAME + 2
        end = start + len(self.knob.show(self.value)) + 2
        if at is None or at.y > 0:
            return
        if start <= at.x < start + 2:
            self.action_turn(-1)
        elif end <= at.x < end + 2:
            self.action_turn(1)
        elif start < at.x < end:
            self.action_type()


class Options(Named[list[str]]):
    """Comes back with what differs from the book."""

    VERTICAL_BREAKPOINTS = TALL_BREAKPOINTS
    BINDINGS = [
        *WALKING,
        Binding("b", "book", "Back to the book", show=False),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q,escape", "done", "Done", key_display="Esc"),
    ]

    def __init__(self, game: Game, chosen: Sequence[str] = ()) -> None:
        super().__init__()
        self.game = game
        self.rules = variant(game, chosen)

    def compose(self) -> ComposeResult:
        yield Heading()
        with Lines(classes="page"):
            for rule, knob in self.game.knobs.items():
                yield KnobRow(rule, knob, getattr(self.game.book, rule), getattr(self.rules, rule))
            yield Item("book", "B", "Back to the book", classes="gap")
            yield Item("done", "Q", "Done")
        yield KeyBar()

    def names(self) -> dict[str, Name]:
        book, done = Name("book", "everything as the book has it"), Name("done", "done")
        known = {rule: Name(f"rule({rule!r})", knob.meaning) for rule, knob in self.game.knobs.items()}
        values = [value for knob in self.game.knobs.values() for value in knob.choices]
        for rule, knob in self.game.knobs.items():
            if knob.choices:
                named = {value: Name(f"want({rule!r}, {value!r})", f"{rule} is {value}") for value in knob.choices}
                known |= {f"{rule} {value}": name for value, name in named.items()}
                known |= {value: name for value, name in named.items() if values.count(value) == 1}
        known |= {rule.replace("_", " "): name for rule, name in known.items()}
        known |= dict.fromkeys(("back to the book", "book"), book) | dict.fromkeys(
            ("done", "back", "leave", "quit", "exit"), done
        )
        return known | {"help": Name("help", "every key")}

    def before_a_key(self) -> Callable[[], Awaitable[None]]:
        rules = self.rules

        async def set_back() -> None:
            if self.rules != rules:
                self.rules = rules
                self._show_changes()

        return set_back

    def action_rule(self, rule: str) -> None:
        """Go to a rule and let its value be typed."""
        row = next(row for row in self.query(KnobRow) if row.rule == rule)
        row.focus()
        if row.knob.choices:  # its name says nothing of which
            self.show_typed(f"{rule} is {either(row.knob.choices)}: type one, or ← and → turn it.")
        else:
            row.action_type()

    def _spelled(self, typed: str) -> tuple[str, str]:
        """A rule and the number behind it: `hp 6`; nothing where a line is no such thing."""
        rule, _, value = " ".join(typed.lower().split()).rpartition(" ")
        rule = rule.replace(" ", "_")
        return (rule, value) if rule in self.game.knobs and value[:1].isdigit() else ("", "")

    def _meaning(self, typed: str) -> str:
        rule, value = self._spelled(typed)
        return f"Enter: {rule} is {value}" if rule else super()._meaning(typed)

    async def _obey(self, typed: str) -> None:
        rule, value = self._spelled(typed)
        if rule:
            self.show_typed("")
            self.action_want(rule, value)
        else:
            await super()._obey(typed)

    def action_want(self, rule: str, value: str) -> None:
        row = next(row for row in self.query(KnobRow) if row.rule == rule)
        row.focus()
        self._give(rule, value)

    def on_mount(self) -> None:
        self._show_changes()
        self.query("KnobRow, Item").first().focus()

    def _show_changes(self) -> None:
        changed = settings(self.game, self.rules)
        words = ", ".join(changed) if changed else "everything by the book"
        about = Content.assemble((self.game.name, "bold"), f"  {words}")
        heads = [(head, "bold $accent") for head in ("Rules and options", "Options")]
        self.query_one(Heading).say(*(Content.assemble(head, "  ", about) for head in heads), about)
        for row in self.query(KnobRow):
            row.value = getattr(self.rules, row.rule)
            row.draw()

    def on_knob_row_wanted(self, event: KnobRow.Wanted) -> None:
        self._give(event.rule, event.text)

    def _give(self, rule: str, value: str) -> None:
        """Give a rule this value; what it cannot take is refused in the words that the command has for it."""
        try:
            self.rules = variant(self.game, [*settings(self.game, self.rules), f"{rule}={value}"])
        except DuelError as error:
            self.duelbook.complain(str(error))
            if not self.game.knobs[rule].choices:
                self.action_rule(rule)  # whoever typed it goes on typing
            return
        self._show_changes()

    def action_help(self) -> None:
        from duelbook.tui.dialogs import Page

        self.app.push_screen(Page(f"Rules and options: {self.game.name}", HELP))

    def action_book(self) -> None:
        self.rules = self.game.book
        self._show_changes()

    def action_done(self) -> None:
        self.dismiss(settings(self.game, self.rules))
