"""The rule books: all of them, and each as its duel has it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from duelbook import load
from duelbook.games import load_all, rulebook
from duelbook.serve.desk import Desk
from duelbook.serve.pages.book import for_pages
from duelbook.serve.pages.document import document
from duelbook.serve.pages.markdown import drawn
from duelbook.serve.pages.markup import node


async def books(desk: Desk, request: Request) -> Response:
    listed = [
        node("li", node("a", game.name, href=f"/rules/{game.id}"), node("p", game.pitch, class_="quiet"))
        for game in load_all()
    ]
    return document("The rules · Duelbook", node("h1", "The rules"), node("ul", *listed, class_="books"), here="/rules")


async def book(desk: Desk, request: Request) -> Response:
    duel = load(request.path_params["duel"])
    return document(
        f"{duel.name}: the rules · Duelbook", node("article", *drawn(for_pages(rulebook(duel))), class_="book")
    )
