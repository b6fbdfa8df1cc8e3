"""A server, as a terminal or a program reaches it: plain HTTP, patient with networks that come and go."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.client import HTTPException, HTTPMessage
from ssl import SSLCertVerificationError, SSLError
from threading import Event as Flag
from typing import IO, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from duelbook.core import DuelError
from duelbook.serve.events import Event, Json, Refused

WAIT = 6
"""Seconds that a question for news is held open."""
SLOW = 10.0
"""Seconds after which a server that does not answer is taken to be gone: a frozen connection looks like an open one."""
LONGEST_PAUSE = 4.0
TOO_OFTEN = 429
LOCAL = ("localhost", "127.", "[::1]", "192.168.", "10.")
"""How the names of machines nearby begin: they are asked without TLS where a link does not say how."""


class Gone(DuelError):
    """Whoever asked does not want to know any more."""


class Place(NamedTuple):
    """A table somewhere, as a link names it; without a game, a server."""

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

    def invite(self, invitation: str) -> str:
        """The link that lets somebody sit down."""
        return f"{self.link}#i={invitation}" if invitation else self.link


def read_address(text: str) -> Place:
    """`http://duels.example.org/game/abc#i=xyz`, or the address of a server. Raises DuelError for anything else."""
    said = text.strip()
    if "://" not in said and ("." in said or said.startswith("localhost")):
        said = f"{'http' if said.startswith(LOCAL) else 'https'}://{said}"
    try:
        parts = urlsplit(said)
        _ = parts.port  # a number too large is refused here
    except ValueError:
        raise DuelError(_no_link()) from None
    folder, _, game = parts.path.strip("/").partition("/")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise DuelError(_no_link())
    if (folder or game) and not (folder == "game" and game.isascii() and game.isalnum()):
        raise DuelError(_no_link())
    invitation = parse_qs(parts.fragment).get("i", [""])[0]
    return Place(f"{parts.scheme}://{parts.netloc}", game, invitation)


def read_link(text: str) -> Place:
    """The same, of a game."""
    place = read_address(text)
    if not place.game:
        raise DuelError(_no_link())
    return place


def _no_link() -> str:
    return "A link to a game looks like http://127.0.0.1:8765/game/abc; the server prints where it is."


class _Stay(HTTPRedirectHandler):
    """Nobody is followed elsewhere: what is shown to one server is not shown to another."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        raise DuelError(f"{req.host} sends us on to {newurl}. If that is where you want to go, use that address.")


class Connection:
    def __init__(self, place: Place, token: str = "", trouble: Callable[[str], None] = lambda _: None) -> None:
        """`trouble` hears of a server that cannot be reached, in a sentence, and "" when it can be again."""
        self.place, self.token, self.trouble = place, token, trouble
        self._given_up = Flag()
        self._opener = build_opener(_Stay)

    def give_up(self) -> None:
        """Nobody waits for an answer any more: whatever is being asked ends with Gone as soon as it can."""
        self._given_up.set()

    def ask(self, path: str, message: dict[str, Json] | None = None, *, patient: bool = True) -> dict[str, Json]:
        """One question, asked until it is answered. Raises Refused, in the server's words.

        Without patience a server that cannot be reached is a DuelError at once.
        """
        pause, told = 0.25, False
        while not self._given_up.is_set():
            try:
                found = self._ask_once(path, message)
            except (URLError, HTTPException, ConnectionError, TimeoutError) as error:
                _never_mends(self.place.server, error)
                if not patient:
                    raise DuelError(_unreachable(self.place.server, error)) from None
                if not told and getattr(error, "code", 0) != TOO_OFTEN:
                    self.trouble(f"{self.place.server} cannot be reached ({_reason(error)}); trying again ...")
                    told = True
                self._given_up.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                if told:
                    self.trouble("")
                return found
        raise Gone("Nobody waits for this answer any more.")

    def _ask_once(self, path: str, message: dict[str, Json] | None) -> dict[str, Json]:
        body = None if message is None else json.dumps(message).encode()
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        asked = Request(f"{self.place.api}{path}", body, headers)
        try:
            with self._opener.open(asked, timeout=SLOW) as answer:
                found = json.loads(answer.read())
        except HTTPError as error:
            with error:  # it is an answer, too, and holds its line until it is closed
                if error.code >= 500 or error.code == TOO_OFTEN:
                    raise
                raise Refused(_refusal(self.place.server, error)) from None
        except DuelError:
            raise
        except ValueError:
            raise DuelError(_no_server(self.place.server)) from None
        if not isinstance(found, dict):
            raise DuelError(_no_server(self.place.server))
        return found

    # A game

    def join(self, name: str, anchor: bytes, token: str, *, program: bool = False) -> int:
        """Sit down, and be known by this token from then on. Asked again, the same seat comes back."""
        asked: dict[str, Json] = {
            "invitation": self.place.invitation,
            "name": name,
            "anchor": anchor.hex(),
            "token": token,
            "program": program,
        }
        seat = int(str(self.ask("/join", asked)["seat"]))
        self.token = token
        return seat

    def act(self, name: str, act: dict[str, Json]) -> list[Event]:
        """Send an act under a name of its own, however often it takes: it happens once. What it has led to."""
        return self._events(self.ask("/act", {"act": name, **act}))

    def events(self, after: int, *, wait: bool = False, patient: bool = True) -> list[Event]:
        """What has happened behind this event; with `wait` there is something, or nothing came for a while."""
        return self._events(self.ask(f"/events?after={after}" + (f"&wait={WAIT}" if wait else ""), patient=patient))

    def _events(self, answer: dict[str, Json]) -> list[Event]:
        found = answer.get("events")
        if not isinstance(found, list):
            raise DuelError(_no_server(self.place.server))
        try:
            return [_event(self.place.game, shown) for shown in found if isinstance(shown, dict)]
        except (KeyError, ValueError):
            raise DuelError(_no_server(self.place.server)) from None


def _event(game: str, shown: dict[str, Json]) -> Event:
    """An event as it was shown. What only the server knows is empty, and nothing that is asked here needs it."""
    hidden: dict[str, Json] = {"key": "", "secrets": ["", ""], "invitations": ["", ""]}
    body = {**(hidden if shown["kind"] == "created" else {}), **shown}
    return Event(game, int(str(shown["seq"])), float(str(shown["at"])), str(shown.get("act", "")), body, "")


# What is said of servers that do not answer as they should


def _refusal(server: str, error: HTTPError) -> str:
    try:
        return str(json.loads(error.read())["refused"])
    except (ValueError, KeyError, TypeError):
        return _no_server(server)


def _no_server(server: str) -> str:
    return f"{server} does not answer as a Duelbook server does."


def _unreachable(server: str, error: Exception) -> str:
    return f"{server} cannot be reached ({_reason(error)}). Is the address right, and does the server run?"


def _never_mends(server: str, error: Exception) -> None:
    """Trying again does not help where the two cannot speak to each other at all."""
    reason = getattr(error, "reason", error)
    if isinstance(reason, SSLCertVerificationError):
        why = reason.verify_message or "it cannot be checked"
        raise DuelError(
            f"The certificate of {server} is not one that this machine trusts ({why}), so nothing was sent. "
            "For a certificate of your own, name its file: SSL_CERT_FILE=ca.pem"
        ) from None
    if isinstance(reason, SSLError) and "WRONG_VERSION" in str(reason):
        raise DuelError(f"{server} does not speak TLS. Try http:// instead of https://.") from None


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    return str(getattr(reason, "strerror", None) or reason or "no answer")
