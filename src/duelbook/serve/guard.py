"""What stands between the network and the desk: who may ask from where, how large, how often, and what pages may do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duelbook.serve.limits import ENDLESS, LARGEST_MESSAGE, MOST_ADDRESSES, PAGE, Rate, less

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # with none at all, a form's own origin would be hidden from us too
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "geolocation=(), camera=(), microphone=()",
}
LONGEST_ADDRESS = 64
ENDLESS_MANY = int(ENDLESS)


class Guard:
    """An ASGI layer around everything. A request that it refuses never reaches the desk."""

    def __init__(
        self,
        app: ASGIApp,
        hosts: Iterable[str],
        *,
        trust_proxy: bool = False,
        rate: Rate,
        looks: Rate | None = None,
        at_once: int = ENDLESS_MANY,
    ) -> None:
        """`hosts` are the names and ports under which this server is asked for, exactly; behind a proxy, its name.

        `rate` is for whatever changes something, `looks` for what does not; `at_once` questions of one address may wait
        for their answers.
        """
        self.app, self.hosts, self.trust_proxy, self.rate = app, [[host] for host in hosts], trust_proxy, rate
        self.looks, self.at_once = looks or Rate(ENDLESS, ENDLESS), at_once
        self._asking: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # sockets are asked about by whoever opens them
            return
        wrong = self.check(scope, Headers(scope=scope))
        address = address_of(scope)
        if wrong is None and self._asking[address] >= self.at_once:
            wrong = 429, "So many questions from there wait for their answers that this one cannot."
        if wrong is not None:
            # Where it is not clear where a question ends, nothing behind it is taken for another one.
            last = {"connection": "close"} if wrong[0] == 400 else None
            answer = JSONResponse({"refused": wrong[1]}, status_code=wrong[0], headers=last)
            await answer(scope, receive, _with_headers(send))
            return
        self._asking[address] += 1
        try:
            await self.app(scope, receive, _with_headers(send))
        except ClientDisconnect:
            pass  # who hangs up in the middle of a question wants no answer, and is nobody's mistake
        finally:
            less(self._asking, address)

    def check(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """What is wrong with a question, as a status and a sentence. What a trusted proxy says of it is taken in."""
        self._believe_proxy(scope, headers)
        if headers.getlist("host") not in self.hosts:
            return 421, "This server is not the one that was asked for."
        if "content-length" in headers and "transfer-encoding" in headers:
            return 400, "A message says in one way where it ends, not in two."
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and (sentence := _from_elsewhere(scope, headers)):
            return 403, sentence
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit() and len(length) < 10) or int(length) > LARGEST_MESSAGE:
            return 413, f"A message has at most {LARGEST_MESSAGE:,} bytes."
        address = address_of(scope)
        plain = scope["path"].startswith(("/api/", "/static/", "/health"))
        if not (self.rate.allows(address) if changes else self.looks.allows(address, 1 if plain else PAGE)):
            return 429, "That was too often; wait a second and try again."
        return None

    def _believe_proxy(self, scope: Scope, headers: Headers) -> None:
        """Only where the operator said that there is one: otherwise anybody could write these themselves."""
        if not self.trust_proxy:
            return
        if told := _said_last(headers, "x-forwarded-for"):
            scope["client"] = (told, 0)
        if _said_last(headers, "x-forwarded-proto") == "https":
            scope["scheme"] = "wss" if scope["type"] == "websocket" else "https"


def _said_last(headers: Headers, name: str) -> str:
    """What the proxy nearest to us has added, whether to a line that was there or as a line of its own."""
    return ",".join(headers.getlist(name)).rsplit(",", 1)[-1].strip()


def _from_elsewhere(scope: Scope, headers: Headers) -> str:
    """Why this cannot come from a page of ours, if so: its origin is another one by its scheme, its name or its port.

    A program names no origin. It has no cookie that a page could misuse, either.
    """
    secure, host, origins = scope["scheme"] in ("https", "wss"), headers.get("host", ""), headers.getlist("origin")
    if origins == [f"https://{host}"] and not secure:
        return "This page came by https, but the server does not know of it; behind a proxy it needs --trust-proxy."
    ours = f"{'https' if secure else 'http'}://{host}"
    if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") or origins not in ([], [ours]):
        return "Pages of other places cannot play here."
    return ""


def address_of(scope: Scope) -> str:
    """Whom the limits are for: an address of IPv4, or the network of one of IPv6, of which anybody has billions."""
    client = scope.get("client")
    return network_of(client[0]) if client else ""


@lru_cache(MOST_ADDRESSES)
def network_of(address: str) -> str:
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:LONGEST_ADDRESS]
    if not isinstance(found, IPv6Address):
        return str(found)
    return str(found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64))


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sent
