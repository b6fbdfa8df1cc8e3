"""Sitting down at a table on a server, line by line: join, wait for the other, play, and be able to come back."""

from __future__ import annotations

from collections.abc import Callable

from duelbook.honest.chains import Chain
from duelbook.line.console import Console, EndOfInput, Quit
from duelbook.line.session import Session
from duelbook.serve.belongings import Belongings, find, keep
from duelbook.serve.connection import Connection, Place, read_link
from duelbook.serve.remote import Remote

DONE, FAILED, INTERRUPTED = 0, 1, 130


def join(link: str, name: str, console: Console, *, say: Callable[[str], None], warn: Callable[[str], None]) -> int:
    """Play the game that a link leads to, until it is over or somebody leaves. The exit code comes back."""
    place = read_link(link)
    connection = Connection(place, complain=warn)
    connection.catch_up()
    mine = _seated(connection, place, name)
    try:
        _wait_for_the_beginning(connection, mine, say)
        Session(Remote(connection, mine), console).run()
    except Quit:
        code = DONE
    except EndOfInput:
        code = FAILED
    except KeyboardInterrupt:
        code = INTERRUPTED
    else:
        say(f"The record of this game: {place.server}/api/games/{place.game}/record")
        return DONE
    warn(f"The game goes on without you. Come back with: duelbook join {place.link}")
    return code


def _seated(connection: Connection, place: Place, name: str) -> Belongings:
    """Sit down, or come back to the seat that this terminal has had."""
    mine = find(place.game)
    if mine.token:
        connection.token = mine.token
        return mine
    keep(place.game, mine)  # a chain that was promised and is lost could never be used
    seat = connection.join(name, Chain(mine.secret, connection.online.links).anchor)
    mine = Belongings(mine.secret, connection.token, seat)
    keep(place.game, mine)
    return mine


def _wait_for_the_beginning(connection: Connection, mine: Belongings, say: Callable[[str], None]) -> None:
    online, told = connection.online, False
    connection.catch_up()
    while not online.begun:
        if mine.seat in online.due():  # this seat's part of the toss
            link = Chain(mine.secret, online.links).link(online.draws + 1)
            connection.act({"do": "link", "link": link.hex()})
            connection.catch_up()
            continue
        if not told:
            say(f"Waiting for {online.seats[1 - mine.seat].name} ...")
        told = True
        connection.catch_up(wait=True)
