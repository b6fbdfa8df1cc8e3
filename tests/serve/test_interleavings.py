"""Acts, lost answers, acts sent again, restarts, and two processes on one store, in any order.

In the end everybody knows what the log says, and nothing is lost or there twice.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duelbook.players import HUMAN
from duelbook.serve.chain import unbroken
from duelbook.serve.connection import _event
from duelbook.serve.desk import Desk
from duelbook.serve.events import Event
from duelbook.serve.online import Act, Online
from duelbook.serve.opening import Wish
from duelbook.serve.public import public
from duelbook.serve.store import Done, Heard, Listed, Taken, at_once
from online_helper import Guest
from slow_helper import slow

OPS = ("act", "lose", "resend", "again", "catch up", "restart", "both")


class Shelf:
    """A store that several desks share, as processes share a database."""

    def __init__(self) -> None:
        self.logs: dict[str, list[Event]] = {}
        self.there: dict[tuple[str, int], float] = {}

    def append(
        self, events: Sequence[Event], done: Done, deliver: Callable[[Callable[[], None]], object] = at_once
    ) -> None:
        log = self.logs.setdefault(events[0].game, [])
        error = None if events[0].seq == len(log) + 1 else Taken("Somebody was faster.")
        if error is None:
            log += events
        deliver(lambda: done(error))

    def read(self, game: str, after: int = 0) -> list[Event]:
        return self.logs.get(game, [])[after:]

    def read_all(self, after: Mapping[str, int]) -> dict[str, list[Event]]:
        found = {game: self.read(game, seq) for game, seq in after.items()}
        return {game: events for game, events in found.items() if events}

    def games(self, *, most: int = 100, waiting: bool = False) -> list[Listed]:
        return [Listed(game, log[0], log[-1]) for game, log in self.logs.items()][:most]

    def lasts(self, games: Sequence[str]) -> dict[str, int]:
        return {game: len(self.logs[game]) for game in games if game in self.logs}

    def mark(self, heard: Heard) -> None:
        self.there |= heard

    def heard(self, games: Sequence[str]) -> dict[tuple[str, int], float]:
        return {where: at for where, at in self.there.items() if where[0] in games}

    def close(self) -> None:
        pass


class Client:
    """A seat somewhere: it knows what it was shown, sends until it is answered, and waits until it knows what came."""

    def __init__(self, game: str, seat: int, number: int) -> None:
        self.game, self.guest, self.online = game, Guest(seat, number), Online()
        self.pending: tuple[str, Act] | None = None
        self.last: tuple[str, Act] | None = None
        self.reached = 0
        self.acknowledged: list[str] = []

    async def catch_up(self, desk: Desk) -> None:
        after = self.online.last.seq if self.online.last else 0
        for event in await desk.events(self.game, after):
            self.online.take(_event(self.game, public(event, self.guest.seat)))

    def decide(self) -> None:
        known = self.online.last.seq if self.online.last else 0
        if self.pending is None and known >= self.reached and self.guest.seat in self.online.due():
            self.pending = secrets.token_hex(8), self.guest.wants(self.online)

    async def send(self, desk: Desk, *, lost: bool = False) -> None:
        if self.pending is None:
            return
        name, act = self.pending
        events = await desk.act(self.game, self.guest.seat, name, act)
        if not lost:
            self.reached = max(event.seq for event in events)
            self.acknowledged.append(name)
            self.last, self.pending = self.pending, None

    async def send_again(self, desk: Desk) -> None:
        """What was answered long ago."""
        if self.last is not None:
            events = await desk.act(self.game, self.guest.seat, *self.last)
            assert max(event.seq for event in events) <= self.reached


async def happen(duel: str, ops: Sequence[tuple[str, int, int]], number: int) -> Online:
    """The game that came of it, as the log has it."""
    shelf = Shelf()
    desks = [Desk(shelf), Desk(shelf)]
    made = await desks[0].create(Wish(duel, kinds=(HUMAN, HUMAN), first="toss"))
    clients = [Client(made.game, seat, number) for seat in (0, 1)]
    for seat, client in enumerate(clients):
        await client.catch_up(desks[seat])
        anchor = client.guest.chain(client.online).anchor
        for _ in range(2):  # the first answer was lost
            seated = await desks[seat].join(made.game, made.invitations[seat], f"P{seat}", anchor, token=f"{seat}" * 32)
        assert seated.seat == seat
    for op, seat, at in ops:
        await step(op, clients, seat, desks, at, shelf)
    for client in clients:
        while client.pending is not None:
            await client.send(desks[0])
        for desk in desks:
            await desk.catch_up([made.game])
        await client.catch_up(desks[1])
    check(shelf.logs[made.game], clients)
    for desk in desks:
        await desk.rest()
    return Online(shelf.logs[made.game])


async def step(op: str, clients: list[Client], seat: int, desks: list[Desk], at: int, shelf: Shelf) -> None:
    client, desk = clients[seat], desks[at]
    if op == "restart":
        desks[at] = Desk(shelf)
    elif op == "catch up":
        await desk.catch_up([client.game])
        await client.catch_up(desk)
    elif op == "again":
        await client.send_again(desk)
    elif op == "both":
        for each in clients:
            each.decide()
        await asyncio.gather(*(each.send(desks[(at + side) % 2]) for side, each in enumerate(clients)))
    else:
        if op != "resend":
            client.decide()
        await client.send(desk, lost=op == "lose")


def check(log: list[Event], clients: list[Client]) -> None:
    truth = Online(log)
    assert unbroken(log)
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    for client in clients:
        assert client.online.last is not None
        assert client.online.last.seq == len(log)
        assert client.online.due() == truth.due()
        assert [seat.links for seat in client.online.seats] == [seat.links for seat in truth.seats]
        assert (client.online.match is None) == (truth.match is None)
        if client.online.match is not None and truth.match is not None:
            assert client.online.match.steps == truth.match.steps
            assert client.online.match.outcome == truth.match.outcome
        for name in client.acknowledged:  # each is there, and in one piece
            found = [at for at, event in enumerate(log) if event.act.endswith(name)]
            assert found == list(range(found[0], found[0] + len(found)))
    acts = [event.act for event in log if event.act and event.body.get("seat") is not None]
    moved = [event for event in log if event.kind == "moved"]
    assert len({event.act for event in moved}) == len(moved), acts


ops = st.lists(st.tuples(st.sampled_from(OPS), st.integers(0, 1), st.integers(0, 1)), max_size=60)


@pytest.mark.parametrize("duel", [slow("deck"), "secret", slow("tower")])
@given(ops=ops, number=st.integers(0, 9))
def test_whatever_happens_in_whatever_order_everybody_knows_what_the_log_says(
    duel: str, ops: list[tuple[str, int, int]], number: int
) -> None:
    asyncio.run(happen(duel, ops, number))


@pytest.mark.slow
@pytest.mark.parametrize("duel", ["deck", "secret", "tower"])
def test_a_whole_game_is_played_over_two_desks_that_are_restarted_all_the_time(duel: str) -> None:
    """So that the test above is not one of games that never begin."""
    turns = [("both", 0, at % 2) for at in range(2)]
    round_ = [*turns, ("lose", 0, 0), ("lose", 1, 1), ("restart", 0, 1), ("resend", 0, 1), ("resend", 1, 0)]
    ops = [*round_, ("again", 0, 1), ("catch up", 0, 0), ("catch up", 1, 1)] * 120
    played = asyncio.run(happen(duel, ops, 3))
    assert played.match is not None
    assert played.over or played.match.turns > 50
