"""A table: drawn whole for a page that is opened, and in parts for the script of one that is open."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from duelbook.core import LUCK
from duelbook.match import last_picks
from duelbook.players import short_kind
from duelbook.scene import scene_in_play, scene_of
from duelbook.serve.desk import Desk
from duelbook.serve.events import Json
from duelbook.serve.pages import actions, again, aside, scene
from duelbook.serve.pages.advice import advice, coaches
from duelbook.serve.pages.document import document
from duelbook.serve.pages.markup import Node, as_json, node
from duelbook.serve.pages.sight import Sight, sight
from duelbook.serve.pages.words import standing
from duelbook.serve.told import asks

LONGEST_LOOK = 20.0
"""Seconds that a page which looks again waits for something to have happened."""


async def game(desk: Desk, request: Request) -> Response:
    """The whole table. `?after=5` waits until something comes behind event 5: so one who has no script looks again."""
    await _news(desk, request)
    return await shown(desk, request)


async def shown(desk: Desk, request: Request, refused: str = "") -> Response:
    """The table as whoever asks sees it, with the sentence that answers what they tried and could not do."""
    seen = await sight(desk, request)
    online = seen.online
    title = f"{online.duel.name}: {online.seats[0].name} against {online.seats[1].name}"
    differs = [node("p", f"With other rules: {', '.join(online.differs)}", class_="quiet")] if online.differs else []
    parts = drawn(seen)
    told = await advice(desk, request, seen) if "coach" in request.query_params else []
    lines = _lines(seen, 0)
    body = node(
        "div",
        node("h1", online.duel.name),
        *differs,
        node("p", *parts["standing"], id="standing", tabindex="-1"),
        node(
            "div",
            node(
                "div",
                node("section", *parts["scene"], id="scene", aria_label="The table"),
                node("section", *parts["actions"], id="actions", aria_label="What you can do", tabindex="-1"),
                node("p", refused, id="note"),
                node("section", *coaches(seen, told), id="coach", aria_label="The coach"),
                class_="board",
            ),
            node(
                "div",
                node(
                    "section",
                    node("h2", "The story"),
                    node(
                        "div",
                        node("div", *lines),
                        id="story",
                        tabindex="0",
                        role="group",
                        aria_label="The story so far",
                    ),
                    aria_label="The story",
                ),
                node("section", *parts["aside"], id="aside", aria_label="Around the game"),
                node("section", *parts["keys"], id="keys", aria_label="Keys", class_="scripted"),
                class_="beside",
            ),
            class_="columns",
        ),
        node("div", id="spoken", class_="unseen", aria_live="polite"),
        id="table",
        data_game=online.id,
        data_duel=online.duel.id,
        data_lines=len(lines),
        data_stale=seen.stale,
    )
    return document(f"{title} · Duelbook", body, script="table.js", code=409 if refused else 200)


async def _news(desk: Desk, request: Request) -> None:
    """Wait a while for something that whoever looks again has not seen."""
    after, game = request.query_params.get("after", ""), request.path_params["game"]
    if not (after.isascii() and after.isdigit() and len(after) < 10):
        return
    await desk.online(game)  # there is one
    news = desk.listen(game)
    try:
        if not await desk.events(game, int(after)):
            with suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), LONGEST_LOOK)
    finally:
        desk.stop_listening(game, news)


def drawn(seen: Sight) -> dict[str, Sequence[Node | str]]:
    """The parts of a table that change, by their places."""
    online = seen.online
    match = online.match
    state = online.duel.start(online.rules, online.first) if match is None else match.state
    picture = (
        scene_of(online.duel, online.rules, state)
        if match is None
        else scene_in_play(online.duel, online.rules, state, last_picks(match.steps))
    )
    names = [seat.name if seat.is_taken else f"{seat.name} (not here yet)" for seat in online.seats]
    about = ["" if seat.is_person else _about(seat.kind, seat.name) for seat in online.seats]
    due = () if online.over or match is None else online.due()
    return {
        "standing": [standing(seen)],
        "scene": scene.drawn(picture, names, you=seen.viewer, due=due, left=seen.time_left, about=about),
        "actions": [*actions.drawn(seen), *again.drawn(seen)],
        "aside": aside.drawn(seen),
        "keys": _keys(seen),
    }


def _about(kind: str, name: str) -> str:
    words = short_kind(kind)
    return "" if words.lower() == name.lower() else words


def _lines(seen: Sight, start: int) -> list[Node]:
    told = seen.online.story.lines(seen.online.match)[start:]
    return [node("p", line.text, class_=(line.tone or "plain") if line.text else "gap") for line in told]


def _keys(seen: Sight) -> list[Node]:
    """For whoever has moves to play, and with the coach's key where there is a coach."""
    online, viewer = seen.online, seen.viewer
    if viewer is None or online.over:
        return []
    box = node("input", type="checkbox", id="letters", checked=True)
    coach = "" if online.seats[1 - viewer].is_person else ", ? to the coach"
    words = f" The keys shown on moves lead to them; Enter plays. / leads to the line for words{coach}."
    return [node("label", box, words, for_="letters")]


# For the script of a page that is open


async def parts(desk: Desk, request: Request) -> Response:
    """The same in parts, as trees, and what a script needs to act; of the story only what comes behind a line."""
    seen = await sight(desk, request)
    known = request.query_params.get("lines", "0")
    start = int(known) if known.isascii() and known.isdigit() and len(known) < 7 else 0
    return JSONResponse(told(seen, start))


def told(seen: Sight, start: int) -> dict[str, Json]:
    places: dict[str, Json] = {name: [as_json(part) for part in inside] for name, inside in drawn(seen).items()}
    lines: list[Json] = [as_json(line) for line in _lines(seen, start)]
    return {
        "seq": seen.online.last.seq if seen.online.last else 0,
        "parts": places,
        "from": start,
        "lines": lines,
        "hand": _hand(seen),
    }


def _hand(seen: Sight) -> dict[str, Json]:
    """What the script of a page acts by."""
    online, match = seen.online, seen.online.match
    return {
        "seq": online.last.seq if online.last else 0,
        "you": seen.viewer,
        "stale": seen.stale,
        "mine": seen.mine,
        "asks": asks(online),
        "turn": match.turns + 1 if match else 0,
        "draw": online.draws + 1,
        "draws": bool(match and match.turn == LUCK and match.next_seat() == seen.viewer),
        "carries": bool(online.duel.faces),
        "links": online.links,
        "kept": seen.viewer is not None and online.seats[seen.viewer].kept,
        "coached": bool(coaches(seen, [])),
        "over": online.over,
        "next": online.next_game,
        "again": seen.viewer is not None and online.seats[seen.viewer].again,
        "claim": seen.claim_in,
    }
