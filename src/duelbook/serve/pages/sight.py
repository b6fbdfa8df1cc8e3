"""What somebody sees of a table: the game, who looks, and by the server's clock when."""

from __future__ import annotations

from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from duelbook.serve.desk import Desk, NotYours
from duelbook.serve.online import Online
from duelbook.serve.visitor import cookie_name, keep, viewer_of

FRIEND = "friend-"
"""Before the game in the name of the cookie in which a browser keeps the link for its friend."""

MOST_SEATS = 100
"""Games that are looked for because a browser names them."""


class Sight(NamedTuple):
    online: Online
    viewer: int | None
    now: float
    away: float
    """Seconds since the other player was last heard of."""
    address: str
    """Of this table, for links that people send."""
    invitation: str
    """What the friend needs who has not come yet; empty for everybody but who invited them."""
    stale: bool = False
    """Whether whoever looks sat here, and has gone on on another device."""

    @property
    def mine(self) -> bool:
        """Whether it waits for whoever looks."""
        return self.viewer is not None and self.viewer in self.online.due() and not self.online.over

    @property
    def other(self) -> str:
        return self.online.seats[1 - (self.viewer or 0)].name

    @property
    def claim_in(self) -> float | None:
        """Seconds until whoever looks may claim the game, if nothing happens; None where there is nothing to claim."""
        if self.viewer is None or not self.online.seats[1 - self.viewer].is_person:
            return None
        return self.online.claim_in(self.viewer, self.now, self.away)

    @property
    def time_left(self) -> float | None:
        """Seconds for those it waits for; None where there is no clock."""
        online = self.online
        if not online.pace or online.match is None or online.over:
            return None
        return online.pace - (self.now - online.asked_at)


async def sight(desk: Desk, request: Request) -> Sight:
    game = request.path_params["game"]
    stale = False
    try:
        viewer = await viewer_of(request, game)
    except NotYours:
        viewer, stale = None, True
    online = await desk.online(game)
    away = desk.away(game, 1 - viewer) if viewer is not None else 0.0
    address = f"{request.url.scheme}://{request.headers['host']}/game/{online.id}"
    return Sight(online, viewer, desk.clock(), away, address, request.cookies.get(FRIEND + game, ""), stale)


def keep_invitation(answer: Response, request: Request, game: str, invitation: str) -> None:
    """So that whoever invited a friend still has the link when they come back."""
    keep(answer, request, FRIEND + game, invitation)


def seats_in(request: Request) -> list[str]:
    """The games that this browser has a seat in, or had; of very many the last, which a browser names last.

    No browser keeps more than a few hundred cookies, but anybody can write thousands into one question.
    """
    prefix = cookie_name("")
    return [name.removeprefix(prefix) for name in request.cookies if name.startswith(prefix)][-MOST_SEATS:]
