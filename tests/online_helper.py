"""Online games under test, played to their end without a network: two seats that keep their own secrets."""

from __future__ import annotations

import json
import random
import secrets
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import NamedTuple
from urllib.request import Request, urlopen

from duelbook.core import BOTH, LUCK
from duelbook.honest.chains import Chain
from duelbook.honest.seals import seal
from duelbook.players import HUMAN
from duelbook.serve import acts
from duelbook.serve.callers import Deadlines
from duelbook.serve.chain import chained
from duelbook.serve.connection import Connection, Place
from duelbook.serve.events import Body, Event, Json
from duelbook.serve.house import House
from duelbook.serve.limits import NONE, Limits
from duelbook.serve.online import Act, Online
from duelbook.serve.opening import Wish, created
from duelbook.serve.sockets import Patience
from duelbook.serve.sqlite import Sqlite

Log = list[Event]


class Talk:
    """Somebody who asks a server one thing after the other, and waits for every answer."""

    def __init__(self, place: Place) -> None:
        self.connection, self.online = Connection(place), Online()
        self.catch_up()

    def catch_up(self, *, wait: bool = False) -> None:
        for event in self.connection.events(self.online.last.seq if self.online.last else 0, wait=wait):
            self.online.take(event)

    def join(self, name: str, guest: Guest) -> None:
        anchor = guest.chain(self.online).anchor
        guest.seat = self.connection.join(name, anchor, secrets.token_urlsafe(24))

    def act(self, act: Act) -> None:
        reached = max(event.seq for event in self.connection.act(secrets.token_hex(8), dict(act)))
        while self.online.last is None or self.online.last.seq < reached:  # the next process may not know it yet
            self.catch_up(wait=True)

    def play(self, guest: Guest) -> None:
        """To the end."""
        while not self.online.over:
            self.catch_up(wait=guest.seat not in self.online.due())
            if guest.seat in self.online.due():
                self.act(guest.wants(self.online))


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
            talk, guest = Talk(Place(self.address, str(waiting[0]["game"]))), Guest(1)
            talk.join("Bo", guest)
            while not talk.online.begun:
                talk.catch_up()
                if guest.seat in talk.online.due() and not talk.online.begun:
                    talk.act(guest.wants(talk.online))
            talk.act({"do": "resign"})

        thread = Thread(target=come)
        thread.start()
        yield
        thread.join()


@contextmanager
def served(
    folder: Path,
    limits: Limits = NONE,
    patience: Patience | None = None,
    deadlines: Deadlines | None = None,
    names: Sequence[str] = (),
) -> Iterator[Server]:
    """Serve from a file in this folder, at any port that is free; `names` are others under which it is asked for."""
    folder.mkdir(parents=True, exist_ok=True)
    store = Sqlite(folder / "games.db")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        host = f"127.0.0.1:{listening.getsockname()[1]}"
        house = House(store, [host, *names], limits=limits, patience=patience, deadlines=deadlines)
        thread = Thread(target=house.run, args=(listening,))
        thread.start()
        try:
            yield Server(f"http://{host}")
        finally:
            house.server.should_exit = True
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
        return self.chain_of(online.links)

    def chain_of(self, links: int) -> Chain:
        return Chain(self.secret, links)

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
        write(online, log, acts.join(online, guest.seat, name, guest.chain(online).anchor, f"token {guest.seat}"))
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
        write(online, log, acts.act(online, guest.seat, guest.wants(online), 1.0))
        if after is not None:
            after(online)
    return online, log
