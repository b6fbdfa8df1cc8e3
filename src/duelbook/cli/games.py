"""`duelbook games`: what is saved."""

from __future__ import annotations

import click

from duelbook import folders
from duelbook.cli.options import as_json, echo_json, say
from duelbook.saves import state_folder
from duelbook.speech import plain
from duelbook.table.listing import saved_games


@click.command
@click.option("--all", "everything", is_flag=True, help="Finished games too.")
@as_json
def command(everything: bool, as_json: bool) -> None:
    """List the games that are saved, the latest first: unfinished ones, or all of them."""
    rows = saved_games(everything=everything)
    if as_json:
        echo_json(rows)
    elif not rows:
        say(f"No {'' if everything else 'unfinished '}games{_where()} Start one with: duelbook play")
    else:
        say(*(f"{plain(row['id'])}  {row['summary']}" for row in rows))


def _where() -> str:
    try:
        return f" in {plain(state_folder())}."
    except folders.NoFolder as error:
        return f". {error} So games are not saved."
