"""Somebody who had a seat and wants it back: the token of a seat that has moved to another device is worth nothing.

Two desks at one store stand for two processes that serve the same games: the second one has the game in memory as it
was, and nobody follows it there, so nothing has told it that the seat has moved.
"""

from __future__ import annotations

import asyncio

import httpx2 as httpx
import pytest

from duelbook.serve.acts import MOST_OFFERS
from duelbook.serve.app import application
from duelbook.serve.desk import Desk
from duelbook.serve.events import Refused
from duelbook.serve.opening import Wish
from duelbook.serve.sqlite import Sqlite
from pages_helper import HOST


class Moved:
    """A game whose first seat has moved, and a process that knows nothing of that."""

    def __init__(self, store: Sqlite) -> None:
        self.desk, self.late = Desk(store), Desk(store)
        self.game = self.old = self.new = ""

    async def set_up(self) -> None:
        made = await self.desk.create(Wish("tower"))
        self.game = made.game
        self.old = (await self.desk.join(self.game, made.invitations[0], "Ann", bytes(32))).token
        await self.desk.join(self.game, made.invitations[1], "Bo", bytes(32))
        assert await self.late.seat_of(self.game, self.old) == 0
        self.new = (await self.desk.hand_over(self.game, await self.desk.offer(self.game, 0))).token

    def at(self, desk: Desk, token: str) -> httpx.AsyncClient:
        headers = {"authorization": f"Bearer {token}", "accept": "application/json"}
        transport = httpx.ASGITransport(app=application(desk, [HOST]))
        return httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}", headers=headers)


@pytest.mark.parametrize(
    ("way", "sent"),
    [
        ("/api/games/{game}/act", {"json": {"act": "1", "do": "move", "move": "build 4"}}),
        ("/api/games/{game}/act", {"json": {"act": "1", "do": "resign"}}),
        ("/game/{game}/do", {"data": {"act": "1", "do": "resign", "sure": "1"}}),
        ("/game/{game}/offer", {"data": {}}),
    ],
)
def test_a_process_that_has_not_heard_of_it_lets_nobody_back_into_a_seat_that_has_moved(
    way: str, sent: dict[str, dict[str, object]], store: Sqlite
) -> None:
    """It did: what was decided by the game as it had been was decided again by the game as it is, but not by whom."""

    async def tale() -> None:
        moved = Moved(store)
        await moved.set_up()
        before = store.read(moved.game)
        async with moved.at(moved.late, moved.old) as thief:
            answer = await thief.post(way.format(game=moved.game), **sent)  # type: ignore[arg-type]  # any of both
            assert answer.status_code == 403
        assert store.read(moved.game) == before
        async with moved.at(moved.late, moved.new) as owner:
            done = await owner.post(f"/api/games/{moved.game}/act", json={"act": "1", "do": "move", "move": "build 4"})
            assert done.status_code == 200

    asyncio.run(tale())


def test_no_game_grows_without_an_end(store: Sqlite) -> None:
    """Moves end with the game, but a seat could be offered to other devices for ever, and everybody read all of it."""

    async def tale() -> None:
        moved = Moved(store)
        await moved.set_up()
        for _ in range(MOST_OFFERS - 1):
            await moved.desk.offer(moved.game, 0)
        with pytest.raises(Refused, match="Stay on this one"):
            await moved.desk.offer(moved.game, 0)
        await moved.desk.offer(moved.game, 1)
        assert await moved.desk.seat_of(moved.game, moved.new) == 0

    asyncio.run(tale())
