"""From the lobby to a table on a server: where to, asked for until it can be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbook.core import DuelError
from duelbook.serve.arriving import sit_down, who_waits
from duelbook.serve.belongings import last_place
from duelbook.serve.connection import Place, read_address
from duelbook.tui.background import keep_busy, patiently
from duelbook.tui.dialogs import AskForText
from duelbook.tui.meeting import Meeting
from duelbook.tui.opening import open_wire

if TYPE_CHECKING:
    from duelbook.tui.app import DuelbookApp

QUESTION = "Play online. The link that a friend has sent, or the address of a server:"


def ask_where(app: DuelbookApp, typed: str | None = None) -> None:
    def go(said: str | None) -> None:
        if said is None:
            return
        try:
            place = read_address(said)
        except DuelError as error:
            app.complain(str(error))
            ask_where(app, said)
            return
        keep_busy(app, "online", _go, app, place, said)

    app.push_screen(AskForText(QUESTION, last_place() if typed is None else typed), go)


async def _go(app: DuelbookApp, place: Place, said: str) -> None:
    name, asking = app.preferences.name, f"Asking {place.server} ..."
    try:
        if place.game:
            open_wire(app, await patiently(app, "online", asking, sit_down, place, name))
        else:
            waiting = await patiently(app, "online", asking, who_waits, place.server)
            app.push_screen(Meeting(place.server, waiting, name))
    except DuelError as error:
        app.complain(str(error))
        ask_where(app, said)
