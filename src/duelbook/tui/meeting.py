"""A server, on the full screen: who waits there, and a game of one's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.widgets import Static

from duelbook.core import DuelError
from duelbook.games import load, load_all
from duelbook.players import HUMAN
from duelbook.serve.arriving import Challenge, Waiting, challenge, sit_down, who_waits
from duelbook.serve.connection import Place
from duelbook.serve.wire import Wire
from duelbook.table.invitation import has_first_player
from duelbook.tui.background import in_background, keep_busy, patiently
from duelbook.tui.base import BaseScreen
from duelbook.tui.dialogs import Page
from duelbook.tui.keybar import KeyBar
from duelbook.tui.menu import QUIET, WALKING, Dial, Item, Lines
from duelbook.tui.opening import open_wire
from duelbook.tui.people import opponents

MOST_SHOWN = 9
OPEN = "open"
PACES = ((0, "any"), (60, "a minute"), (300, "5 minutes"), (86_400, "a day"), (259_200, "3 days"))
HELP = (
    "Whoever waits is at the top: a number, Enter or a click sits down across from them. R looks again.",
    "",
    "Below is a game of your own. D the duel, A against whom, F who starts, T the time for a decision; S sits down.",
    "A friend gets a link that works once. Programs on the server play at once.",
)


class Meeting(BaseScreen[None]):
    BINDINGS = [
        *WALKING,
        Binding("r", "look", "Look again"),
        Binding("d", "turn('duel')", "Duel", show=False),
        Binding("a", "turn('against')", "Against", show=False),
        Binding("f", "turn('first')", "Who starts", show=False),
        Binding("t", "turn('pace')", "Time", show=False),
        Binding("s", "begin", "Sit down"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q,escape", "dismiss", "Back", key_display="Esc"),
        *(Binding(str(number), f"sit({number})", "Sit down", show=False) for number in range(1, MOST_SHOWN + 1)),
    ]

    def __init__(self, server: str, waiting: Sequence[Waiting], name: str) -> None:
        super().__init__()
        self.server, self.waiting, self.my_name = server, list(waiting), name
        self.games = {game.id: game for game in load_all()}

    def compose(self) -> ComposeResult:
        people = [(HUMAN, "a friend, by a link"), (OPEN, "whoever comes")]
        programs = [(each.kind, each.label) for each in opponents(people=False)]
        yield Static(Content.assemble(("Online  ", "bold $accent"), (self.server, "bold")), id="heading")
        with Lines(classes="page"):
            yield Lines(id="waiting")
            duels = [(id, game.name) for id, game in self.games.items()]
            liked = self.duelbook.preferences.duel
            yield Dial("D", "Duel", duels, liked if liked in self.games else duels[0][0], narrow=True, id="duel")
            yield Dial("A", "Against", [*people, *programs], HUMAN, narrow=True, id="against")
            yield Dial("F", "Who starts", [("1", "you"), ("2", "they"), ("toss", "toss a coin")], "1", id="first")
            yield Dial("T", "For a decision", PACES, 0, id="pace")
            yield Item("begin", "S", "Sit down", classes="start gap")
        yield KeyBar()

    async def on_mount(self) -> None:
        await self._show_waiting()
        (self.query("#waiting Item").first() if self.waiting else self.query_one("#duel")).focus()
        self._show_first()

    async def _show_waiting(self) -> None:
        place = self.query_one("#waiting")
        await place.remove_children()
        if not self.waiting:
            await place.mount(
                Static(Content.styled("Nobody waits here just now; begin a game, and somebody may come.", QUIET))
            )
            return
        await place.mount(Static(Content.styled("Who waits", "bold")))
        for number, each in enumerate(self.waiting[:MOST_SHOWN], 1):
            await place.mount(Item(f"sit({number})", str(number), f"{each.words}: {_called(each.duel)}"))

    def on_dial_turned(self, event: Dial.Turned) -> None:
        self._show_first()

    def _show_first(self) -> None:
        self.query_one("#first").display = has_first_player(self.games[self.query_one("#duel", Dial).value])

    # What can be done

    def action_turn(self, id: str) -> None:
        dial = self.query_one(f"#{id}", Dial)
        if dial.display:
            dial.focus()
            dial.action_turn(1)

    def action_look(self) -> None:
        keep_busy(self, "look", self._look)

    async def _look(self) -> None:
        try:
            self.waiting = await in_background(who_waits, self.server)
        except DuelError as error:
            self.duelbook.complain(str(error))
            return
        await self._show_waiting()

    def action_sit(self, number: int) -> None:
        if number <= len(self.waiting):
            place = Place(self.server, self.waiting[number - 1].game)
            keep_busy(self, "arrive", self._arrive, lambda: sit_down(place, self.my_name))

    def action_begin(self) -> None:
        against = self.query_one("#against", Dial).value
        duel = self.query_one("#duel", Dial).value
        wish = Challenge(
            duel,
            HUMAN if against == OPEN else against,
            first=self.query_one("#first", Dial).value,
            pace=self.query_one("#pace", Dial).value,
            is_open=against == OPEN,
        )
        keep_busy(self, "arrive", self._arrive, lambda: challenge(self.server, wish, self.my_name))

    async def _arrive(self, arrive: Callable[[], Wire]) -> None:
        try:
            wire = await patiently(self, "arrive", f"Asking {self.server} ...", arrive)
        except DuelError as error:
            self.duelbook.complain(str(error))
            return
        open_wire(self.duelbook, wire)

    def action_help(self) -> None:
        self.app.push_screen(Page("Online", HELP))


def _called(duel: str) -> str:
    try:
        return load(duel).name
    except DuelError:
        return f"{duel}, which is not installed here"
