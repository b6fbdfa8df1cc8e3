"""The coach beside the table, for somebody who plays a program: who is ahead, a hint, and what was given away.

Two people who play each other get none of it while their game goes on: that is decided here, on the server.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from textwrap import dedent

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from duelbook.core import DuelError
from duelbook.record import writes
from duelbook.serve.coaching import Standing, hint, stand
from duelbook.serve.desk import Desk
from duelbook.serve.events import Refused
from duelbook.serve.guard import address_of
from duelbook.serve.pages.markup import Node, as_json, node
from duelbook.serve.pages.sight import Sight, sight
from duelbook.serve.recorded import record_of


def may_be_coached(seen: Sight) -> bool:
    """Whether whoever looks sits in this game, and plays a program in it; and it goes on."""
    online = seen.online
    if seen.viewer is None or online.match is None or online.over:
        return False
    return not online.seats[1 - seen.viewer].is_person


def coaches(seen: Sight, told: Sequence[Node]) -> list[Node]:
    """Where the coach speaks; what is said there comes when it is asked for."""
    if not may_be_coached(seen):
        return []
    ask = node(
        "form",
        node("button", "Hint", type="submit", name="coach", value="hint", data_key="hint"),
        node("noscript", node("button", "Who is ahead?", type="submit", name="coach", value="ahead")),
        method="get",
        action=f"/game/{seen.online.id}",
        data_act="hint",
    )
    said = node("div", *told, id="advice", data_own=True)
    return [node("details", node("summary", "Coach"), said, ask, open=bool(told), data_remember="coach")]


async def advice(desk: Desk, request: Request, seen: Sight) -> list[Node]:
    """What the coach says now: who is ahead, and what to play if that was asked for. Never in a game of two people."""
    if not may_be_coached(seen):
        raise Refused("The coach speaks beside games against programs, to whoever plays them.")
    assert seen.viewer is not None
    address, text = address_of(request.scope), writes(record_of(seen.online))
    thinker = desk.coach_of(seen.online)
    try:
        found = _standing(seen, await thinker.ask_for(address, stand, text, seen.viewer))
        if request.query_params.get("coach") == "hint" and seen.mine:
            found.append(_hint(await thinker.ask_for(address, hint, text, seen.viewer)))
    except DuelError as error:
        return [node("p", str(error))]
    return found


def _standing(seen: Sight, found: Standing) -> list[Node]:
    one, two = (seat.name for seat in seen.online.seats)
    first = f"With perfect play from here on: {one} {found.shown[0]}, {two} {found.shown[1]}."
    told = [_bar(found.wins), node("p", first)]
    if found.second:
        told.append(node("p", f"{found.second}."))
    if found.remark:
        why = node("ul", *(node("li", line) for line in found.why))
        told.append(node("p", found.remark, class_="remark"))
        told.append(node("details", node("summary", "Show me"), why, data_key="why"))
    return told


def _bar(wins: float) -> Node:
    """Who is ahead as a picture alone; the words are below it."""
    at = 200 * wins
    return node(
        "svg",
        node("rect", x=0, y=0, width=200, height=12, class_="two"),
        node("rect", x=0, y=0, width=f"{at:.1f}", height=12, class_="one"),
        node("path", d="M100 0V12", class_="middle"),
        viewBox="0 0 200 12",
        preserveAspectRatio="none",
        class_="value",
        aria_hidden="true",
        focusable="false",
    )


def _hint(lines: Sequence[str]) -> Node:
    """What to play and why; what is indented are columns, which stay below one another."""
    told = [
        node("pre", dedent("\n".join(part)), class_="columned", tabindex="0") if indented else node("p", " ".join(part))
        for indented, group in groupby(lines, key=lambda line: line.startswith("  "))
        for part in ([list(group)] if indented else [[line] for line in group])
    ]
    return node("div", node("h2", "Hint"), *told, class_="hint")


async def coach(desk: Desk, request: Request) -> Response:
    """The same for the script of a page that is open."""
    seen = await sight(desk, request)
    told = await advice(desk, request, seen)
    return JSONResponse({"advice": [as_json(part) for part in told]})
