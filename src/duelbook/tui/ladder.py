"""The list of opponents: one of them is chosen, each says what it means."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content

from duelbook.players import HUMAN
from duelbook.tui.menu import CHOSEN, OTHER, QUIET, Row, key_cap, wrapped
from duelbook.tui.people import Opponent

LABEL = 21
KEYS = {HUMAN: "P", "random": "0", "perfect": "7"}
"""A rung's key is its number on the ladder: random stands before the first level, perfect after the last."""


def key_of(kind: str) -> str:
    return KEYS.get(kind) or kind.removeprefix("level:")


class Rung(Row):
    """One opponent. Walking past it changes nothing; Space or a click chooses it, Enter chooses it and goes on."""

    BINDINGS = [
        Binding("space", "choose", "Choose", key_display="Space"),
        Binding("enter", "enter", "Play", key_display="Enter"),
    ]
    then = "start"
    """What the screen does after Enter."""
    explained = True

    def __init__(self, opponent: Opponent, ladder: Ladder) -> None:
        super().__init__(classes="rung")
        self.opponent, self.ladder = opponent, ladder

    def lines(self, width: int) -> list[Content]:
        one, chosen = self.opponent, self.opponent.kind == self.ladder.chosen
        mark = (f" {CHOSEN} ", "bold $accent") if chosen else f" {OTHER} "
        name = (one.label.ljust(LABEL if self.explained else 0), "bold" if chosen else "")
        head = Content.assemble(key_cap(key_of(one.kind)), mark, name)
        said = f" {one.about}" if self.explained else ""
        if self.has_focus and head.cell_length + len(said) > width:  # what has no room beside it stands below, whole
            return [head, *wrapped(one.about, width - 6, QUIET, before=" " * 6)]
        return [Content.assemble(head, (said, QUIET))]

    def on_focus(self) -> None:
        self.draw()

    on_blur = on_focus

    def action_choose(self) -> None:
        self.ladder.choose(self.opponent.kind)

    async def action_enter(self) -> None:
        self.action_choose()
        await self.screen.run_action(self.then)

    def on_click(self) -> None:
        self.action_choose()


class NextRung(Rung):
    """The same where more is to be chosen before the game begins. What it means is said elsewhere."""

    BINDINGS = [Binding("enter", "enter", "Choose, go on", key_display="Enter")]
    then, explained = "go_on", False


class Ladder(Vertical):
    """Several opponents, of whom one is chosen."""

    def __init__(
        self, opponents: Sequence[Opponent], chosen: str, rung_type: type[Rung] = Rung, id: str | None = None
    ) -> None:
        super().__init__(id=id, classes="ladder")
        self.opponents, self.rung_type = opponents, rung_type
        self.chosen = chosen if chosen in [one.kind for one in opponents] else "level:2"

    def compose(self) -> ComposeResult:
        for one in self.opponents:
            yield self.rung_type(one, self)

    @property
    def rung(self) -> Rung:
        return next(rung for rung in self.query(Rung) if rung.opponent.kind == self.chosen)

    def choose(self, kind: str) -> None:
        self.chosen = kind
        self.query(Rung).refresh()

    def choose_by_key(self, key: str) -> bool:
        """Choose the rung with this key and go there. False where none has it."""
        kind = next((one.kind for one in self.opponents if key and key_of(one.kind) == key.upper()), None)
        if kind is not None:
            self.choose(kind)
            self.rung.focus()
        return kind is not None
