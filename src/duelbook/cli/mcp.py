"""`duelbook mcp`: the duels as tools for programs that speak the Model Context Protocol."""

from __future__ import annotations

import re

import click

from duelbook.cli.options import warn
from duelbook.core import DuelError

HERE = "127.0.0.1"


@click.command
@click.option(
    "--http",
    "address",
    metavar="[HOST:]PORT",
    help=f"Over HTTP at this address, and not over a pipe; without HOST at {HERE}, which only this machine can reach.",
)
@click.option(
    "--name", "names", multiple=True, metavar="HOST[:PORT]", help="With --http: a name under which it is asked for."
)
def command(address: str | None, names: tuple[str, ...]) -> None:
    """Give agents the duels as tools (MCP): rules, legal moves, play, solve, hint, judge, review.

    Without --http it speaks on standard input and output, as programs expect that start it themselves.
    """
    if names and address is None:
        raise click.UsageError("--name is for --http: over a pipe nobody asks for a name.")
    place = None if address is None else _place(address)
    try:
        from duelbook.agents import running
    except ModuleNotFoundError as error:
        raise DuelError(f"The tools need {error.name}. Install it with: pip install 'duelbook[mcp]'") from None
    if place is None:
        running.over_a_pipe()
    else:
        running.over_http(*place, names, warn)


def _place(address: str) -> tuple[str, int]:
    found = re.fullmatch(r"(?:(?P<host>\[[0-9a-fA-F:.]+\]|[^\s:\[\]]+):)?(?P<port>\d{1,5})", address, re.ASCII)
    if found is None or int(found["port"]) > 65535:
        raise click.UsageError(f"--http takes an address such as 8766 or {HERE}:8766; {address} is none.")
    return (found["host"] or HERE).strip("[]"), int(found["port"])
