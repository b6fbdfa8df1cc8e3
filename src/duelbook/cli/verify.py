"""`duelbook verify`: check records against the rules."""

from __future__ import annotations

import click

from duelbook.cli import completing
from duelbook.cli.options import as_json, echo_json, say
from duelbook.speech import plain
from duelbook.table.verify import verify


@click.command
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=completing.recorded_games)
@as_json
def command(files: tuple[str, ...], as_json: bool) -> int:
    """Check .duel files against the rules and say exactly where a bad one goes wrong. Exit code 1 if any is bad.

    Where seeds were committed to, every card is computed again from them.

    FILE can also be the id of a saved game, or the name of a duel for its rule book's worked example.
    """
    reports = [verify(name) for name in files]
    if as_json:
        echo_json([report.data() for report in reports])
    else:
        for report in reports:
            for number, game in enumerate(report.games, 1):
                which = f", game {number}" if len(report.games) > 1 else ""
                say(f"{plain(report.file)}{which}: good. {game.summary}")
            if report.error is not None:
                say(report.error)
    return 0 if all(report.ok for report in reports) else 1
