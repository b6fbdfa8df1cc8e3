"""The server: games over HTTP, and the same messages over WebSocket; docs/online-protocol.md has them all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from duelbook.core import DuelError
from duelbook.honest.writing import LENGTH
from duelbook.players import HUMAN
from duelbook.record import writes
from duelbook.serve import pages
from duelbook.serve.desk import Desk, NoGame, NotYours
from duelbook.serve.events import Json, Refused, dumped
from duelbook.serve.export import record_of
from duelbook.serve.guard import Guard
from duelbook.serve.limits import LARGEST_MESSAGE, Rate
from duelbook.serve.opening import Wish
from duelbook.serve.public import public
from duelbook.serve.told import table

STATIC = Path(__file__).parent / "static"
LONGEST_WAIT = 25.0
"""Seconds that a question for news is held open."""
SLOWEST_READER = 10.0
"""Seconds in which somebody must take what they are sent, before they are let go."""
Handler = Callable[[Request], Coroutine[None, None, Response]]


def application(desk: Desk, hosts: Iterable[str], *, trust_proxy: bool = False, rate: Rate | None = None) -> Guard:
    """Everything that `duelbook serve` serves, behind its guard."""
    routes = [
        Route("/", _page(pages.lobby)),
        Route("/game/{game}", _page(pages.game)),
        Route("/rules/{duel}", _page(pages.rules)),
        Route("/api/games", _answering(_create), methods=["POST"]),
        Route("/api/games", _answering(_games), methods=["GET"]),
        Route("/api/games/{game}", _answering(_table)),
        Route("/api/games/{game}/join", _answering(_join), methods=["POST"]),
        Route("/api/games/{game}/act", _answering(_act), methods=["POST"]),
        Route("/api/games/{game}/events", _answering(_events)),
        Route("/api/games/{game}/record", _answering(_record)),
        WebSocketRoute("/api/games/{game}/live", _live),
        Route("/health", _answering(_health)),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    app = Starlette(routes=routes)
    app.state.desk = desk
    return Guard(app, hosts, trust_proxy=trust_proxy, rate=rate or Rate(60, 20))


def _answering(handle: Handler) -> Handler:
    """What a handler answers, and every refusal as a sentence with its code."""

    async def answer(request: Request) -> Response:
        try:
            return await handle(request)
        except NoGame as error:
            return JSONResponse({"refused": str(error)}, status_code=404)
        except NotYours as error:
            return JSONResponse({"refused": str(error)}, status_code=403)
        except Refused as error:
            return JSONResponse({"refused": str(error)}, status_code=409)
        except DuelError as error:
            return JSONResponse({"refused": str(error)}, status_code=400)

    return answer


def _page(make: Callable[[Desk, Request], Coroutine[None, None, Response]]) -> Handler:
    async def page(request: Request) -> Response:
        try:
            return await make(_desk(request), request)
        except NoGame as error:
            return pages.sorry(str(error), 404)
        except DuelError as error:
            return pages.sorry(str(error), 400)

    return page


def _desk(connection: HTTPConnection) -> Desk:
    desk = connection.app.state.desk
    assert isinstance(desk, Desk)
    return desk


# What is sent


def _read(text: str | bytes) -> dict[str, Json]:
    """A message as an object of JSON. Raises Refused for anything else."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("That is not JSON.") from None
    if not isinstance(found, dict):
        raise Refused("A message is an object of JSON.")
    return found


async def _message(request: Request) -> dict[str, Json]:
    """What was sent, as far as it is not too long: whoever says nothing of its length is not read to the end."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_MESSAGE:
            raise Refused(f"A message has at most {LARGEST_MESSAGE:,} bytes.")
    return _read(body)


def _text(message: dict[str, Json], name: str, usual: str = "") -> str:
    value = message.get(name, usual)
    if not isinstance(value, str):
        raise Refused(f"{name} must be a text.")
    return value


def _token(connection: HTTPConnection, game: str) -> str:
    """What somebody shows to prove that they sit there: a cookie of this game, or a header."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" else connection.cookies.get(cookie_name(game), "")


def cookie_name(game: str) -> str:
    return f"seat-{game}"


async def _viewer(connection: HTTPConnection, game: str) -> int | None:
    """The seat of whoever asks; None for somebody who watches. A token that is wrong is refused, not ignored."""
    token = _token(connection, game)
    return await _desk(connection).seat_of(game, token) if token else None


# HTTP


async def _create(request: Request) -> Response:
    message, desk = await _message(request), _desk(request)
    rules = message.get("rules", [])
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        raise Refused("rules must be a list of texts such as hp=60.")
    seat = message.get("seat", 1)
    if seat not in (1, 2):
        raise Refused("seat is 1 or 2.")
    mine = 0 if seat == 1 else 1
    opponent = _text(message, "opponent", HUMAN)
    pace = message.get("pace", 0)
    if not isinstance(pace, int):
        raise Refused("pace is a number of seconds.")
    kinds = [HUMAN, HUMAN]
    kinds[1 - mine] = opponent
    names = ["", ""]
    names[1 - mine] = "" if opponent == HUMAN else opponent
    wish = Wish(
        _text(message, "duel"),
        tuple(str(rule) for rule in rules),
        (kinds[0], kinds[1]),
        (names[0], names[1]),
        _text(message, "first", "1"),
        pace,
        message.get("open") is True,
    )
    made = await desk.create(wish)
    invitations: dict[str, Json] = {"mine": made.invitations[mine]}
    if opponent == HUMAN:
        invitations["friend"] = made.invitations[1 - mine]
    return JSONResponse({"game": made.game, "invitations": invitations}, status_code=201)


async def _join(request: Request) -> Response:
    game, message = request.path_params["game"], await _message(request)
    anchor = _text(message, "anchor")
    if len(anchor) != 2 * LENGTH or not set(anchor) <= set("0123456789abcdef"):
        raise Refused(f"anchor must be {2 * LENGTH} digits and letters from a to f.")
    invitation = _text(message, "invitation") or (
        _token(request, _text(message, "after")) if "after" in message else ""
    )
    seated = await _desk(request).join(game, invitation, _text(message, "name"), bytes.fromhex(anchor))
    if message.get("keep") is True:  # a program or a terminal keeps it itself
        return JSONResponse({"seat": seated.seat, "token": seated.token})
    answer = JSONResponse({"seat": seated.seat})
    secure = request.url.scheme == "https"
    answer.set_cookie(
        cookie_name(game), seated.token, max_age=30 * 24 * 3600, httponly=True, samesite="strict", secure=secure
    )
    return answer


async def _act(request: Request) -> Response:
    game, message = request.path_params["game"], await _message(request)
    seat = await _viewer(request, game)
    if seat is None:
        raise NotYours("Only somebody who sits there can do that.")
    events = await _desk(request).act(game, seat, _text(message, "act"), message)
    return JSONResponse({"events": [public(event, seat) for event in events]})


async def _events(request: Request) -> Response:
    """Everything behind an event. With `wait` the answer comes when there is something, or after so many seconds."""
    game, desk = request.path_params["game"], _desk(request)
    viewer = await _viewer(request, game)
    after, wait = _number(request, "after"), min(_number(request, "wait"), LONGEST_WAIT)
    news = desk.listen(game)
    try:
        found = await desk.events(game, after)
        if not found and wait:
            with suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), wait)
            found = await desk.events(game, after)
    finally:
        desk.stop_listening(game, news)
    return JSONResponse({"events": [public(event, viewer) for event in found]})


def _number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "0")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refused(f"{name} must be a number.")
    return int(text)


async def _table(request: Request) -> Response:
    game = request.path_params["game"]
    viewer = await _viewer(request, game)
    return JSONResponse(table(await _desk(request).online(game), viewer))


async def _record(request: Request) -> Response:
    online = await _desk(request).online(request.path_params["game"])
    return PlainTextResponse(writes(record_of(online)))


async def _games(request: Request) -> Response:
    """Games that wait for somebody: anybody may sit down there."""
    waiting = await pages.open_games(_desk(request))
    return JSONResponse({"games": [{"game": each.id, "duel": each.duel.id} for each in waiting]})


async def _health(request: Request) -> Response:
    _desk(request).store.games(most=1)
    return JSONResponse({"ok": True})


# WebSocket


async def _live(socket: WebSocket) -> None:
    """The events of a game as they come, with the table after them; acts are answered by their own names."""
    game, desk = socket.path_params["game"], _desk(socket)
    try:
        viewer = await _viewer(socket, game)
        after = int(socket.query_params.get("after", "0")[:9] or 0)
    except (DuelError, ValueError):
        await socket.close(1008, "There is no such game here, or that is not your seat.")
        return
    await socket.accept()
    news = desk.listen(game)
    news.set()
    telling = asyncio.ensure_future(_tell(socket, desk, game, viewer, after, news))
    try:
        while True:
            text = await socket.receive_text()
            if len(text.encode()) > LARGEST_MESSAGE:
                break
            await _answer(socket, desk, game, viewer, text)
    except (WebSocketDisconnect, RuntimeError, KeyError):
        pass
    finally:
        telling.cancel()
        desk.stop_listening(game, news)
        with suppress(Exception):
            await socket.close()


async def _tell(socket: WebSocket, desk: Desk, game: str, viewer: int | None, after: int, news: asyncio.Event) -> None:
    while True:
        await news.wait()
        news.clear()
        events = await desk.events(game, after)
        online = await desk.online(game)
        if events:
            after = events[-1].seq
        told = {"events": [public(event, viewer) for event in events], "table": table(online, viewer)}
        await asyncio.wait_for(socket.send_text(dumped(told)), SLOWEST_READER)


async def _answer(socket: WebSocket, desk: Desk, game: str, viewer: int | None, text: str) -> None:
    """Do what a message says, and answer under the name that it gave itself."""
    said: dict[str, Json] = {"answer": ""}
    try:
        message = _read(text)
        said["answer"] = _text(message, "act")
        if message.get("do") != "ping":  # which asks for nothing but an answer
            if viewer is None:
                raise NotYours("Only somebody who sits there can do that.")
            await desk.act(game, viewer, _text(message, "act"), message)
    except DuelError as error:
        said["refused"] = str(error)
    await socket.send_text(dumped(said))
