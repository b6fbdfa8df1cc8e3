"""The server of tools over a pipe, or over HTTP for whoever asks from this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

import uvicorn
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette

from duelbook.agents.mcp_server import server
from duelbook.agents.tools import Tools
from duelbook.serve.listening import listen, names_of

PATH = "/mcp"
LARGEST_MESSAGE = 1 << 20
"""Bytes of one question: a record of the longest kind fits, with room for how JSON spells letters."""
MOST_CONNECTIONS = 200


def over_a_pipe() -> None:
    """Until the other side closes it. Standard output carries the protocol and nothing else."""
    tools = Tools()

    async def answer() -> None:
        speaking = server(tools)
        async with stdio_server() as (heard, said):
            await speaking.run(heard, said, speaking.create_initialization_options())

    try:
        asyncio.run(answer())
    finally:
        tools.adviser.close()


def application(tools: Tools, hosts: Iterable[str]) -> Starlette:
    """Nothing is kept between two questions, for clients of older versions of the protocol neither.

    Whoever asks for another host than these, or sends the origin of another page, is refused: a page that somebody
    opens in a browser cannot reach a server of theirs by a name of its own (DNS rebinding).
    """
    names = sorted(hosts)
    guard = TransportSecuritySettings(
        allowed_hosts=names, allowed_origins=[f"{scheme}://{name}" for name in names for scheme in ("http", "https")]
    )
    app: Starlette = server(tools).streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=LARGEST_MESSAGE,
        transport_security=guard,
    )
    return app


def over_http(host: str, port: int, names: Iterable[str], say: Callable[[str], None]) -> None:
    """Until somebody stops it."""
    tools = Tools()
    listening = listen(host, port)
    try:
        address, hosts = names_of(host, listening)
        say(f"The tools are at {address}{PATH}. Ctrl-C stops it.")
        config = uvicorn.Config(
            application(tools, {*hosts, *names}),
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=5,
            limit_concurrency=MOST_CONNECTIONS,
        )
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        tools.adviser.close()
        listening.close()
