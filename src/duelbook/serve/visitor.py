"""Whoever asks: the desk that answers them, and the seat that they can show to be theirs."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.responses import Response

from duelbook.serve.desk import Desk, token_digest

A_MONTH = 30 * 24 * 3600


def desk_of(connection: HTTPConnection) -> Desk:
    desk = connection.app.state.desk
    assert isinstance(desk, Desk)
    return desk


def cookie_name(game: str) -> str:
    return f"seat-{game}"


def token_of(connection: HTTPConnection, game: str) -> str:
    """What somebody shows to prove that they sit there: a cookie of this game, or a header."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" else connection.cookies.get(cookie_name(game), "")


def shown_of(connection: HTTPConnection, game: str) -> str:
    """The digest of that, for whoever checks it again when what they do is decided."""
    return token_digest(token_of(connection, game))


async def viewer_of(connection: HTTPConnection, game: str) -> int | None:
    """The seat of whoever asks; None for somebody who watches. A token that is wrong is refused, not ignored.

    `?watch` shows none: so a page goes on watching when its seat has moved to another device, and its cookie is old.
    """
    if "watch" in connection.query_params:
        return None
    token = token_of(connection, game)
    return await desk_of(connection).seat_of(game, token) if token else None


def give_seat(answer: Response, connection: HTTPConnection, game: str, token: str) -> None:
    """Let the browser show this token from now on; no script can read it, and no other place gets it."""
    keep(answer, connection, cookie_name(game), token)


def keep(answer: Response, connection: HTTPConnection, name: str, value: str) -> None:
    secure = connection.url.scheme == "https"
    answer.set_cookie(name, value, max_age=A_MONTH, httponly=True, samesite="strict", secure=secure)
