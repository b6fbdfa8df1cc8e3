"""`duelbook serve`: a place where two people meet, in a browser or in their terminals."""

from __future__ import annotations

import re
from pathlib import Path

import click

from duelbook import folders
from duelbook.cli.options import say, warn
from duelbook.cli.values import whole
from duelbook.core import DuelError
from duelbook.speech import amount


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
@click.option("--trust-proxy", is_flag=True, help="Believe X-Forwarded-For and -Proto; only behind a proxy of yours.")
@click.option(
    "--rate",
    metavar="N",
    type=whole(0, 1_000_000),
    default=20,
    show_default=True,
    help="Acts a second that one address may do; 0 for as many as it likes.",
)
@click.option(
    "--away",
    metavar="HOURS",
    type=whole(0, 100_000),
    default=24,
    show_default=True,
    help="An open game is offered so long after whoever opened it has gone; 0 for ever.",
)
@click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar="NAME=COMMAND",
    help="A program of yours that people can play here, by the name that you give it.",
)
@click.option(
    "--metrics",
    metavar="PORT",
    type=whole(1, 65535),
    help="Figures for Prometheus, at this port of this machine alone.",
)
@click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How it speaks of itself, on standard error.",
)
@click.option("--backup", metavar="FILE", help="Copy all games to a file and stop; a server may go on meanwhile.")
@click.option("--export", metavar="FOLDER", help="Write every game as a .duel file and stop.")
@click.option("--open", "browse", is_flag=True, help="Open a browser.")
@click.option("--check", is_flag=True, help="Only see whether all of this can be had, and stop.")
def command(
    host: str,
    port: int,
    names: tuple[str, ...],
    data: str | None,
    processes: int,
    trust_proxy: bool,
    rate: int,
    away: int,
    engines: tuple[str, ...],
    metrics: int | None,
    log: str,
    backup: str | None,
    export: str | None,
    browse: bool,
    check: bool,
) -> int:
    """Serve duels to browsers and terminals, from this machine."""
    try:
        from duelbook.serve import running
        from duelbook.serve.export import export as write_all
        from duelbook.serve.limits import limits
    except ModuleNotFoundError as error:
        raise DuelError(f"Serving needs {error.name}. Install it with: pip install 'duelbook[serve]'") from None
    if data is None:
        folders.state().mkdir(parents=True, exist_ok=True)
        data = str(folders.state() / "online.db")
    if backup is not None:
        running.copy(data, Path(backup))
        say(f"All games are in {backup} as well.")
    if export is not None:
        done = write_all(running.games_of(data), Path(export))
        say(f"{amount(done.written, 'game')} written to {export}.")
        if done.broken:
            what = "A game was left out, which is" if len(done.broken) == 1 else "Games were left out, which are"
            raise DuelError(f"{what} not on disk as it was acknowledged: {'; '.join(done.broken)}.")
    if backup is not None or export is not None:
        return 0
    asked = running.Serving(
        data,
        host,
        port,
        names,
        trust_proxy,
        processes,
        limits(rate),
        tuple(map(_engine, engines)),
        metrics or 0,
        log == "json",
        away * 3600.0,
    )
    try:
        running.serve(asked, browse=browse, check=check, say=say, warn=warn)
    except KeyboardInterrupt:
        if not asked.log_in_json:
            warn("\nStopped. Every game is kept, and goes on when the server is started again.")
        return 130
    return 0


def _engine(text: str) -> tuple[str, str]:
    """What people ask for, and what is started for them."""
    from shutil import which

    from duelbook.engine.launch import command_of
    from duelbook.players import ENGINE, check_kind

    name, found, program = text.partition("=")
    if not found or not re.fullmatch("[a-z0-9][a-z0-9-]{0,29}", name):
        raise click.UsageError(f"--engine needs a name and a command, as in --engine mybot=./mybot; {text} is not.")
    if which(command_of(program)[0]) is None:
        raise DuelError(f"There is no program {command_of(program)[0]} that could play as {name}.")
    return f"{ENGINE}{name}", check_kind(f"{ENGINE}{program}")
