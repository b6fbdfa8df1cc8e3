"""A game on a server, as a terminal or a program reaches it: plain HTTP, patient with networks that come and go."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from http.client import HTTPException
from typing import NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

from duelbook.core import DuelError
from duelbook.serve.events import Event, Json, Refused
from duelbook.serve.online import Act, Online

WAIT = 20
"""Seconds that a question for news is held open."""
SLOW = 35.0
"""Seconds after which a server that does not answer is taken to be gone."""
LONGEST_PAUSE = 8.0


class Place(NamedTuple):
    """A table somewhere, as a link names it."""

    server: str
    game: str
    invitation: str = ""

    @property
    def link(self) -> str:
        return f"{self.server}/game/{self.game}"

    @property
    def api(self) -> str:
        """Where its questions are asked; without a game, those about all of them."""
        return f"{self.server}/api/games/{self.game}".rstrip("/")


def read_link(text: str) -> Place:
    """`http://duels.example.org/game/abc#i=xyz`. Raises DuelError for what is no such link."""
    parts = urlsplit(text.strip())
    folder, _, game = parts.path.strip("/").partition("/")
    if parts.scheme not in ("http", "https") or not parts.netloc or folder != "game" or not game.isalnum():
        raise DuelError("A link to a game looks like http://127.0.0.1:8765/game/abc; the server prints where it is.")
    invitation = parse_qs(parts.fragment).get("i", [""])[0]
    return Place(f"{parts.scheme}://{parts.netloc}", game, invitation)


class Connection:
    def __init__(self, place: Place, token: str = "", complain: Callable[[str], None] = lambda _: None) -> None:
        """`complain` hears of a server that cannot be reached, once for every time that happens."""
        self.place, self.token, self.complain = place, token, complain
        self.online = Online()

    def ask(self, path: str, message: dict[str, Json] | None = None) -> dict[str, Json]:
        """One question, asked until it is answered. Raises Refused, in the server's words."""
        pause, told = 0.25, False
        while True:
            try:
                return self._ask_once(path, message)
            except (URLError, HTTPException, ConnectionError, TimeoutError) as error:
                if not told:
                    self.complain(f"{self.place.server} cannot be reached ({_reason(error)}); trying again ...")
                told = True
                time.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _ask_once(self, path: str, message: dict[str, Json] | None) -> dict[str, Json]:
        body = None if message is None else json.dumps(message).encode()
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        asked = Request(f"{self.place.api}{path}", body, headers)
        try:
            with urlopen(asked, timeout=SLOW) as answer:
                found = json.loads(answer.read())
        except HTTPError as error:
            if error.code >= 500:
                raise
            raise Refused(_refusal(error)) from None
        except ValueError:
            raise DuelError(f"{self.place.server} does not answer as a Duelbook server does.") from None
        assert isinstance(found, dict)
        return found

    # A game

    def join(self, name: str, anchor: bytes) -> int:
        """Sit down, and be known by a token from then on."""
        asked: dict[str, Json] = {
            "invitation": self.place.invitation,
            "name": name,
            "anchor": anchor.hex(),
            "keep": True,
        }
        found = self.ask("/join", asked)
        self.token = str(found["token"])
        return int(str(found["seat"]))

    def act(self, act: Act) -> None:
        """Send an act under a name of its own, however often it takes; it happens once, and is known here then.

        The process that is asked next may not have heard of it yet: it is asked until it has.
        """
        events = self.ask("/act", {"act": secrets.token_hex(16), **act})["events"]
        assert isinstance(events, list)
        reached = max((int(str(event["seq"])) for event in events if isinstance(event, dict)), default=0)
        while self.online.last is not None and self.online.last.seq < reached:
            self.catch_up(wait=True)

    def catch_up(self, *, wait: bool = False) -> list[Event]:
        """What has happened since, taken in; with `wait` there is something, or nothing came for a while."""
        after = self.online.last.seq if self.online.last else 0
        found = self.ask(f"/events?after={after}" + (f"&wait={WAIT}" if wait else ""))["events"]
        assert isinstance(found, list)
        events = [_event(self.place.game, shown) for shown in found if isinstance(shown, dict)]
        for event in events:
            self.online.take(event)
        return events


def _event(game: str, shown: dict[str, Json]) -> Event:
    """An event as it was shown. What only the server knows is empty, and nothing that is asked here needs it."""
    hidden: dict[str, Json] = {"key": "", "secrets": ["", ""], "invitations": ["", ""]}
    body = {**(hidden if shown["kind"] == "created" else {}), **shown}
    return Event(game, int(str(shown["seq"])), float(str(shown["at"])), str(shown.get("act", "")), body, "")


def _refusal(error: HTTPError) -> str:
    try:
        return str(json.loads(error.read())["refused"])
    except (ValueError, KeyError, TypeError):
        return f"The server answered {error.code}."


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    return str(getattr(reason, "strerror", None) or reason or "no answer")
