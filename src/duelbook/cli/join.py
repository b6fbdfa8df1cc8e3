"""`duelbook join`: sit down at a table on a server, from a terminal."""

from __future__ import annotations

import click

from duelbook.cli.options import say, warn


@click.command
@click.argument("link", metavar="LINK")
@click.option("--name", metavar="NAME", default="", help="What you are called there.")
@click.option("--plain", is_flag=True, help="No colours and no bars.")
def command(link: str, name: str, plain: bool) -> int:
    """Play at LINK, which a friend has sent or a server has printed."""
    from duelbook.line.console import Console
    from duelbook.line.online import join

    return join(link, name, Console(plain=plain), say=say, warn=warn)
