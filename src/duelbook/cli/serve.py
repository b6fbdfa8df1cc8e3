"""`duelbook serve`: a place where two people meet, in a browser or in their terminals."""

from __future__ import annotations

from pathlib import Path

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
@click.option("--data", metavar="FILE", type=click.Path(path_type=Path), help="The file that keeps the games.")
@click.option("--trust-proxy", is_flag=True, help="Believe X-Forwarded-For; only behind a proxy of yours.")
@click.option("--open", "browse", is_flag=True, help="Open a browser.")
@click.option("--check", is_flag=True, help="Only see whether all of this can be had, and stop.")
def command(
    host: str, port: int, names: tuple[str, ...], data: Path | None, trust_proxy: bool, browse: bool, check: bool
) -> None:
    """Serve duels to browsers and terminals, from this machine."""
    try:
        from duelbook.serve.running import serve
    except ModuleNotFoundError as error:
        raise DuelError(f"Serving needs {error.name}. Install it with: pip install 'duelbook[serve]'") from None
    file = data or folders.state() / "online.db"
    file.parent.mkdir(parents=True, exist_ok=True)
    serve(file, host, port, names, trust_proxy=trust_proxy, browse=browse, check=check, say=say, warn=warn)
