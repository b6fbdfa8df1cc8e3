"""Pages under test as they are asked for over HTTP: somebody at a browser without a script, and a clock to turn."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from html.parser import HTMLParser

import httpx2 as httpx

from duelbook.serve.guard import Guard

HOST = "duels.test"
ORIGIN = {"origin": f"http://{HOST}"}


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def run(tale: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(tale())  # type: ignore[arg-type]  # a coroutine is what it is


class Form(HTMLParser):
    """The forms of a page as a browser without a script has them: what each sends, and its buttons."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[dict[str, object]] = []
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append({"way": given["action"], "fields": {}, "buttons": []})
        if not self.forms:
            return
        fields, buttons = self.forms[-1]["fields"], self.forms[-1]["buttons"]
        assert isinstance(fields, dict)
        assert isinstance(buttons, list)
        if tag == "input" and given.get("type") == "hidden":
            fields[given["name"]] = given["value"]
        if tag == "button" and "aria-disabled" not in given:
            buttons.append((given.get("name", ""), given.get("value", "")))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


class Tags(HTMLParser):
    """Whatever is on a page that none of ours has: an image, bold text, a script within it, a style, a handler."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.strange: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        inside = tag == "script" and not str(given.get("src", "")).startswith("/static/")
        if tag in ("img", "b", "iframe", "style") or inside or any(name.startswith(("on", "style")) for name in given):
            self.strange.append(self.get_starttag_text() or tag)


class Visitor:
    """A browser without a script."""

    def __init__(self, app: Guard) -> None:
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=app), base_url=f"http://{HOST}", headers=ORIGIN, follow_redirects=True
        )
        self.page, self.way = "", ""

    async def get(self, way: str) -> str:
        return self._at(await self.http.get(way))

    async def post(self, way: str, **fields: str) -> str:
        return self._at(await self.http.post(way, data=fields))

    def _at(self, answer: httpx.Response) -> str:
        self.page, self.way, self.code = answer.text, answer.url.path, answer.status_code
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        return self.page

    @property
    def standing(self) -> str:
        found = re.search(r'id="standing"[^>]*>([^<]*)<', self.page)
        return found[1] if found else ""

    async def press(self, name: str) -> str:
        """The first button of this name or of a form that does this, with what its form sends besides."""
        for form in Form(self.page).forms:
            fields = dict(form["fields"])  # type: ignore[call-overload]  # a dict it is
            for button in form["buttons"]:  # type: ignore[attr-defined]  # and a list
                if name == button[0] or (not button[0] and name == fields.get("do")):
                    return await self.post(str(form["way"]), **fields, **({button[0]: button[1]} if button[0] else {}))
        raise AssertionError(f"There is no button {name} on\n{self.page}")


async def play_on(sides: list[Visitor], most: int = 60) -> None:
    """Both press what there is until it is over; who has enough gives up."""
    for turn in range(1000):
        for side in sides:
            await side.get(side.way)
            if 'data-act="rematch"' in side.page or "To the next game" in side.page:
                return
            if not side.standing.startswith("Your turn"):
                continue
            if turn > most:
                await side.press("resign")
                await side.press("sure")
            elif 'name="move"' in side.page:
                await side.press("move")
            else:
                await side.press("link")
            if "Are you sure?" in side.page:
                await side.press("sure")
            assert side.code == 200, side.page
