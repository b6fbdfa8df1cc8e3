"""The list of opponents: one of them is chosen, each says what it means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from duelbook.players import HUMAN
from duelbook.tui.menu import CHOSEN, OTHER, QUIET, Row, key_cap
from duelbook.tui.people import Opponent

LABEL = 21
KEYS = {HUMAN: "P", "random": "0", "perfect": "7"}
"""A rung's key is its number on the ladder: random stands before the first level, perfect after the last."""


def key_of(kind: str) -> str:
    return KEYS.get(kind) or kind.removeprefix("level:")


class Rung(Row):
    """One opponent. Walking past it changes nothing; Space or a click chooses it, Enter chooses it and goes on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "choose", "Choose", key_display="Space"),
        Binding("enter", "enter", "Play", key_display="Enter"),
    ]

    class Chosen(Message):
        def __init__(self, rung: Rung, *, entered: bool) -> None:
            super().__init__()
            self.rung, self.entered = rung, entered

    class Highlighted(Message):
        def __init__(self, rung: Rung) -> None:
            super().__init__()
            self.rung = rung

    def __init__(self, opponent: Opponent, *, with_about: bool) -> None:
        super().__init__(classes="rung")
        self.opponent, self.with_about = opponent, with_about
        self.chosen = False

    def mark(self, chosen: bool) -> None:
        self.chosen = chosen
        self.refresh()

    def lines(self, width: int) -> list[Content]:
        one = self.opponent
        line = Content.assemble(
            key_cap(key_of(one.kind)),
            (f" {CHOSEN} ", "bold $accent") if self.chosen else f" {OTHER} ",
            (one.label.ljust(LABEL if self.with_about else 0), "bold" if self.chosen else ""),
            (f" {one.about}" if self.with_about else "", QUIET),
        )
        return [line]

    def action_choose(self) -> None:
        self.post_message(self.Chosen(self, entered=False))

    def action_enter(self) -> None:
        self.post_message(self.Chosen(self, entered=True))

    def on_click(self) -> None:
        self.action_choose()

    def on_focus(self) -> None:
        self.post_message(self.Highlighted(self))


class NextRung(Rung):
    """The same where more is to be chosen before the game begins."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "enter", "Choose, go on", key_display="Enter")]


class Ladder(Vertical):
    """Several opponents, of whom one is chosen."""

    def __init__(
        self,
        opponents: Sequence[Opponent],
        chosen: str,
        *,
        rung_type: type[Rung] = Rung,
        with_about: bool = True,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id, classes="ladder")
        kinds = [one.kind for one in opponents]
        self.opponents = list(opponents)
        self.chosen = chosen if chosen in kinds else "level:2"
        self.rung_type, self.with_about = rung_type, with_about

    def compose(self) -> ComposeResult:
        for one in self.opponents:
            yield self.rung_type(one, with_about=self.with_about)

    def on_mount(self) -> None:
        self._mark()

    def _mark(self) -> None:
        for rung in self.query(Rung):
            rung.mark(rung.opponent.kind == self.chosen)

    @property
    def rung(self) -> Rung:
        return next(rung for rung in self.query(Rung) if rung.opponent.kind == self.chosen)

    def choose(self, kind: str) -> None:
        self.chosen = kind
        self._mark()

    def with_key(self, key: str) -> str | None:
        return next((one.kind for one in self.opponents if key and key_of(one.kind) == key.upper()), None)
