"""Before a game that is only watched: two opponents, a duel, who starts, how fast."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from duelbook.core import Game
from duelbook.players import HUMAN
from duelbook.table.invitation import Invitation
from duelbook.tui.ladder import Ladder, NextRung, Rung
from duelbook.tui.menu import Dial
from duelbook.tui.people import opponents
from duelbook.tui.preferences import PACE_WORDS
from duelbook.tui.setup import Arranging


class Watch(Arranging):
    """Enter chooses an opponent and goes on to what comes next, at last to the start."""

    BINDINGS = [
        Binding("d", "turn_dial('duel')", "Duel", show=False),
        Binding("v", "turn_dial('pace')", "Speed", show=False),
        Binding("right", "aside(1)", "Aside", show=False),
        Binding("left", "aside(0)", "Aside", show=False),
    ]
    doing, beginning = "Watch", "Start watching"
    turning = "8 and Space"
    entering = "Enter chooses an opponent and goes on to what comes next; on S it starts, on the rules it opens them."

    def __init__(self, games: Sequence[Game], current: int = 0) -> None:
        super().__init__(games[current])
        self.games = {game.id: game for game in games}

    def choices(self) -> ComposeResult:
        liked = self.duelbook.preferences
        duels = [(id, game.name) for id, game in self.games.items()]
        yield Dial("D", "Duel", duels, self.game.id, narrow=True, id="duel")
        with Horizontal(id="ladders", classes="gap"):
            usual = "level:3" if liked.opponent == HUMAN else liked.opponent
            for seat, kind in enumerate((usual, "perfect")):
                with Vertical(classes="ladder"):
                    yield Static(classes="question", id=f"seat-{seat}")
                    yield Ladder(opponents(people=False), kind, NextRung, id=f"ladder-{seat}")
        yield Static(id="about-rung")
        yield Dial("F", "Who starts", self.who_can_start(), "1", id="first")
        yield Dial("V", "For a move", PACE_WORDS, liked.pace, id="pace")

    def on_mount(self) -> None:
        self.show_duel()
        self.query_one("#start").focus()

    def show_duel(self) -> None:
        super().show_duel()
        for seat, name in enumerate(self.game.seats):
            self.write(f"seat-{seat}", Content(name))

    def on_dial_turned(self, event: Dial.Turned) -> None:
        if event.dial.id == "duel":
            self.game, self.rules = self.games[event.dial.value], []
            self.show_duel()
        elif event.dial.id == "pace":
            self.duelbook.preferences.pace = event.dial.value
            self.duelbook.remember()

    # The two ladders

    def ladder_here(self) -> Ladder:
        one, two = self.query(Ladder)
        return two if self.focused is not None and two in self.focused.ancestors else one

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if isinstance(event.widget, Rung):
            self._tell(event.widget)

    def on_ladder_turned(self, event: Ladder.Turned) -> None:
        self._tell(event.rung)

    def _tell(self, rung: Rung) -> None:
        self.write("about-rung", Content(f"{rung.opponent.label}: {rung.opponent.about}."))

    def action_go_on(self) -> None:
        one, two = self.query(Ladder)
        (two.rung if self.ladder_here() is one else self.query_one("#start")).focus()

    def action_aside(self, to: int) -> None:
        """From one ladder to the rung beside it on the other."""
        for at, rung in enumerate(self.ladder_here().query(Rung)):
            if rung.has_focus:
                self.query(Ladder)[to].query(Rung)[at].focus()
                return

    def wish(self) -> Invitation:
        one, two = self.query(Ladder)
        return Invitation(self.game, (one.chosen, two.chosen), first=self.first, rules=tuple(self.rules))

    def keys_of_its_own(self) -> list[str]:
        return ["D       the duel", "V       how long a move takes"]

    def help(self) -> list[str]:
        across = "Left and right go from one ladder to the other."
        return [*super().help(), "", across, "While you watch, Space pauses, N makes one step and T takes over a seat."]
