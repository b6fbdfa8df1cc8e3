"""`duelbook mcp` as a real process, and a real client in front of it: the official package's own."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest

from helpers import HANGING

COMMAND = [sys.executable, "-m", "duelbook", "mcp"]
T = TypeVar("T")


def need_mcp() -> None:
    pytest.importorskip("mcp", reason="mcp is not installed: pip install 'duelbook[mcp]'")


@contextmanager
def http(*options: str) -> Iterator[str]:
    """The tools over HTTP at a free port of this machine: the address, which the process says itself."""
    place = [] if "--http" in options else ["--http", "0"]
    with subprocess.Popen(
        [*COMMAND, *place, *options], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as run:
        try:
            assert run.stderr is not None
            said = run.stderr.readline()
            found = re.search(r"http://\S+/mcp", said)
            assert found, said + run.stderr.read()
            yield found[0]
        finally:
            run.terminate()
            out, _ = run.communicate(timeout=HANGING)
            assert out == ""


def over_a_pipe(ask: Callable[[Any], Awaitable[T]], mode: str = "auto") -> T:
    from mcp import Client, StdioServerParameters

    program = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=dict(os.environ))

    async def talk() -> T:
        async with Client(program, mode=mode) as client:
            return await ask(client)

    return asyncio.run(asyncio.wait_for(talk(), HANGING))


def over_http(ask: Callable[[Any], Awaitable[T]], address: str, mode: str = "auto") -> T:
    from mcp import Client

    async def talk() -> T:
        async with Client(address, mode=mode) as client:
            return await ask(client)

    return asyncio.run(asyncio.wait_for(talk(), HANGING))


async def told(client: Any, tool: str, **given: object) -> Any:
    """What a tool answers, as data."""
    result = await client.call_tool(tool, given)
    assert not result.is_error, result.content[0].text
    return result.structured_content


async def refused(client: Any, tool: str, **given: object) -> str:
    """The sentence with which a tool refuses."""
    result = await client.call_tool(tool, given)
    assert result.is_error
    assert result.structured_content is None
    text: str = result.content[0].text
    return text
