"""The puzzle of the day: a position in which one choice is right. The answer is judged here, and needs no script."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from starlette.requests import Request
from starlette.responses import Response

from duelbook import load
from duelbook.core import BadPosition, Game, Misread
from duelbook.games import load_all
from duelbook.puzzles.source import daily_game
from duelbook.scene import scene_of
from duelbook.serve.coaching import Posed, pose, solve
from duelbook.serve.desk import Desk
from duelbook.serve.guard import address_of
from duelbook.serve.pages import scene
from duelbook.serve.pages.document import document
from duelbook.serve.pages.forms import given_in
from duelbook.serve.pages.markup import Node, node

EARLIEST = date(2020, 1, 1)


async def puzzle(desk: Desk, request: Request) -> Response:
    return await _page(desk, request)


async def answered(desk: Desk, request: Request) -> Response:
    said = (await given_in(request)).get("answer", "")
    return await _page(desk, request, said)


async def _page(desk: Desk, request: Request, said: str = "") -> Response:
    today = datetime.fromtimestamp(desk.clock(), UTC).date()
    day = _day(request, today)
    game = load(request.path_params["duel"]) if "duel" in request.path_params else daily_game(day)
    posed = await desk.coach.ask_for(address_of(request.scope), pose, game.id, day)
    title = "The puzzle of the day" if day == today else f"The puzzle of {day:%Y-%m-%d}"
    verdict = await _verdict(desk, request, game, day, said) if said else []
    return document(
        f"{title} · Duelbook",
        node("h1", title),
        node("p", f"{game.name}, {day:%Y-%m-%d}, rated {posed.rating}", class_="lead"),
        node("section", *_position(game, posed), id="scene", aria_label="The position"),
        _in_words(posed),
        node("p", posed.lines[-1][0], class_="question"),
        *verdict,
        _choices(game, posed, day),
        _others(game, day, today),
        here="/puzzle",
    )


def _day(request: Request, today: date) -> date:
    """The day that is asked for; one that is still to come is not told."""
    text = request.query_params.get("day", "")
    try:
        return min(max(date.fromisoformat(text), EARLIEST), today) if text else today
    except ValueError:
        raise BadPosition("A day looks like 2026-11-18.") from None


def _position(game: Game, posed: Posed) -> list[Node]:
    state = game.read_position(game.book, posed.position)
    return scene.drawn(scene_of(game, game.book, state), game.seats, due=(posed.seat,))


def _in_words(posed: Posed) -> Node:
    """The position as the duel itself tells it, for whoever would rather read."""
    lines = [node("p", text, class_=tone or "plain") for text, tone in posed.lines[:-1] if text]
    return node("details", node("summary", "In words"), *lines)


async def _verdict(desk: Desk, request: Request, game: Game, day: date, said: str) -> list[Node]:
    try:
        right, lines = await desk.coach.ask_for(address_of(request.scope), solve, game.id, day, said)
    except Misread as error:
        return [node("p", str(error), id="note")]
    kind = "verdict right" if right else "verdict wrong"
    return [node("section", *(node("p", line) for line in lines), class_=kind, aria_label="The answer", id="answer")]


def _choices(game: Game, posed: Posed, day: date) -> Node:
    state, words = game.read_position(game.book, posed.position), game.dialogue.words(game.book)
    rows = []
    for word in posed.choices:
        about = game.dialogue.effect(game.book, state, posed.seat, words.index(word))
        parts = (node("span", word[:1].upper() + word[1:], class_="word"), node("span", f" {about}", class_="about"))
        rows.append(node("li", node("button", *parts, type="submit", name="answer", value=word, class_="move")))
    kind = "moves many" if len(rows) > 6 else "moves"
    way = f"/puzzle/{game.id}?day={day.isoformat()}#answer"
    return node("form", node("ul", *rows, class_=kind), method="post", action=way)


def _others(game: Game, day: date, today: date) -> Node:
    before = (day - timedelta(days=1)).isoformat()
    ways = [(f"/puzzle/{each.id}?day={day.isoformat()}", each.name) for each in load_all() if each.id != game.id]
    links = [node("li", node("a", words, href=way)) for way, words in ways]
    links.append(node("li", node("a", "The day before", href=f"/puzzle/{game.id}?day={before}")))
    return node("nav", node("h2", "Other puzzles"), node("ul", *links, class_="ways"), aria_label="Other puzzles")
