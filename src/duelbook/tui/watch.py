"""Before a game that is only watched: two opponents, a duel, who starts, how fast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from duelbook.core import Game
from duelbook.players import HUMAN
from duelbook.table.invitation import Invitation, has_first_player
from duelbook.tui.keybar import KeyBar
from duelbook.tui.ladder import Ladder, NextRung, Rung
from duelbook.tui.menu import Dial, Item, Lines, app_of, remember
from duelbook.tui.people import opponents
from duelbook.tui.preferences import PACES
from duelbook.tui.preview import Glimpse
from duelbook.tui.setup import Arranging


class Watch(Arranging):
    """Enter chooses an opponent and goes on to what comes next, at last to the start."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "turn_dial('duel')", "Duel", show=False),
        Binding("v", "turn_dial('pace')", "Speed", show=False),
        Binding("right", "aside(1)", "Aside", show=False),
        Binding("left", "aside(0)", "Aside", show=False),
    ]

    def __init__(self, games: Sequence[Game], current: int = 0) -> None:
        super().__init__(games[current])
        self.games = {game.id: game for game in games}

    def compose(self) -> ComposeResult:
        liked = app_of(self).preferences
        programs = opponents(people=False)
        yield Static(self._heading("Watch"), id="heading")
        with Horizontal(classes="beside"):
            with Lines(classes="page"):
                duels = [(id, game.name) for id, game in self.games.items()]
                yield Dial("D", "Duel", duels, self.game.id, narrow=True, id="duel")
                with Horizontal(id="ladders", classes="gap"):
                    usual = "level:3" if liked.opponent == HUMAN else liked.opponent
                    for seat, kind in enumerate((usual, "perfect")):
                        with Vertical(classes="ladder"):
                            yield Static(self.game.seats[seat], classes="question", id=f"seat-{seat}")
                            yield Ladder(programs, kind, rung_type=NextRung, with_about=False, id=f"ladder-{seat}")
                yield Static(id="about-rung")
                yield Dial("F", "Who starts", self._first_options(), "1", id="first")
                paces = [(str(pace), f"{pace:g} s") for pace in PACES]
                yield Dial("V", "For a move", paces, str(liked.pace), id="pace")
                yield self._rules_item()
                start = Item("start", "S", "Start watching", id="start")
                start.add_class("start", "gap")
                yield start
            yield Glimpse()
        yield KeyBar()

    def on_mount(self) -> None:
        self._show_duel()
        self.query_one("#start").focus()

    def _show_duel(self) -> None:
        """Everything on the screen that the duel decides."""
        self.query_one("#heading", Static).update(self._heading("Watch"))
        for seat, name in enumerate(self.game.seats):
            self.query_one(f"#seat-{seat}", Static).update(Content(name))
        first = self.query_one("#first", Dial)
        first.offer(self._first_options(), first.value)
        first.display = has_first_player(self.game)
        self._show_rules()

    def on_dial_turned(self, event: Dial.Turned) -> None:
        if event.dial.id == "duel":
            self.game, self.rules = self.games[event.dial.value], []
            self._show_duel()
        elif event.dial.id == "pace":
            app_of(self).preferences.pace = float(event.dial.value)
            remember(self)

    # The two ladders

    def _ladders(self) -> list[Ladder]:
        return list(self.query(Ladder))

    def _ladder_here(self) -> Ladder:
        """The ladder that one is on, the first one if on none."""
        one, two = self._ladders()
        return two if self.focused is not None and two in self.focused.ancestors else one

    def on_rung_highlighted(self, event: Rung.Highlighted) -> None:
        one = event.rung.opponent
        self.query_one("#about-rung", Static).update(Content(f"{one.label}: {one.about}."))

    def on_rung_chosen(self, event: Rung.Chosen) -> None:
        one, two = self._ladders()
        here = two if two in event.rung.ancestors else one
        here.choose(event.rung.opponent.kind)
        if event.entered:
            (two.rung if here is one else self.query_one("#start")).focus()

    def on_key(self, event: events.Key) -> None:
        ladder = self._ladder_here()
        kind = ladder.with_key(event.character or "")
        if kind is not None:
            event.stop()
            ladder.choose(kind)
            ladder.rung.focus()

    def action_aside(self, to: int) -> None:
        """From one ladder to the rung beside it on the other."""
        here, there = self._ladder_here(), self._ladders()[to]
        for at, rung in enumerate(here.query(Rung)):
            if rung.has_focus:
                there.query(Rung)[at].focus()
                return

    def wish(self) -> Invitation:
        one, two = self._ladders()
        return Invitation(self.game, (one.chosen, two.chosen), first=self.first, rules=tuple(self.rules))

    def help(self) -> list[str]:
        more = [
            "D: the duel.   V: how long a move takes.   Left and right go from one ladder to the other.",
            "While you watch, P pauses, N makes one step and T takes over a seat.",
        ]
        return [*super().help(), *more]
