"""`duelbook replay`: a recorded game, move by move."""

from __future__ import annotations

import click

from duelbook.cli import completing
from duelbook.cli.options import as_json, as_plain, chosen, echo_json
from duelbook.cli.values import whole
from duelbook.core import DuelError
from duelbook.table.shelf import is_own, latest, locate_to_read, read_records


@click.command
@click.argument("file", required=False, shell_complete=completing.recorded_games)
@click.option("--turn", "--at", "turn", type=whole(0), help="Only the position after this many turns.")
@click.option("--fast", is_flag=True, help="Do not wait for Enter between turns.")
@click.option("--game", "number", type=whole(1), default=1, help="Which game of a file with several.")
@as_plain
@as_json
def command(file: str | None, turn: int | None, fast: bool, number: int, plain: bool, as_json: bool) -> None:
    """Show the game in FILE move by move; without FILE, your last game.

    FILE can also be the id of a saved game, or the name of a duel for its rule book's worked example.
    """
    from duelbook.line.console import Console
    from duelbook.line.replay import show

    name = latest() if file is None else file
    record = chosen(read_records(name), number, name)
    if turn is not None and turn > record.match.turns:
        raise DuelError(f"The game has only {record.match.turns} turns; --turn {turn} is after its end.")
    if as_json:
        from duelbook.table.telling import as_json as game_as_json

        echo_json(game_as_json(record, turn))
    else:
        show(record, Console(plain=plain), turn, wait=not fast, yours=is_own(locate_to_read(name)))
