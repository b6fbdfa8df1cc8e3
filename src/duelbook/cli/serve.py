"""`duelbook serve`: a place where two people meet, in a browser or in their terminals."""

from __future__ import annotations

import click

from duelbook import folders
from duelbook.cli.options import say, warn
from duelbook.cli.values import whole
from duelbook.core import DuelError


@click.command
@click.option(
    "--host",
    metavar="ADDRESS",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen at; 0.0.0.0 for all.",
)
@click.option(
    "--port",
    metavar="N",
    default=8765,
    show_default=True,
    type=whole(0, 65535),
    help="0 for any that is free.",
)
@click.option("--name", "names", multiple=True, metavar="HOST[:PORT]", help="A name under which people ask for it.")
@click.option("--data", metavar="FILE", help="What keeps the games: a file, or the postgresql:// of a database.")
@click.option(
    "--processes", type=whole(1, 64), default=1, help="How many serve together; more than one needs PostgreSQL."
)
@click.option("--trust-proxy", is_flag=True, help="Believe X-Forwarded-For; only behind a proxy of yours.")
@click.option("--open", "browse", is_flag=True, help="Open a browser.")
@click.option("--check", is_flag=True, help="Only see whether all of this can be had, and stop.")
def command(
    host: str,
    port: int,
    names: tuple[str, ...],
    data: str | None,
    processes: int,
    trust_proxy: bool,
    browse: bool,
    check: bool,
) -> None:
    """Serve duels to browsers and terminals, from this machine."""
    try:
        from duelbook.serve.running import Serving, serve
    except ModuleNotFoundError as error:
        raise DuelError(f"Serving needs {error.name}. Install it with: pip install 'duelbook[serve]'") from None
    if data is None:
        folders.state().mkdir(parents=True, exist_ok=True)
        data = str(folders.state() / "online.db")
    serve(Serving(data, host, port, names, trust_proxy, processes), browse=browse, check=check, say=say, warn=warn)
