"""What stands between the network and the desk: who may ask from where, how large, how often, and what pages may do."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duelbook.serve.limits import LARGEST_MESSAGE, Rate

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "geolocation=(), camera=(), microphone=()",
}


class Guard:
    """An ASGI layer around everything. A request that it refuses never reaches the desk."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str], *, trust_proxy: bool = False, rate: Rate) -> None:
        """`hosts` are the names and ports under which this server is asked for, exactly; behind a proxy, its name."""
        self.app, self.hosts, self.trust_proxy, self.rate = app, frozenset(hosts), trust_proxy, rate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        scope["duelbook.address"] = self._address(scope, headers)
        wrong = self._wrong(scope, headers)
        if wrong is None:
            await self.app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": wrong[1][:100]})
        else:
            await JSONResponse({"refused": wrong[1]}, status_code=wrong[0])(scope, receive, _with_headers(send))

    def _wrong(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        if headers.get("host", "") not in self.hosts:
            return 421, "This server is not the one that was asked for."
        origin = headers.get("origin")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and origin is not None and urlsplit(origin).netloc not in self.hosts:
            return 403, "Pages of other places cannot play here."
        if headers.get("sec-fetch-site") == "cross-site" and changes:
            return 403, "Pages of other places cannot play here."
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > LARGEST_MESSAGE:
            return 413, f"A message has at most {LARGEST_MESSAGE:,} bytes."
        if changes and not self.rate.allows(scope["duelbook.address"]):
            return 429, "That was too often; wait a second and try again."
        return None

    def _address(self, scope: Scope, headers: Headers) -> str:
        told = headers.get("x-forwarded-for", "").rsplit(",", 1)[-1].strip() if self.trust_proxy else ""
        client = scope.get("client")
        return told or (client[0] if client else "")


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sent
