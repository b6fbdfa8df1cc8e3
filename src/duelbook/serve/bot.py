"""A program that dials in: it leaves a game open on a server, plays whoever sits down, and opens the next."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import NamedTuple

from duelbook.core import BOTH, LUCK, DuelError
from duelbook.honest.chains import Chain
from duelbook.honest.seals import seal
from duelbook.honest.writing import LENGTH
from duelbook.luck import new_seed
from duelbook.match import Closable, Player, PlayerFault, Prepared
from duelbook.players import HUMAN, check_kind, seat_player
from duelbook.serve.connection import Connection, Place
from duelbook.serve.events import Json, Refused


class Played(NamedTuple):
    """A game that came to its end."""

    place: Place
    opponent: str
    won: bool | None
    """None where nobody did."""


def play_whoever_comes(
    server: str, duel: str, kind: str, name: str, games: int, *, tell: Callable[[str], None]
) -> list[Played]:
    """So many games of a duel, one after the other. `tell` hears how each of them stands."""
    wanted = check_kind(kind)
    if wanted == HUMAN:
        raise DuelError("A bot is a program: name a kind of player such as level:3 or engine:./mybot.")
    found = []
    for _ in range(games):
        player = seat_player(wanted, new_seed())
        assert player is not None, "only people are none"
        try:
            found.append(_one_game(server, duel, player, name, tell))
        finally:
            if isinstance(player, Closable):
                player.close()
    return found


def _one_game(server: str, duel: str, player: Player, name: str, tell: Callable[[str], None]) -> Played:
    asked: dict[str, Json] = {"duel": duel, "open": True, "first": "toss"}
    made = Connection(Place(server, ""), complain=tell).ask("", asked)
    invitations = made["invitations"]
    assert isinstance(invitations, dict)
    place = Place(server, str(made["game"]), str(invitations["mine"]))
    connection, secret = Connection(place, complain=tell), secrets.token_bytes(LENGTH)
    connection.catch_up()
    online = connection.online
    chain = Chain(secret, online.links)
    seat = connection.join(name, chain.anchor)
    tell(f"{name} waits at {place.link}")
    ready, promised = False, ("", b"")
    while not online.over:
        if online.match is not None and not ready:
            ready = True
            if isinstance(player, Prepared):
                player.prepare(online.match.view(seat))
        if seat not in online.due():
            connection.catch_up(wait=True)
            continue
        try:
            promised = _act(connection, seat, player, chain, promised)
        except Refused:
            connection.catch_up()
            if not online.over:  # otherwise the other side was faster to end it
                raise
    assert online.match is not None
    assert online.match.outcome is not None
    winner, opponent = online.match.outcome.winner, online.seats[1 - seat].name
    tell(f"{place.link}: {name} against {opponent}, {online.match.outcome.result}. {online.match.outcome.reason}")
    return Played(place, opponent, winner == seat if winner in (0, 1) else None)


def _act(
    connection: Connection, seat: int, player: Player, chain: Chain, promised: tuple[str, bytes]
) -> tuple[str, bytes]:
    """Do what this seat owes; a pick that is promised now comes back, to be opened later."""
    online = connection.online
    match = online.match
    if match is None or match.turn == LUCK:
        connection.act({"do": "link", "link": chain.link(online.draws + 1).hex()})
        return promised
    if match.turn == BOTH and online.seats[seat].seal:
        connection.act({"do": "open", "pick": promised[0], "salt": promised[1].hex()})
        return promised
    try:
        word = match.game.dialogue.words(match.rules)[player.choose(match.view(seat))]
    except (PlayerFault, IndexError, TypeError):
        connection.act({"do": "resign"})
        return promised
    if match.turn == BOTH:
        salt = secrets.token_bytes(LENGTH)
        connection.act({"do": "seal", "seal": seal(online.id, match.turns + 1, seat, word, salt).hex()})
        return word, salt
    connection.act({"do": "move", "move": word})
    return promised
