"""The offer of a stronger opponent, on the page after a game, when the record says that it is due."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from duelbook.me.next_level import next_level
from duelbook.me.nudge import Nudge
from duelbook.me.telling import nudge_words
from duelbook.players import HUMAN
from duelbook.record import Record
from duelbook.table.invitation import Invitation
from duelbook.tui.background import in_background
from duelbook.tui.menu import Choosable


class Climb(Choosable, Static):
    """One line: why, whom, and the key that begins the game."""

    does = "climb"

    def __init__(self, said: Nudge) -> None:
        super().__init__(Content.assemble((" L ", "bold reverse"), f" {nudge_words(said)}"), classes="moment")
        self.said = said


async def look_for(record: Record) -> Climb | None:
    """The offer, if one is due; found beside the screen."""
    said = await in_background(next_level, record)
    return None if said is None else Climb(said)


def against(wish: Invitation, said: Nudge) -> Invitation:
    """The same duel with the next rung in the program's seat."""
    one, two = (kind if kind == HUMAN else said.upwards for kind in wish.kinds)
    return wish._replace(kinds=(one, two))
