"""The server: games over HTTP; docs/online-protocol.md has every message, and `live.py` those over WebSocket."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from duelbook.core import DuelError
from duelbook.honest.writing import LENGTH
from duelbook.players import HUMAN
from duelbook.record import writes
from duelbook.serve import asking, pages
from duelbook.serve.desk import Desk, NotYours, Offer
from duelbook.serve.events import Json, Malformed, TooLong
from duelbook.serve.guard import Guard, address_of
from duelbook.serve.limits import LARGEST_MESSAGE, LOOKS, NONE, Limits, Rate
from duelbook.serve.opening import Wish
from duelbook.serve.pages.document import code_of, sorry
from duelbook.serve.public import public
from duelbook.serve.recorded import record_of
from duelbook.serve.told import table_text
from duelbook.serve.visitor import desk_of, give_seat, shown_of, token_of, viewer_of

STATIC = Path(__file__).parent / "static"
LONGEST_WAIT = 25.0
"""Seconds that a question for news is held open."""
SHORTEST_TOKEN, LONGEST_TOKEN = 32, 64
"""Letters of a token that a terminal or a program has chosen: 32 of base64 are 192 bits."""
Handler = Callable[[Request], Coroutine[None, None, Response]]


def application(desk: Desk, hosts: Iterable[str], *, trust_proxy: bool = False, limits: Limits = NONE) -> Guard:
    """Everything that `duelbook serve` serves, behind its guard."""
    routes = [
        *pages.ROUTES,
        Route("/api/games", _answering(_create), methods=["POST"]),
        Route("/api/games", _answering(_games), methods=["GET"]),
        Route("/api/games/{game}", _answering(_table)),
        Route("/api/games/{game}/join", _answering(_join), methods=["POST"]),
        Route("/api/games/{game}/act", _answering(_act), methods=["POST"]),
        Route("/api/games/{game}/events", _answering(_events)),
        Route("/api/games/{game}/record", _answering(_record)),
        Route("/health", _answering(_health)),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    app = Starlette(routes=routes, exception_handlers={404: _nowhere, 405: _nowhere})
    app.state.desk = desk
    acts, looks = (Rate(times * limits.burst, times * limits.a_second) for times in (1, LOOKS))
    return Guard(app, hosts, trust_proxy=trust_proxy, rate=acts, looks=looks, at_once=limits.sockets)


async def _nowhere(request: Request, error: Exception) -> Response:
    """There is nothing at this address, or nothing to look at: said as everything else is said there."""
    code = error.status_code if isinstance(error, HTTPException) else 404
    words = (
        "There is nothing at this address."
        if code == 404
        else "This address takes what a page sends; it shows nothing."
    )
    if request.url.path.startswith("/api/"):
        return JSONResponse({"refused": words}, status_code=code)
    return sorry(words, code)


def _answering(handle: Handler) -> Handler:
    """What a handler answers, and every refusal as a sentence with its code."""

    async def answer(request: Request) -> Response:
        try:
            return await handle(request)
        except DuelError as error:
            return JSONResponse({"refused": str(error)}, status_code=code_of(error))

    return answer


async def _message(request: Request) -> dict[str, Json]:
    """What was sent, as far as it is not too long: whoever says nothing of its length is not read to the end."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_MESSAGE:
            raise TooLong(f"A message has at most {LARGEST_MESSAGE:,} bytes.")
    return asking.read(body)


# HTTP


async def _create(request: Request) -> Response:
    message, desk = await _message(request), desk_of(request)
    rules = message.get("rules", [])
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        raise Malformed("rules must be a list of texts such as hp=60.")
    seat = message.get("seat", 1)
    if seat not in (1, 2) or isinstance(seat, bool):
        raise Malformed("seat is 1 or 2.")
    mine = 0 if seat == 1 else 1
    opponent = asking.text(message, "opponent", HUMAN)
    pace = message.get("pace", 0)
    if not isinstance(pace, int) or isinstance(pace, bool):
        raise Malformed("pace is a number of seconds.")
    kinds = [HUMAN, HUMAN]
    kinds[1 - mine] = opponent
    names = ["", ""]
    names[1 - mine] = "" if opponent == HUMAN else opponent
    wish = Wish(
        asking.text(message, "duel"),
        tuple(str(rule) for rule in rules),
        (kinds[0], kinds[1]),
        (names[0], names[1]),
        asking.text(message, "first", "1"),
        pace,
        message.get("open") is True,
    )
    made = await desk.make(wish, address_of(request.scope))
    invitations: dict[str, Json] = {"mine": made.invitations[mine]}
    if opponent == HUMAN:
        invitations["friend"] = made.invitations[1 - mine]
    return JSONResponse({"game": made.game, "invitations": invitations}, status_code=201)


async def _join(request: Request) -> Response:
    game, message = request.path_params["game"], await _message(request)
    anchor = asking.text(message, "anchor")
    if len(anchor) != 2 * LENGTH or not set(anchor) <= set("0123456789abcdef"):
        raise Malformed(f"anchor must be {2 * LENGTH} digits and letters from a to f.")
    invitation = asking.text(message, "invitation") or (
        token_of(request, asking.text(message, "after")) if "after" in message else ""
    )
    token, program = asking.text(message, "token"), message.get("program") is True
    if token and not SHORTEST_TOKEN <= len(token) <= LONGEST_TOKEN:
        raise Malformed(f"A token of your own has {SHORTEST_TOKEN} to {LONGEST_TOKEN} letters that nobody guesses.")
    seated = await desk_of(request).join(
        game, invitation, asking.text(message, "name"), bytes.fromhex(anchor), token=token, program=program
    )
    if token or message.get("keep") is True:  # a program or a terminal keeps it itself
        return JSONResponse({"seat": seated.seat, "token": seated.token})
    answer = JSONResponse({"seat": seated.seat})
    give_seat(answer, request, game, seated.token)
    return answer


async def _act(request: Request) -> Response:
    game, message = request.path_params["game"], await _message(request)
    seat = await viewer_of(request, game)
    if seat is None:
        raise NotYours("Only somebody who sits there can do that.")
    events = await desk_of(request).act(game, seat, asking.text(message, "act"), message, shown_of(request, game))
    return JSONResponse({"events": [public(event, seat) for event in events]})


async def _events(request: Request) -> Response:
    """Everything behind an event. With `wait` the answer comes when there is something, or after so many seconds."""
    game, desk = request.path_params["game"], desk_of(request)
    viewer = await viewer_of(request, game)
    after, wait = asking.number(request, "after"), min(asking.number(request, "wait"), LONGEST_WAIT)
    found = await desk.wait_for_news(game, after, wait)
    return JSONResponse({"events": [public(event, viewer) for event in found]})


async def _table(request: Request) -> Response:
    game = request.path_params["game"]
    viewer = await viewer_of(request, game)
    return Response(table_text(await desk_of(request).online(game), viewer), media_type="application/json")


async def _record(request: Request) -> Response:
    online = await desk_of(request).online(request.path_params["game"])
    return PlainTextResponse(writes(record_of(online)))


async def _games(request: Request) -> Response:
    """Games that wait for somebody: anybody may sit down there."""
    waiting = await desk_of(request).offers()
    return JSONResponse({"games": [_shown_waiting(each) for each in waiting]})


def _shown_waiting(offer: Offer) -> dict[str, Json]:
    online, who = offer.online, offer.online.seats[offer.seat]
    about: dict[str, Json] = {"name": who.name, "program": who.program, "pace": int(online.pace)}
    away = int(offer.away) if offer.is_away else 0
    return {"game": online.id, "duel": online.duel.id, "rules": list(online.differs), **about, "away": away}


async def _health(request: Request) -> Response:
    desk_of(request).store.lasts(["any"])
    return JSONResponse({"ok": True})
