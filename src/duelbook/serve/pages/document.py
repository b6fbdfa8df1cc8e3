"""The frame of every page: its head, the way home, and what is said where there is nothing to show."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from duelbook.core import DuelError
from duelbook.serve.desk import Desk, NoGame, NotYours
from duelbook.serve.events import Malformed, Refused, TooLong
from duelbook.serve.pages.markup import Part, html, node
from duelbook.serve.visitor import desk_of
from duelbook.speech import plain

Make = Callable[[Desk, Request], Coroutine[None, None, Response]]
Handler = Callable[[Request], Coroutine[None, None, Response]]


def document(title: str, *inside: Part, script: str = "", here: str = "", code: int = 200) -> HTMLResponse:
    """A whole page. `here` is the way in its head that leads to itself."""
    module = f'<script type="module" src="/static/{script}"></script>\n' if script else ""
    ways = (("/", "Play"), ("/puzzle", "Puzzle of the day"), ("/rules", "Rules"))
    links = [
        node("li", node("a", words, href=way, aria_current="page" if way == here else None)) for way, words in ways
    ]
    head = node(
        "header",
        node("a", "Duelbook", class_="home", href="/"),
        node("nav", node("ul", *links), aria_label="Pages"),
        class_="top",
    )
    main = node("main", *inside, id="main", tabindex="-1")
    return HTMLResponse(
        f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(plain(title))}</title>
<link rel="stylesheet" href="/static/duelbook.css">
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
{module}</head>
<body>
<a class="skip" href="#main">To the content</a>
{html(head)}
{html(main)}
</body>
</html>
""",
        status_code=code,
    )


def sorry(sentence: str, code: int) -> HTMLResponse:
    return document(
        "Not here · Duelbook",
        node("h1", "That did not work" if code == 409 else "Not here"),
        node("p", sentence),
        node("p", node("a", "To the lobby", href="/")),
        code=code,
    )


CODES: tuple[tuple[type[DuelError], int], ...] = (
    (NoGame, 404),
    (NotYours, 403),
    (TooLong, 413),
    (Malformed, 400),
    (Refused, 409),
    (DuelError, 400),
)
"""The first that fits."""


def code_of(error: DuelError) -> int:
    return next(code for kind, code in CODES if isinstance(error, kind))


def page(make: Make) -> Handler:
    """A page, and every refusal as one."""

    async def answer(request: Request) -> Response:
        try:
            return await make(desk_of(request), request)
        except DuelError as error:
            return sorry(str(error), code_of(error))

    return answer


def data(make: Make) -> Handler:
    """What a page's script asks for, and every refusal as a sentence."""

    async def answer(request: Request) -> Response:
        try:
            return await make(desk_of(request), request)
        except DuelError as error:
            return JSONResponse({"refused": str(error)}, status_code=code_of(error))

    return answer
