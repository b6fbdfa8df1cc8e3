"""The same game of tower as two servers want to hear it: how a game is made, a seat taken, a move said and heard."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from typing import Protocol

from bench.online.frames import Socket

Json = dict[str, object]


class Dialect(Protocol):
    def new_game(self, http: HTTPConnection) -> tuple[str, list[str]]:
        """A game with two people in it, and what each of them shows."""

    def path(self, game: str) -> str: ...

    def headers(self, token: str) -> list[str]: ...

    def greet(self, socket: Socket, message: bytes, game: str, seat: int | None, token: str) -> bool:
        """Answer what comes before the game. True when this message is of the game."""

    def move(self, game: str, seat: int, number: int, word: str, token: str) -> bytes: ...

    def is_move(self, message: bytes, number: int) -> bool:
        """Whether this tells of the move with this number, counted from 0."""


def posted(http: HTTPConnection, path: str, message: Json) -> Json:
    http.request("POST", path, json.dumps(message), {"content-type": "application/json"})
    answer = http.getresponse()
    body = answer.read()
    if answer.status >= 300:
        raise ConnectionError(f"{path}: {answer.status} {body[:200]!r}")
    found = json.loads(body)
    assert isinstance(found, dict)
    return found


class Duelbook:
    """The first events of a game are that it was made, that two sat down, and that it began: moves come behind."""

    def new_game(self, http: HTTPConnection) -> tuple[str, list[str]]:
        made = posted(http, "/api/games", {"duel": "tower"})
        invitations, game = made["invitations"], str(made["game"])
        assert isinstance(invitations, dict)
        tokens = []
        for name, which in (("Ann", "mine"), ("Bo", "friend")):
            wish: Json = {"invitation": invitations[which], "name": name, "anchor": "00" * 32, "keep": True}
            tokens.append(str(posted(http, f"/api/games/{game}/join", wish)["token"]))
        return game, tokens

    def path(self, game: str) -> str:
        return f"/api/games/{game}/live"

    def headers(self, token: str) -> list[str]:
        return [f"Authorization: Bearer {token}"] if token else []

    def greet(self, socket: Socket, message: bytes, game: str, seat: int | None, token: str) -> bool:
        return b'"table"' in message

    def move(self, game: str, seat: int, number: int, word: str, token: str) -> bytes:
        return b'{"act":"%d","do":"move","move":"%s"}' % (number, word.encode())

    def is_move(self, message: bytes, number: int) -> bool:
        return b'"events":[{"seq":%d,' % (number + 5) in message


class BoardgameIo:
    """Socket.IO's packets: 0 and 40 open, 2 is answered with 3, 42 carries what the game's own protocol says."""

    def new_game(self, http: HTTPConnection) -> tuple[str, list[str]]:
        game = str(posted(http, "/games/tower/create", {"numPlayers": 2})["matchID"])
        joined = [
            posted(http, f"/games/tower/{game}/join", {"playerID": str(seat), "playerName": name})
            for seat, name in enumerate(("Ann", "Bo"))
        ]
        return game, [str(each["playerCredentials"]) for each in joined]

    def path(self, game: str) -> str:
        return "/socket.io/?EIO=4&transport=websocket"

    def headers(self, token: str) -> list[str]:
        return []

    def greet(self, socket: Socket, message: bytes, game: str, seat: int | None, token: str) -> bool:
        if message == b"2":
            socket.send(b"3")
        elif message.startswith(b"0"):
            socket.send(b"40/tower,")
        elif message.startswith(b"40"):
            who = None if seat is None else str(seat)
            socket.send(b"42/tower," + json.dumps(["sync", game, who, token or None, 2]).encode())
        return message.startswith((b'42/tower,["sync"', b'42/tower,["update"'))

    def move(self, game: str, seat: int, number: int, word: str, token: str) -> bytes:
        payload = {"type": word.split()[0], "args": word.split()[1:], "playerID": str(seat), "credentials": token}
        said = ["update", {"type": "MAKE_MOVE", "payload": payload}, number, game, str(seat)]
        return b"42/tower," + json.dumps(said, separators=(",", ":")).encode()

    def is_move(self, message: bytes, number: int) -> bool:
        return message.startswith(b'42/tower,["update"') and b'"_stateID":%d' % (number + 1) in message


DIALECTS: dict[str, Dialect] = {"duelbook": Duelbook(), "boardgame.io": BoardgameIo()}
