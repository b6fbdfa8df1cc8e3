"""What is at the other end of a wire, opened on the screen: a table, or the place where one waits for somebody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import Screen

from duelbook.saves import Save
from duelbook.serve.wire import Wire
from duelbook.tui.lounge import Lounge
from duelbook.tui.online import OnlineTable

if TYPE_CHECKING:
    from duelbook.tui.app import DuelbookApp


def open_wire(app: DuelbookApp, wire: Wire, copy: Save | None = None, instead_of: Screen[None] | None = None) -> None:
    """The screen takes the place of `instead_of`, so that leaving it leads to where that one was opened from."""

    def go_on(following: Wire, screen: Screen[None]) -> None:
        open_wire(app, following, copy if following is wire else None, screen)

    wire.take_in()
    screen = OnlineTable(wire, copy, go_on) if wire.online.begun else Lounge(wire, copy, go_on)
    if instead_of is not None and app.screen is instead_of:
        app.switch_screen(screen)
    else:
        app.push_screen(screen)
