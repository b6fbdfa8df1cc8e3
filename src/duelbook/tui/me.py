"""How you have done so far, on the full screen: all duels together or one after the other."""

from __future__ import annotations

from datetime import date

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from duelbook.core import DuelError
from duelbook.games import load_all
from duelbook.me.account import account
from duelbook.me.forgetting import WHAT_STAYS, forget, what_goes
from duelbook.me.memory import Memory, recall
from duelbook.me.telling import lines
from duelbook.puzzles.memory import load
from duelbook.puzzles.streak import Progress
from duelbook.tui.background import in_background, keep_busy
from duelbook.tui.keybar import KeyBar
from duelbook.tui.naming import Name, Named
from duelbook.tui.story import styled

MARGIN = 4
"""Columns to the left and right of the page, with its scroll bar."""
LOOKING = "Looking through your games ..."
HELP = (
    "Wins and losses against programs, games that nobody won, and the loss: points of win probability that each of "
    "your decisions gave away, if both sides played perfectly from there on. The review of a game also has what was "
    "thrown away against the opponent you met.",
    "",
    "← →  One duel after the other, or all together.",
    "↑ ↓  Scroll; Page Up and Page Down too.",
    "F    Forget it and begin anew. Your games stay, to be looked at.",
    "",
    "Games count that you finished against a program, from the start of the book. What is not counted is told below.",
)


def today() -> date:
    return date.today()


class Me(Named[None]):
    BINDINGS = [
        Binding("right", "duel(1)", "Duel", key_display="←→"),
        Binding("left", "duel(-1)", "Duel before", show=False),
        Binding("down", "scroll(1)", "Scroll", key_display="↑↓"),
        Binding("up", "scroll(-1)", "Scroll back", show=False),
        Binding("pagedown", "turn_page('#my-record', 1)", show=False),
        Binding("pageup", "turn_page('#my-record', -1)", show=False),
        Binding("f", "forget", "Forget"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q,escape", "dismiss", "Back", key_display="Esc"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.duels = [None, *load_all()]
        self.at = 0
        """Which of them is shown; the first stands for all."""
        self.memory: Memory | None = None
        """What the games say; None while they are being read."""
        self.progress: Progress = {}

    def compose(self) -> ComposeResult:
        yield Static(id="heading")
        with VerticalScroll(id="my-record", classes="page", can_focus=False):
            yield Static(LOOKING, id="my-lines")
        yield KeyBar()

    def on_mount(self) -> None:
        self._show()
        keep_busy(self, "record", self._look)

    async def _look(self) -> None:
        self.memory = await in_background(recall)
        self.progress, complaint = load()
        for sentence in filter(None, (self.memory.complaint, complaint)):
            self.duelbook.complain(sentence)
        self._show()

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        duel = self.duels[self.at]
        whose = "all duels" if duel is None else duel.name
        self.write("heading", Content.assemble(("Your record", "bold $accent"), f"  {whose}"))
        if self.memory is not None:
            record = account(self.memory, self.progress, today(), None if duel is None else duel.id)
            of = "" if duel is None else duel.name
            told = lines(record, width=self.size.width - MARGIN, commands=False, of=of)
            self.write("my-lines", Content("\n").join(styled(line) for line in told))

    def names(self) -> dict[str, Name]:
        known = {"forget": Name("forget", "forget it and begin anew"), "help": Name("help", "what is counted")}
        known |= dict.fromkeys(("back", "leave", "quit", "exit"), Name("dismiss", "back to where you came from"))
        for at, duel in enumerate(self.duels):
            called = ("all", "all duels") if duel is None else (duel.id.lower(), duel.name.lower())
            known |= dict.fromkeys(called, Name(f"show({at})", "all duels" if duel is None else duel.name))
        return known

    def action_show(self, at: int) -> None:
        self.action_duel(at - self.at)

    def action_duel(self, by: int) -> None:
        self.at = (self.at + by) % len(self.duels)
        self._show()
        self.query_one("#my-record").scroll_home(animate=False)

    def action_scroll(self, by: int) -> None:
        self.query_one("#my-record").scroll_relative(y=by, animate=False)

    def action_forget(self) -> None:
        from duelbook.tui.dialogs import Ask

        duel, memory = self.duels[self.at], self.memory
        if memory is None:
            return
        id = None if duel is None else duel.id
        question = what_goes(memory, id)
        if question is None:
            self.duelbook.say("There is nothing to forget.")
            return

        def answered(said: str | None) -> None:
            if said != "y":
                return
            try:
                self.duelbook.say(forget(memory, id))
            except DuelError as error:
                self.duelbook.complain(str(error))
            keep_busy(self, "record", self._look)

        self.app.push_screen(Ask(f"{question} {WHAT_STAYS}", [("y", "Forget"), ("n", "Keep it")], final=True), answered)

    def action_help(self) -> None:
        from duelbook.tui.dialogs import Page

        self.app.push_screen(Page("Your record", HELP))
