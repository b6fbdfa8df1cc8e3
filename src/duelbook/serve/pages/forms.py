"""What is sent by the forms of pages: a new game, sitting down, an act, going on elsewhere.

A browser without a script sends them as they are and is led to the page that shows what came of it. A script sends the
same, together with the anchor of a chain of its own, and is answered in JSON. Where there is no such anchor the server
keeps the secrets of the seat.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from contextlib import suppress
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from duelbook import load
from duelbook.core import BOTH, LUCK, DuelError
from duelbook.honest.chains import Chain
from duelbook.honest.writing import LENGTH
from duelbook.players import HUMAN, check_kind, short_kind
from duelbook.serve.desk import Desk, NotYours, Seated
from duelbook.serve.events import Json, Refused, TooLong
from duelbook.serve.guard import address_of
from duelbook.serve.limits import LARGEST_MESSAGE
from duelbook.serve.online import Online
from duelbook.serve.opening import LINKS, Wish
from duelbook.serve.pages.actions import SURE
from duelbook.serve.pages.document import document
from duelbook.serve.pages.markup import node
from duelbook.serve.pages.sight import keep_invitation, sight
from duelbook.serve.pages.table import shown
from duelbook.serve.visitor import give_seat, shown_of, token_of, viewer_of

FRIEND, OPEN = "friend", "open"
ANSWER = 2.0
"""Seconds that a page waits for the answer of a program, so that whoever plays one sees it at once."""
SCRIPTED = (
    "The secrets of your seat are with the script of the page on which you sat down. Wait a moment until the script is "
    "there, or turn scripts on again."
)
Given = dict[str, str]


async def given_in(request: Request) -> Given:
    """The fields of a form, of which each is there once."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_MESSAGE:
            raise TooLong(f"A message has at most {LARGEST_MESSAGE:,} bytes.")
    try:
        return dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=200, errors="strict"))
    except ValueError:
        raise Refused("That is not a form of these pages.") from None


def wants_json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


def led_to(way: str, request: Request, told: dict[str, Json] | None = None) -> Response:
    return JSONResponse(told or {}) if wants_json(request) else RedirectResponse(way, status_code=303)


# A new game


async def new(desk: Desk, request: Request) -> Response:
    given = await given_in(request)
    opponent, duel = given.get("opponent", FRIEND), given.get("duel", "")
    person = opponent in (FRIEND, OPEN)
    wish = Wish(
        duel,
        _rules(duel, given),
        (HUMAN, HUMAN if person else opponent),
        ("", "" if person else _called(desk, opponent)),
        given.get("first", "1"),
        _number(given.get("pace", "0")),
        opponent == OPEN,
    )
    made = await desk.make(wish, address_of(request.scope))
    seated = await _seated(desk, made.game, made.invitations[0], given)
    answer = led_to(f"/game/{made.game}", request, {"game": made.game})
    give_seat(answer, request, made.game, seated.token)
    if opponent == FRIEND:
        keep_invitation(answer, request, made.game, made.invitations[1])
    return answer


def _called(desk: Desk, kind: str) -> str:
    """A program as people call it: `Level 3 casual`, or by the name that the operator gave it."""
    words = kind.partition(":")[2] or kind if kind in desk.engines else short_kind(check_kind(kind))
    return words[:1].upper() + words[1:]


def _rules(duel: str, given: Given) -> tuple[str, ...]:
    """What was changed of the rules of this duel; the fields of other duels are on the same page."""
    game = load(duel)
    chosen = [(name, given.get(f"{duel}.{name}", "").strip()) for name in game.knobs]
    return tuple(
        f"{name}={text}" for name, text in chosen if text and text != game.knobs[name].show(getattr(game.book, name))
    )


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refused("The time for a move is a number of seconds.")
    return int(text)


# Sitting down


async def _seated(desk: Desk, game: str, invitation: str, given: Given) -> Seated:
    """With a chain of their own, or with one that the server keeps."""
    anchor, name = given.get("anchor", ""), given.get("name", "")
    if anchor:
        if len(anchor) != 2 * LENGTH or not set(anchor) <= set("0123456789abcdef"):
            raise Refused(f"anchor must be {2 * LENGTH} digits and letters from a to f.")
        return await desk.join(game, invitation, name, bytes.fromhex(anchor))
    chain = secrets.token_bytes(LENGTH)
    return await desk.join(game, invitation, name, Chain(chain, LINKS).anchor, chain)


async def sit(desk: Desk, request: Request) -> Response:
    game, given = request.path_params["game"], await given_in(request)
    code, kind = _code(given.get("invitation", ""))
    try:
        if kind == "on":
            seated = await desk.hand_over(game, code)
        else:
            seated = await _seated(desk, game, code or _from_before(request, given), given)
    except DuelError as error:
        if wants_json(request):
            raise
        return await shown(desk, request, str(error))
    answer = led_to(f"/game/{game}", request, {"seat": seated.seat})
    give_seat(answer, request, game, seated.token)
    return answer


def _from_before(request: Request, given: Given) -> str:
    """Who sat in the game before this one sits down here by that."""
    return token_of(request, given["after"]) if given.get("after") else ""


def _code(text: str) -> tuple[str, str]:
    """What stands behind the # of a link, and what it is for; or the text itself, which is an invitation then."""
    found = re.search(r"[#&](i|on)=([\w-]+)", text)
    return (found[2], found[1]) if found else (text.strip(), "i")


# At the table


async def do(desk: Desk, request: Request) -> Response:
    game, given = request.path_params["game"], await given_in(request)
    seat = await viewer_of(request, game)
    if seat is None:
        raise NotYours("Only somebody who sits there can do that.")
    online = await desk.online(game)
    try:
        question = _question(online, seat, given)
        if question and "sure" not in given:
            return _ask(game, question, given)
        await desk.act(game, seat, given.get("act", ""), _act(online, seat, given), shown_of(request, game))
    except Refused as error:
        return await shown(desk, request, str(error))
    await _answered(desk, game)
    return RedirectResponse(f"/game/{game}", status_code=303)


def _act(online: Online, seat: int, given: Given) -> dict[str, Json]:
    what, match = given.get("do", ""), online.match
    if what in ("move", "link") and match is not None and match.turn in (BOTH, LUCK) and not online.seats[seat].kept:
        raise Refused(SCRIPTED)
    return {name: given[name] for name in ("do", "move", "said") if name in given}


def _question(online: Online, seat: int, given: Given) -> str:
    """What is asked before something that cannot be taken back, and that few would want."""
    match, words = online.match, given.get("move")
    if given.get("do") in SURE:
        return SURE[given["do"]]
    if match is None or match.outcome is not None or match.turn != BOTH:
        return ""
    known = match.game.dialogue.words(match.rules)
    if words in known and match.game.foul(match.rules, match.state, seat, known.index(words)):
        about = match.game.dialogue.effect(match.rules, match.state, seat, known.index(words))
        return f"{words}: {about}. Do it all the same?"
    return ""


def _ask(game: str, question: str, given: Given) -> Response:
    fields = [node("input", type="hidden", name=name, value=value) for name, value in given.items()]
    return document(
        "Are you sure? · Duelbook",
        node("h1", "Are you sure?"),
        node("p", question),
        node(
            "form",
            *fields,
            node("button", "Yes", type="submit", name="sure", value="1", class_="primary"),
            method="post",
            action=f"/game/{game}/do",
        ),
        node("p", node("a", "No, back to the table", href=f"/game/{game}")),
    )


async def _answered(desk: Desk, game: str) -> None:
    """Wait a moment for a program that thinks."""
    news = desk.listen(game)
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER):
                while (await desk.online(game)).programs_due():
                    await news.wait()
                    news.clear()
    finally:
        desk.stop_listening(game, news)


async def offer(desk: Desk, request: Request) -> Response:
    """What lets whoever sits here go on on another device. A script puts the secrets of the seat behind the #."""
    seen = await sight(desk, request)
    if seen.viewer is None:
        raise NotYours("Only somebody who sits there can do that.")
    if not wants_json(request) and not seen.online.seats[seen.viewer].kept:
        raise Refused(SCRIPTED)
    code = await desk.offer(seen.online.id, seen.viewer, shown_of(request, seen.online.id))
    if wants_json(request):
        return JSONResponse({"offer": code})
    way = f"{seen.address}#on={code}"
    return document(
        "Go on on another device · Duelbook",
        node("h1", "Go on on another device"),
        node("label", "Open the table there, and give it this link. It works once, within ten minutes:", for_="on"),
        node("input", id="on", value=way, readonly=True, class_="way", dir="ltr"),
        node("p", "This browser only watches from then on.", class_="quiet"),
        node("p", node("a", "Back to the table", href=f"/game/{seen.online.id}")),
    )
