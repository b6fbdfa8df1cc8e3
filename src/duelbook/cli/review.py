"""`duelbook review`: what every decision of a recorded game lost, and how luck and skill made the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from duelbook.cli import completing
from duelbook.cli.options import as_json, as_plain, chosen, echo_json, picture_options, pictures
from duelbook.cli.values import whole
from duelbook.core import DuelError
from duelbook.table.shelf import is_own, latest, locate_to_read, read_records

if TYPE_CHECKING:
    from duelbook.coach.review import Review


@click.command
@click.argument("files", nargs=-1, metavar="[FILE...]", shell_complete=completing.recorded_games)
@click.option("--game", "number", type=whole(1), help="Which game of a file with several.  [default: all]")
@picture_options("the value over the turns")
@as_plain
@as_json
def command(
    files: tuple[str, ...], number: int | None, png: str | None, svg: str | None, plain: bool, as_json: bool
) -> None:
    """Say what every decision of the games in FILE... lost, and how luck and skill add up to the result.

    Without FILE it is your last game. FILE can also be the id of a saved game, or the name of a duel for its rule
    book's worked example. Several files together give each player's average loss per decision.
    """
    from duelbook.coach.data import reviews_as_json
    from duelbook.coach.graph import drawn
    from duelbook.coach.review import review
    from duelbook.disk import PUBLIC, write_atomically

    files_to_draw = pictures(png, svg)
    reviews: list[tuple[str, Review]] = []
    for name in files or (latest(),):
        records = read_records(name)
        for record in records if number is None else [chosen(records, number, name)]:
            try:
                reviews.append((name, review(record)))
            except DuelError as error:
                raise DuelError(f"{name} cannot be reviewed: {error}") from None
    games = [each for _, each in reviews]
    for path, kind in files_to_draw:
        write_atomically(path, drawn(games, kind), mode=PUBLIC)
    if as_json:
        echo_json(reviews_as_json(reviews))
    else:
        from duelbook.line.console import Console
        from duelbook.line.review import show

        show(games, Console(plain=plain), yours=[is_own(locate_to_read(name)) for name, _ in reviews])
