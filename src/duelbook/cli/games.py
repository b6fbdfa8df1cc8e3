"""`duelbook games`: what is saved."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import click

from duelbook import folders
from duelbook.cli.options import as_json, echo_json, say
from duelbook.core import DuelError
from duelbook.record import Record, reads
from duelbook.saves import Listed, saved, state_folder
from duelbook.speech import plain


@click.command(short_help="list your saved games")
@click.option("--all", "everything", is_flag=True, help="Finished games too.")
@as_json
def command(everything: bool, as_json: bool) -> int:
    """List the games that are saved, the latest first: unfinished ones, or all of them."""
    listed = [item for item in saved() if item.text or item.problem]
    rows = [row for item in listed if (row := _row(item)) and (everything or not row["over"])]
    if as_json:
        echo_json(rows)
        return 0
    if not rows:
        say(f"No {'' if everything else 'unfinished '}games{_where()} Start one with: duelbook play")
        return 0
    for row in rows:
        say(f"{plain(row['id'])}  {row['summary']}")
    return 0


def _where() -> str:
    try:
        return f" in {plain(state_folder())}."
    except folders.NoFolder as error:
        return f". {error} So games are not saved."


def _row(item: Listed) -> dict[str, Any]:
    when = datetime.fromtimestamp(item.changed).isoformat(" ", "minutes")
    row: dict[str, Any] = {"id": item.save.id, "file": str(item.save.path), "changed": when}
    if item.problem:
        return row | {"over": False, "error": item.problem, "summary": f"cannot be read: {item.problem}"}
    try:
        (record,) = reads(item.text)
    except DuelError as error:
        return row | {"over": False, "error": str(error), "summary": f"damaged: {error}"}
    except ValueError:
        return row | {"over": False, "error": "more than one game", "summary": "holds more than one game"}
    return row | _facts(record, when)


def _facts(record: Record, when: str) -> dict[str, Any]:
    match = record.match
    state = match.outcome.reason if match.outcome else f"turn {match.turns + 1}"
    return {
        "game": match.game.id,
        "players": list(match.names),
        "seats": list(record.seats),
        "turns": match.turns,
        "position": match.game.write_position(match.rules, match.state),
        "result": match.outcome.result if match.outcome else "*",
        "over": match.outcome is not None,
        "summary": f"{match.game.name}, {match.names[0]} against {match.names[1]}, {state}, {when}",
    }
