"""Online games under test, played to their end without a network: two seats that keep their own secrets."""

from __future__ import annotations

import asyncio
import json
import random
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import NamedTuple
from urllib.request import Request, urlopen

import uvicorn

from duelbook.core import BOTH, LUCK
from duelbook.honest.chains import Chain
from duelbook.honest.seals import seal
from duelbook.players import HUMAN
from duelbook.serve.app import application
from duelbook.serve.connection import Connection, Place
from duelbook.serve.desk import Desk
from duelbook.serve.events import Body, Event, Json, chained
from duelbook.serve.limits import Rate
from duelbook.serve.online import Act, Online
from duelbook.serve.opening import Wish, created
from duelbook.serve.sqlite import Sqlite

Log = list[Event]


class Server(NamedTuple):
    """A real server in a thread of its own."""

    address: str

    def new_game(self, duel: str, opponent: str = HUMAN, **asked: Json) -> str:
        """The link that lets somebody sit down in the first seat of a new game."""
        body = json.dumps({"duel": duel, "opponent": opponent, **asked}).encode()
        with urlopen(Request(f"{self.address}/api/games", body, {"content-type": "application/json"})) as answer:
            made = json.load(answer)
        return f"{self.address}/game/{made['game']}#i={made['invitations']['mine']}"

    @contextmanager
    def somebody_who_resigns(self) -> Iterator[None]:
        """Somebody who takes the first seat that is open, and gives up."""

        def come() -> None:
            waiting: list[Json] = []
            while not waiting:
                with urlopen(f"{self.address}/api/games") as answer:
                    waiting = json.load(answer)["games"]
            assert isinstance(waiting[0], dict)
            connection = Connection(Place(self.address, str(waiting[0]["game"])))
            connection.catch_up()
            guest = Guest(1)
            guest.seat = connection.join("Bo", guest.chain(connection.online).anchor)
            while not connection.online.begun:
                connection.catch_up()
                if guest.seat in connection.online.due() and not connection.online.begun:
                    connection.act(guest.wants(connection.online))
            connection.act({"do": "resign"})

        thread = Thread(target=come)
        thread.start()
        yield
        thread.join()


@contextmanager
def served(folder: Path) -> Iterator[Server]:
    """Serve from a file in this folder, at any port that is free."""
    folder.mkdir(parents=True, exist_ok=True)
    store = Sqlite(folder / "games.db")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        host = f"127.0.0.1:{listening.getsockname()[1]}"
        app = application(Desk(store), [host], rate=Rate(1e9, 1e9))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off", timeout_graceful_shutdown=1))
        thread = Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])))
        thread.start()
        try:
            yield Server(f"http://{host}")
        finally:
            server.should_exit = True
            thread.join()
            store.close()


class Guest:
    """Somebody in a seat: a chain, a pick that is promised, and a taste for any legal move."""

    def __init__(self, seat: int, number: int = 0) -> None:
        self.seat = seat
        self.random = random.Random(f"{seat} {number}")
        self.secret = self.random.randbytes(32)
        self.promised: tuple[str, bytes] = ("", b"")

    def chain(self, online: Online) -> Chain:
        return Chain(self.secret, online.links)

    def wants(self, online: Online) -> Act:
        """What this seat owes now, done as a client does it."""
        match, place = online.match, online.seats[self.seat]
        if match is None or match.turn == LUCK:
            return {"do": "link", "link": self.chain(online).link(online.draws + 1).hex()}
        words = match.game.dialogue.words(match.rules)
        word = words[self.random.choice(match.game.legal_moves(match.rules, match.state, self.seat))]
        if match.turn != BOTH:
            return {"do": "move", "move": word}
        if not place.seal:
            self.promised = (word, self.random.randbytes(32))
            return {"do": "seal", "seal": seal(online.id, match.turns + 1, self.seat, *self.promised).hex()}
        return {"do": "open", "pick": self.promised[0], "salt": self.promised[1].hex()}


def begun(duel: str, first: str = "1", number: int = 0, **more: Json) -> tuple[Online, Log, list[Guest]]:
    """A game of two people who have sat down."""
    body = created(Wish(duel, kinds=(HUMAN, HUMAN), first=first), ("one", "two"))
    log: Log = []
    online = Online()
    write(online, log, [{**body, **more}], take=True)
    guests = [Guest(0, number), Guest(1, number)]
    for guest, name in zip(guests, ("Ann", "Bo"), strict=True):
        write(online, log, online.join(guest.seat, name, guest.chain(online).anchor, f"token {guest.seat}"))
    return online, log, guests


def write(online: Online, log: Log, bodies: list[Body], *, take: bool = False, at: float = 1.0, act: str = "") -> None:
    """Put down what has happened, as a server does; `take` where the game does not know it yet."""
    events = list(chained(str(bodies[0].get("game", online.__dict__.get("id"))), online.last, act, at, bodies))
    for event in events:
        if take:
            online.take(event)
    online.last = events[-1]
    log += events


def played(
    duel: str, first: str = "1", number: int = 0, after: Callable[[Online], None] | None = None
) -> tuple[Online, Log]:
    """A whole game between two people."""
    online, log, guests = begun(duel, first, number)
    while not online.over:
        guest = guests[online.due()[0]]
        write(online, log, online.act(guest.seat, guest.wants(online), 1.0))
        if after is not None:
            after(online)
    return online, log
