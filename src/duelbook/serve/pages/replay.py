"""A finished game, step by step: each step is a page of its own, so that links alone lead through it."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from duelbook.match import last_picks
from duelbook.record import Record
from duelbook.scene import scene_in_play
from duelbook.serve.desk import Desk
from duelbook.serve.pages import scene
from duelbook.serve.pages.document import document
from duelbook.serve.pages.markup import Node, node
from duelbook.serve.pages.review import finished
from duelbook.table.telling import Frame, ending, timeline


async def replay(desk: Desk, request: Request) -> Response:
    online = await finished(desk, request)
    match = online.match
    assert match is not None
    frames = list(timeline(Record(match)))
    at = _at(request, frames)
    state = frames[at - 1].after if at else match.start
    picture = scene_in_play(online.duel, online.rules, state, last_picks(match.steps[:at]))
    lines = frames[at - 1].lines if at else online.duel.dialogue.opening(match.rules, match.start, match.names)
    said = [*lines, *(ending(match) if at == len(frames) else [])]
    where = f"After turn {frames[at - 1].turn}" if at else "The start"
    step = f"{where}, step {at} of {len(frames)}"
    told = [node("p", line.text, class_=line.tone or "plain") for line in said if line.text]
    return document(
        f"{online.duel.name}, step {at} · Duelbook",
        node("h1", f"{online.duel.name}, step by step"),
        node("p", step, id="standing", class_="lead"),
        _ways(online.id, at, len(frames)),
        node(
            "div",
            node(
                "div",
                node("section", *scene.drawn(picture, match.names), id="scene", aria_label="The table"),
                node("section", *told, class_="told", aria_label="What happened"),
                class_="board",
            ),
            node(
                "nav",
                node("h2", "The moves"),
                _moves(online.id, frames, match.names, online.duel.chance.face, at),
                aria_label="The moves",
                class_="beside",
            ),
            class_="columns",
        ),
        node(
            "ul",
            node("li", node("a", "Look back", href=f"/game/{online.id}/review")),
            node("li", node("a", "To the table", href=f"/game/{online.id}")),
            class_="ways",
        ),
        script="replay.js",
    )


def _at(request: Request, frames: Sequence[Frame]) -> int:
    """Which step is asked for: `at`, or the last of a `turn`. What is none of them is the start."""
    turn, at = request.query_params.get("turn", ""), request.query_params.get("at", "")
    if turn.isascii() and turn.isdigit() and len(turn) < 7:
        return sum(frame.turn <= int(turn) for frame in frames)
    return min(int(at), len(frames)) if at.isascii() and at.isdigit() and len(at) < 7 else 0


def _ways(game: str, at: int, last: int) -> Node:
    ways = (("first", 0, "Start"), ("prev", at - 1, "Back"), ("next", at + 1, "On"), ("last", last, "End"))
    links = [
        node("li", node("a", words, href=f"/game/{game}/replay?at={to}", rel=rel, class_="button"))
        if 0 <= to <= last and to != at
        else node("li", node("span", words, class_="button off", aria_hidden="true"))
        for rel, to, words in ways
    ]
    return node("nav", node("ul", *links, class_="steps"), aria_label="Steps")


def _moves(game: str, frames: Sequence[Frame], names: Sequence[str], face: str, at: int) -> Node:
    rows = []
    for number, frame in enumerate(frames, 1):
        luck = frame.text.endswith(":")
        words = f"{face} {frame.text[:-1]}" if luck else frame.text
        who = f"{names[frame.seat]}: " if frame.seat is not None else ""
        way = node(
            "a",
            f"{who}{words}",
            href=f"/game/{game}/replay?at={number}",
            aria_current="step" if number == at else None,
        )
        rows.append(node("li", way))
    return node("ol", *rows, class_="course")
