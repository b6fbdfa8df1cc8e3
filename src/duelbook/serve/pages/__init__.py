"""The pages: one file each for what it says. What moves on them is in `static/`."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from duelbook.serve.pages import forms
from duelbook.serve.pages.advice import coach
from duelbook.serve.pages.document import Handler, Make, data, page
from duelbook.serve.pages.lobby import lobby
from duelbook.serve.pages.puzzle import answered, puzzle
from duelbook.serve.pages.replay import replay
from duelbook.serve.pages.review import aftermath, review
from duelbook.serve.pages.rules import book, books
from duelbook.serve.pages.table import game, parts


def _sent(make: Make) -> Handler:
    """What a form does: its refusals are a page, or a sentence for a script."""
    as_page, as_data = page(make), data(make)

    async def answer(request: Request) -> Response:
        return await (as_data if forms.wants_json(request) else as_page)(request)

    return answer


ROUTES: list[BaseRoute] = [
    Route("/", page(lobby)),
    Route("/new", _sent(forms.new), methods=["POST"]),
    Route("/rules", page(books)),
    Route("/rules/{duel}", page(book)),
    Route("/puzzle", page(puzzle)),
    Route("/puzzle/{duel}", page(puzzle)),
    Route("/puzzle/{duel}", page(answered), methods=["POST"]),
    Route("/game/{game}", page(game)),
    Route("/game/{game}/parts", data(parts)),
    Route("/game/{game}/coach", data(coach)),
    Route("/game/{game}/aftermath", data(aftermath)),
    Route("/game/{game}/sit", _sent(forms.sit), methods=["POST"]),
    Route("/game/{game}/do", page(forms.do), methods=["POST"]),
    Route("/game/{game}/offer", _sent(forms.offer), methods=["POST"]),
    Route("/game/{game}/review", page(review)),
    Route("/game/{game}/replay", page(replay)),
]
"""Every page with its address, and what pages send."""
