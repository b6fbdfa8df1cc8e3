"""Before a game: against whom, in which seat, who starts, by which rules."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from duelbook.core import Game, variant
from duelbook.players import HUMAN
from duelbook.table.invitation import Invitation, has_first_player
from duelbook.tui.keybar import KeyBar
from duelbook.tui.ladder import Ladder, Rung
from duelbook.tui.menu import WALKING, Dial, Item, Lines, app_of, remember
from duelbook.tui.one_answer import close
from duelbook.tui.people import opponents
from duelbook.tui.preview import BREAKPOINTS, SCROLLING, WIDE, Glimpse

BY_THE_BOOK = "as the book has them"


class Arranging(Screen[None]):
    """What every invitation has: a duel, its rules, who starts, and the moment when the game begins."""

    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = [
        *WALKING,
        *SCROLLING,
        Binding("f", "turn_dial('first')", "Who starts", show=False),
        Binding("o", "options", "Rules", show=False),
        Binding("s", "start", "Start", show=False),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q,escape", "back", "Back", key_display="Esc"),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.rules: list[str] = []
        """What differs from the book."""

    # What all of them show

    def _first_options(self) -> list[tuple[str, str]]:
        one, two = self.game.seats
        return [("1", one), ("2", two), ("toss", "toss a coin")]

    def _rules_item(self) -> Item:
        return Item("options", "O", self._rules_label(), id="rules")

    def _rules_label(self) -> Content:
        changed = Content.styled(", ".join(self.rules), "bold $accent")
        return Content.assemble(("Rules, options ", "bold"), changed if self.rules else BY_THE_BOOK)

    def _heading(self, doing: str) -> Content:
        return Content.assemble((doing, "bold $accent"), "  ", (self.game.name, "bold"))

    def _show_rules(self) -> None:
        item = self.query_one("#rules", Item)
        item.label = self._rules_label()
        item.draw()
        self._show_glimpse()

    def _show_glimpse(self) -> None:
        if self.size.width >= WIDE:
            self.query_one(Glimpse).show(self.game, variant(self.game, self.rules))

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_glimpse)

    def action_scroll_glimpse(self, pages: int) -> None:
        self.query_one(Glimpse).scroll_by(pages)

    # What can be done

    async def on_item_pressed(self, event: Item.Pressed) -> None:
        await self.run_action(event.item.does)

    def action_turn_dial(self, id: str) -> None:
        for dial in self.query(f"#{id}").results(Dial):
            dial.focus()
            dial.action_turn(1)

    def action_options(self) -> None:
        from duelbook.tui.options import Options

        def chosen(rules: list[str] | None) -> None:
            self.rules = rules or []
            self._show_rules()

        self.app.push_screen(Options(self.game, self.rules), chosen)

    @property
    def first(self) -> str | None:
        return self.query_one("#first", Dial).value if has_first_player(self.game) else None

    def wish(self) -> Invitation:
        raise NotImplementedError

    def action_start(self) -> None:
        app_of(self).begin(self.wish(), coach=self.coaching, instead_of=self)

    @property
    def coaching(self) -> bool:
        return False

    def action_back(self) -> None:
        self.app.workers.cancel_group(self.app, "begin")  # whoever goes back while rules are worked out wants no game
        close(self)

    def action_help(self) -> None:
        from duelbook.tui.dialogs import Page

        self.app.push_screen(Page(self.game.name, self.help()))

    def help(self) -> list[str]:
        return [
            "Up and down walk, Space chooses, left and right turn what has several values.",
            "Everything can be clicked, and has its key in front of it.",
            "",
            "0 to 7: how strong an opponent is, from random over the six levels to perfect.",
            "A level decides each move by chance so often as its line says, and else perfectly.",
            "F: who starts.   O: other numbers and readings of the rules.   S: start.   Esc: back.",
        ]


class Setup(Arranging):
    """A game for whoever sits here. Enter on an opponent starts it with everything as it is shown."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "turn_dial('seat')", "Your seat", show=False),
        Binding("c", "turn_dial('coach')", "Coach", show=False),
    ]

    def compose(self) -> ComposeResult:
        liked = app_of(self).preferences
        yield Static(self._heading("Play"), id="heading")
        with Horizontal(classes="beside"):
            with Lines(classes="page"):
                yield Static(Content(self.game.pitch), classes="note")
                yield Static("Against whom?", classes="question gap")
                yield Ladder(opponents(), liked.opponent)
                yield Static("How?", classes="question gap")
                yield Dial("T", "You are", self._seat_options(), "0", id="seat")
                if has_first_player(self.game):
                    yield Dial("F", "Who starts", self._first_options(), "1", id="first")
                on_off = [("off", "off"), ("on", "on: tells you when a move gave something away")]
                yield Dial("C", "Coach", on_off, "on" if liked.coach else "off", id="coach")
                yield self._rules_item()
                start = Item("start", "S", "Start the game", id="start")
                start.add_class("start", "gap")
                yield start
            yield Glimpse()
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(Ladder).rung.focus()

    def _seat_options(self) -> list[tuple[str, str]]:
        return [(str(seat), name) for seat, name in enumerate(self.game.seats)]

    def _first_options(self) -> list[tuple[str, str]]:
        """Beside the seats' names stands which of them is yours."""
        mine = int(self.query_one("#seat", Dial).value) if self.query("#seat") else 0
        options = super()._first_options()
        options[mine] = (options[mine][0], f"{options[mine][1]} (you)")
        return options

    def on_dial_turned(self, event: Dial.Turned) -> None:
        if event.dial.id == "seat" and self.query("#first"):
            first = self.query_one("#first", Dial)
            first.offer(self._first_options(), first.value)

    def on_rung_chosen(self, event: Rung.Chosen) -> None:
        self.query_one(Ladder).choose(event.rung.opponent.kind)
        if event.entered:
            self.action_start()

    def on_key(self, event: events.Key) -> None:
        ladder = self.query_one(Ladder)
        kind = ladder.with_key(event.character or "")
        if kind is not None:
            event.stop()
            ladder.choose(kind)
            ladder.rung.focus()

    @property
    def coaching(self) -> bool:
        return self.query_one("#coach", Dial).value == "on"

    def wish(self) -> Invitation:
        liked = app_of(self).preferences
        mine, foe = int(self.query_one("#seat", Dial).value), self.query_one(Ladder).chosen
        kinds, names = [foe, foe], [liked.guest if foe == HUMAN else ""] * 2
        kinds[mine], names[mine] = HUMAN, liked.name
        return Invitation(
            self.game,
            (kinds[0], kinds[1]),
            (names[0] or None, names[1] or None),
            self.first,
            tuple(self.rules),
        )

    def action_start(self) -> None:
        """Start, and remember whom one met at which duel."""
        app = app_of(self)
        app.preferences.opponent, app.preferences.duel = self.query_one(Ladder).chosen, self.game.id
        remember(self)
        super().action_start()

    def help(self) -> list[str]:
        more = [
            "P: a person at this keyboard.   T: your seat.   C: the coach.",
            "Enter on an opponent starts the game.",
        ]
        return [*super().help(), *more]
