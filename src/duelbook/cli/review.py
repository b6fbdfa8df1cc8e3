"""`duelbook review`: what every decision of a recorded game lost, and how luck and skill made the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from duelbook.cli.options import as_json, chosen, echo_json
from duelbook.core import DuelError
from duelbook.table.shelf import locate_to_read, read_file


@click.command(short_help="what every decision of a recorded game lost")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--game", "number", type=click.IntRange(min=1), metavar="N", help="Which game of a file with several (all of them)."
)
@click.option("--png", metavar="FILE", help="Draw the value over the turns as a PNG file.")
@click.option("--svg", metavar="FILE", help="Draw the value over the turns as an SVG file.")
@click.option("--plain", is_flag=True, help="No colours.")
@as_json
def command(
    files: tuple[str, ...], number: int | None, png: str | None, svg: str | None, plain: bool, as_json: bool
) -> int:
    """Say what every decision of the games in FILE... lost, and how luck and skill add up to the result.

    FILE can also be the id of a saved game, or the name of a duel for its rule book's worked example. Several files
    together give each player's average loss per decision.
    """
    from duelbook.coach.graph import draw
    from duelbook.coach.review import Review, averages, review

    reviews: list[tuple[str, Review]] = []
    for name in files:
        records = read_file(locate_to_read(name))
        for record in records if number is None else [chosen(records, number, name)]:
            try:
                reviews.append((name, review(record)))
            except DuelError as error:
                raise DuelError(f"{name} cannot be reviewed: {error}") from None
    games = [each for _, each in reviews]
    for target, kind in ((png, "png"), (svg, "svg")):
        if target is not None:
            draw(games, Path(target), kind)
    if as_json:
        echo_json(
            {"games": [_as_json(*each) for each in reviews], "players": [_player(each) for each in averages(games)]}
        )
        return 0
    _say(games, plain)
    return 0


def _say(games: Any, plain: bool) -> None:
    from shutil import get_terminal_size

    from duelbook.coach.graph import text_graph
    from duelbook.coach.report import accounting, average_lines, heading, table
    from duelbook.coach.review import averages
    from duelbook.line.console import Console
    from duelbook.speech import Line

    console = Console(plain=plain)
    width = max(40, min(80, get_terminal_size().columns)) if console.fancy else 80
    for each in games:
        console.say(Line(heading(each), "title"), "")
        if each.decisions or each.waiting:
            console.say(*table(each), "", *text_graph(each, width), "")
        console.say(*accounting(each), "")
    console.say(*average_lines(averages(games)))


def _as_json(name: str, each: Any) -> dict[str, Any]:
    match = each.match
    return {
        "file": name,
        "game": match.game.id,
        "players": list(match.names),
        "result": match.outcome.result if match.outcome else "*",
        "reason": match.outcome.reason if match.outcome else None,
        "finished": not each.unfinished,
        "cut_short_by": each.cut_short or None,
        "win_probability": _sum(each.accounting),
        "values": list(each.curve),
        "decisions": [
            {
                "turn": decision.turn,
                "player": decision.seat + 1,
                "position": decision.position,
                "cards": decision.cards or None,
                "move": decision.move,
                "wins": decision.before,
                "lost": decision.lost,
                "luck": decision.luck,
                "guess": decision.guess,
                "better": list(decision.better),
                "mark": decision.mark or None,
            }
            for decision in each.decisions
        ],
    }


def _sum(accounting: Any) -> dict[str, float]:
    """The sum that makes the result, in Player 1's win probability: half of what it is in values."""
    from duelbook.coach.words import chance

    halves = {name: change / 2 for name, change in accounting._asdict().items()}
    return halves | {"start": chance(accounting.start), "result": chance(accounting.result)}


def _player(each: Any) -> dict[str, Any]:
    return {
        "name": each.name,
        "games": each.games,
        "decisions": each.decisions,
        "average_loss": each.mean,
        "average_loss_low": None if each.interval is None else each.interval.low,
        "average_loss_high": None if each.interval is None else each.interval.high,
        "marks": each.marks,
    }
