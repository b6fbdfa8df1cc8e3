"""A finished game, looked back at: who was ahead when, what every decision gave away, and why it did."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from duelbook.core import DuelError
from duelbook.honest.proof import prove
from duelbook.record import reads, writes
from duelbook.serve.coaching import Looked, Row, look_back
from duelbook.serve.desk import Desk
from duelbook.serve.events import Refused
from duelbook.serve.guard import address_of
from duelbook.serve.online import Online
from duelbook.serve.pages.document import document
from duelbook.serve.pages.graph import graph
from duelbook.serve.pages.markup import Node, as_json, node
from duelbook.serve.recorded import record_of

CAPTION = "Chances are those of the player who decided; changes are in points of them."
UNBROKEN = re.compile(r"(?<=\d)-(?=\d)")
"""In a result: no line ends between the two halves of it."""


async def finished(desk: Desk, request: Request) -> Online:
    """The game that was asked for, if it is over: until then looking back would be advice."""
    online = await desk.online(request.path_params["game"])
    if not online.over:
        raise Refused("The game goes on; it can be looked back at when it is over.")
    if online.match is None:
        raise Refused("The game was withdrawn before it began: there is nothing to look back at.")
    return online


async def review(desk: Desk, request: Request) -> Response:
    online = await finished(desk, request)
    text = writes(record_of(online))
    title = f"{online.duel.name}, looked back at"
    try:
        found = await desk.coach_of(online).ask_for(address_of(request.scope), look_back, text)
        told = _told(online, found)
    except DuelError as error:
        told = [node("p", str(error))]
    return document(f"{title} · Duelbook", node("h1", title), *told, *_proof(online, text), _ways(online))


def _told(online: Online, found: Looked) -> list[Node]:
    one, two = found.names
    meaning = f"The chance of {one} after every turn, if both had played perfectly from there."
    return [
        node("p", UNBROKEN.sub("\N{NON-BREAKING HYPHEN}", found.heading), class_="lead"),
        node("h2", "Who was ahead"),
        node("p", f"{meaning} Up: {one} is ahead; down: {two} is."),
        node("div", graph(found.curve, found.marks, found.names, ended=found.ends_apart), class_="wide", tabindex="0"),
        node("p", "?? blunder, ? mistake, ?! inaccuracy", class_="quiet") if found.marks else node("p", found.flawless),
        *_lines("What mattered most", [words for _, words in found.slips]),
        *_whys(found),
        node("h2", "Every decision"),
        _table(online, found),
        *[node("p", line, class_="quiet") for line in found.numbers],
        node("h2", "Luck and skill"),
        node("pre", "\n".join(found.sums), class_="columned", tabindex="0"),
        *[node("p", line) for line in found.averages],
    ]


def _lines(heading: str, lines: list[str]) -> list[Node]:
    return [node("h2", heading), node("ul", *(node("li", line) for line in lines))] if lines else []


def _whys(found: Looked) -> list[Node]:
    """Each decision, and below it what is said to whoever made it."""
    said = [(node("p", slip), node("ul", *(node("li", line) for line in lines))) for slip, lines in found.reasons]
    return [node("h2", "And why"), *(part for parts in said for part in parts)] if said else []


def _table(online: Online, found: Looked) -> Node:
    """What was decided and what it cost come first: a phone shows so much before one has to reach for the rest."""
    here = [found.opponent] if found.opponent else []
    luck, guess = (["Luck"] if found.by_luck else []), (["Guess"] if found.by_guess else [])
    head = ["Turn", "Player", "Move", "Lost", "Better", "Mark", "Wins", *here, *luck, *guess]
    rows = [node("tr", *_cells(online, found, row), class_=row.mark.partition(" ")[0] or None) for row in found.rows]
    table = node(
        "table",
        node("caption", node("span", CAPTION), class_="quiet"),
        node("thead", node("tr", *(node("th", words, scope="col") for words in head))),
        node("tbody", *rows),
    )
    return node("div", table, class_="wide", tabindex="0")


def _cells(online: Online, found: Looked, row: Row) -> list[Node]:
    turn = node("a", str(row.turn), href=f"/game/{online.id}/replay?turn={row.turn}")
    decided = [found.names[row.seat], row.move, row.lost or "-", row.better]
    chances = [row.wins, *([row.here] if found.opponent else [])]
    chances += [*([row.luck] if found.by_luck else []), *([row.guess] if found.by_guess else [])]
    return [
        node("th", turn, scope="row"),
        *(node("td", text) for text in decided),
        node("td", row.mark, class_="mark"),
        *(node("td", text) for text in chances),
    ]


def _proof(online: Online, text: str) -> list[Node]:
    """What the record shows to anybody, said by the very thing that `duelbook verify` runs."""
    (record,) = reads(text)
    name = f"{online.duel.id}-{online.id}.duel"
    return [
        node("h2", "What is proved"),
        node("p", prove(record)),
        node(
            "p",
            "Check it yourself, without this server: ",
            node("a", "save the record", href=f"/api/games/{online.id}/record", download=name),
            " and say ",
            node("code", f"duelbook verify {name}"),
            ".",
        ),
    ]


def _ways(online: Online) -> Node:
    ways = (
        (f"/game/{online.id}/replay", "Step through it"),
        (f"/game/{online.id}", "To the table"),
        ("/", "To the lobby"),
    )
    return node("ul", *(node("li", node("a", words, href=way)) for way, words in ways), class_="ways")


async def aftermath(desk: Desk, request: Request) -> Response:
    """For the script of a table whose game has ended: what mattered most, in a few lines."""
    online = await finished(desk, request)
    found = await desk.coach_of(online).ask_for(address_of(request.scope), look_back, writes(record_of(online)))
    lines = [words for _, words in found.slips] or [found.flawless]
    told = [
        node("h2", "What mattered most"),
        node("div", graph(found.curve, found.marks, found.names, ended=found.ends_apart), class_="wide", tabindex="0"),
        node("ul", *(node("li", line) for line in lines)),
        node("p", node("a", "Every decision, and why", href=f"/game/{online.id}/review")),
    ]
    return JSONResponse({"advice": [as_json(part) for part in told]})
