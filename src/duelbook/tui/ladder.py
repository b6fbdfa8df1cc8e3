"""The list of opponents: one of them is chosen, each says what it means. The characters share the last line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from duelbook.players import HUMAN
from duelbook.policies.characters import CHARACTERS
from duelbook.tui.menu import CHOSEN, LESS, MORE, OTHER, QUIET, Row, key_cap, wrapped
from duelbook.tui.people import Opponent, characters

LABEL = 21
KEYS = {HUMAN: "P", "random": "0", "perfect": "7", **dict.fromkeys(CHARACTERS, "8")}
"""A rung's key is its number on the ladder: random stands before the first level, perfect after the last, and behind
them the characters, who have one key together."""


def key_of(kind: str) -> str:
    return KEYS.get(kind) or kind.removeprefix("level:")


class Rung(Row):
    """One opponent. Walking past it changes nothing; Space or a click chooses it, Enter chooses it and goes on."""

    BINDINGS = [
        Binding("right", "turn(1)", "Next", key_display="←→"),
        Binding("left", "turn(-1)", "The one before", show=False),
        Binding("space", "choose", "Choose", key_display="Space"),
        Binding("enter", "enter", "Play", key_display="Enter"),
    ]
    then = "start"
    """What the screen does after Enter."""
    explained = True
    turns = True
    """Whether left and right turn to another character; elsewhere they may lead somewhere else."""

    def __init__(self, opponent: Opponent, ladder: Ladder) -> None:
        super().__init__(classes="rung")
        self.opponent, self.ladder = opponent, ladder

    def lines(self, width: int) -> list[Content]:
        one, chosen = self.opponent, self.opponent.kind == self.ladder.chosen
        mark = (f" {CHOSEN} ", "bold $accent") if chosen else f" {OTHER} "
        name = (self.label.ljust(LABEL if self.explained else 0), "bold" if chosen else "")
        head = Content.assemble(key_cap(key_of(one.kind)), mark, name)
        said = f" {one.about}" if self.explained else ""
        if self.has_focus and head.cell_length + len(said) > width:  # what has no room beside it stands below, whole
            return [head, *wrapped(one.about, width - 6, QUIET, before=" " * 6)]
        return [Content.assemble(head, (said, QUIET))]

    @property
    def label(self) -> str:
        """The opponent's name; behind a character's, which of them it is, for the others are behind this one."""
        at = list(CHARACTERS).index(self.opponent.kind) + 1 if self.opponent.kind in CHARACTERS else 0
        less, more = (f"{LESS} ", f" {MORE}") if self.turns else ("", "")
        return f"{self.opponent.label:12} {less}{at}/{len(CHARACTERS)}{more}" if at else self.opponent.label

    def on_focus(self) -> None:
        self.draw()

    on_blur = on_focus

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "turn" or (self.turns and self.opponent.kind in CHARACTERS)

    def action_turn(self, by: int) -> None:
        self.ladder.choose(self.ladder.beside(self.opponent.kind, by))

    def action_choose(self) -> None:
        self.ladder.choose(self.ladder.behind(self.opponent.kind))

    async def action_enter(self) -> None:
        self.ladder.choose(self.opponent.kind)
        await self.screen.run_action(self.then)

    async def clicked(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        clicked = "" if at is None or at.y > 0 else self.lines(self.content_size.width)[0].plain[at.x : at.x + 1]
        if clicked in (LESS, MORE):
            self.action_turn(1 if clicked == MORE else -1)
        else:
            self.action_choose()


class NextRung(Rung):
    """The same where more is to be chosen before the game begins. What it means is said elsewhere."""

    BINDINGS = [Binding("enter", "enter", "Choose, go on", key_display="Enter")]
    then, explained, turns = "go_on", False, False


class Ladder(Vertical):
    """Several opponents, of whom one is chosen. Choosing a character who is chosen already turns to the next."""

    @dataclass
    class Turned(Message):
        """The line of the characters shows another one."""

        rung: Rung

    def __init__(
        self, opponents: Sequence[Opponent], chosen: str, rung_type: type[Rung] = Rung, id: str | None = None
    ) -> None:
        super().__init__(id=id, classes="ladder")
        self.opponents, self.characters, self.rung_type = opponents, characters(), rung_type
        known = [one.kind for one in (*opponents, *self.characters)]
        self.chosen = chosen if chosen in known else "level:2"

    def compose(self) -> ComposeResult:
        shown = next((one for one in self.characters if one.kind == self.chosen), self.characters[0])
        for one in (*self.opponents, shown):
            yield self.rung_type(one, self)

    @property
    def rung(self) -> Rung:
        return next(rung for rung in self.query(Rung) if rung.opponent.kind == self.chosen)

    def behind(self, kind: str) -> str:
        """Whom somebody means who chooses this one: the next character, if it is one that is chosen already."""
        return self.beside(kind, 1) if kind == self.chosen and kind in CHARACTERS else kind

    def beside(self, kind: str, by: int) -> str:
        """The character so many behind this one."""
        names = [one.kind for one in self.characters]
        return names[(names.index(kind) + by) % len(names)]

    def choose(self, kind: str) -> None:
        self.chosen = kind
        character = next((one for one in self.characters if one.kind == kind), None)
        if character is not None:
            last = self.query(Rung).last()
            last.opponent = character
            last.draw()
            if last.has_focus:
                self.post_message(self.Turned(last))
        self.query(Rung).refresh()

    def choose_by_key(self, key: str) -> bool:
        """Choose the rung with this key and go there. False where none has it."""
        rung = next((rung for rung in self.query(Rung) if key and key_of(rung.opponent.kind) == key.upper()), None)
        if rung is not None:
            rung.action_choose()
            rung.focus()
        return rung is not None
