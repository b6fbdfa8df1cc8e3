"""How one comes to a table on a server: by a link, by a wish for a new game, or only to watch."""

from __future__ import annotations

from typing import NamedTuple

from duelbook.core import DuelError
from duelbook.players import HUMAN
from duelbook.serve.belongings import Belongings, find, hold, keep
from duelbook.serve.connection import Connection, Place
from duelbook.serve.events import Json, Refused
from duelbook.serve.wire import Wire
from duelbook.speech import how_long


class Waiting(NamedTuple):
    """A game in which somebody waits for whoever comes."""

    game: str
    duel: str
    name: str
    program: bool
    rules: tuple[str, ...]
    pace: int
    away: int = 0
    """Seconds since they were there; 0 where they are."""

    @property
    def words(self) -> str:
        """Who it is, and under which rules they want to play."""
        about = [*(["a program"] if self.program else []), *self.rules]
        about += [f"{self.pace} s a move"] if self.pace else []
        about += [f"away for {how_long(self.away)}"] if self.away else []
        return f"{self.name} ({', '.join(about)})" if about else self.name


class Challenge(NamedTuple):
    """A game as it is asked for."""

    duel: str
    opponent: str = HUMAN
    rules: tuple[str, ...] = ()
    first: str = "1"
    pace: int = 0
    is_open: bool = False
    seat: int = 0


def who_waits(server: str) -> list[Waiting]:
    """The games of a server in which anybody may sit down. Raises DuelError where it cannot be asked."""
    found = Connection(Place(server, "")).ask("", patient=False).get("games")
    games = [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
    return [
        Waiting(
            str(each.get("game", "")),
            str(each.get("duel", "")),
            str(each.get("name", "")),
            each.get("program") is True,
            tuple(str(rule) for rule in _list(each.get("rules"))),
            int(str(each.get("pace", 0))),
            int(str(each.get("away", 0))),
        )
        for each in games
    ]


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def watch(place: Place) -> Wire:
    """A place beside the table."""
    connection = Connection(place)
    return Wire(connection, None, connection.events(0, patient=False))


def sit_down(place: Place, name: str, *, friend: str = "", program: bool = False) -> Wire:
    """Sit down in the seat that a link is for, or come back to the one that was had before.

    `friend` is what lets somebody else sit down across. Raises DuelError, and Refused in the server's words.
    """
    connection = Connection(place)
    known = connection.events(0, patient=False)
    lock = hold(place.game)
    try:
        mine = find(place)
        mine = mine._replace(friend=friend or mine.friend, invitation=place.invitation or mine.invitation)
        wire = Wire(connection, mine, known, lock)
        if mine.seated:
            connection.token = mine.token
            connection.events(wire.last, patient=False)  # a token that does not hold is refused now
        else:
            wire.mine = _seated(wire, mine, name, program=program)
    except BaseException:
        lock.let_go()
        raise
    return wire


def _seated(wire: Wire, mine: Belongings, name: str, *, program: bool) -> Belongings:
    assert wire.chain is not None
    place = wire.connection.place
    keep(place.game, mine)  # a chain that was promised and is lost could never be used
    wire.connection.place = place._replace(invitation=mine.invitation)
    try:
        seat = wire.connection.join(name, wire.chain.anchor, mine.token, program=program)
    except Refused as refused:
        raise _why_not(wire, str(refused)) from None
    mine = mine._replace(seat=seat, name=name)
    keep(place.game, mine)
    return mine


def _why_not(wire: Wire, refused: str) -> DuelError:
    """A refusal with what would work."""
    if not all(seat.is_taken for seat in wire.online.seats):
        return Refused(refused)
    return Refused(
        f"{refused} If you sit there: come back from the machine where you sat down, which keeps your seat. "
        f"To watch: duelbook join --watch {wire.link}"
    )


def challenge(server: str, wish: Challenge, name: str, *, program: bool = False) -> Wire:
    """Make a new game on a server and sit down at it. What a friend needs is in `invitation_link`."""
    asked: dict[str, Json] = {
        "duel": wish.duel,
        "opponent": wish.opponent,
        "rules": list(wish.rules),
        "first": wish.first,
        "pace": wish.pace,
        "open": wish.is_open,
        "seat": wish.seat + 1,
    }
    made = Connection(Place(server, "")).ask("", asked, patient=False)
    invitations = made.get("invitations")
    if not isinstance(invitations, dict):
        raise DuelError(f"{server} does not answer as a Duelbook server does.")
    place = Place(server, str(made.get("game")), str(invitations.get("mine", "")))
    return sit_down(place, name, friend=str(invitations.get("friend", "")), program=program)


def invitation_link(wire: Wire) -> str:
    """What is sent to a friend; for an open game, and where nobody is awaited, the link to the table."""
    wanted = wire.mine is not None and not wire.online.begun and not wire.online.is_open
    return wire.connection.place.invite(wire.mine.friend if wanted and wire.mine is not None else "")


def next_table(wire: Wire, *, program: bool = False) -> Wire:
    """The game that both wanted after this one: what was shown here lets one sit down there."""
    assert wire.mine is not None
    place = Place(wire.connection.place.server, wire.online.next_game, wire.mine.token)
    return sit_down(place, wire.online.seats[wire.mine.seat].name, program=program)
