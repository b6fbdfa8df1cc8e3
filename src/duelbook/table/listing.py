"""The games that are saved, each in a row: docs/json.md says what its fields are."""

from __future__ import annotations

from datetime import datetime

from duelbook.core import DuelError, settings
from duelbook.players import people_in
from duelbook.players.whose import who_played, who_won
from duelbook.record import Record, reads
from duelbook.saves import Listed, saved
from duelbook.table.begun import chosen_start, terms


def saved_games(*, everything: bool = False) -> list[dict[str, object]]:
    """The unfinished games, the latest first, or all of them."""
    rows = [_row(item) for item in saved() if item.text or item.problem]
    return [row for row in rows if everything or not row["over"]]


def _row(item: Listed) -> dict[str, object]:
    when = datetime.fromtimestamp(item.changed).isoformat(" ", "minutes")
    row: dict[str, object] = {"id": item.save.id, "file": str(item.save.path), "changed": when}
    if item.problem:
        return row | {"over": False, "error": item.problem, "summary": f"cannot be read: {item.problem}"}
    try:
        (record,) = reads(item.text)
    except DuelError as error:
        return row | {"over": False, "error": str(error), "summary": f"damaged: {error}"}
    except ValueError:
        return row | {"over": False, "error": "more than one game", "summary": "holds more than one game"}
    return row | _facts(record, when)


def _facts(record: Record, when: str) -> dict[str, object]:
    match = record.match
    if match.outcome:
        state = f"{who_won(record.seats, match.names, match.outcome.winner)}: {match.outcome.reason}"
    else:
        state = f"turn {match.turns + 1}"
    people, name = people_in(record.seats), ", ".join(filter(None, (match.game.name, terms(match))))
    return {
        "game": match.game.id,
        "rules": settings(match.game, match.rules),
        "began_at": chosen_start(match),
        "players": list(match.names),
        "seats": list(record.seats),
        "you": people[0] + 1 if len(people) == 1 else None,
        "date": record.date,
        "turns": match.turns,
        "position": match.game.write_position(match.rules, match.state),
        "result": match.outcome.result if match.outcome else "*",
        "over": match.outcome is not None,
        "summary": f"{name}, {who_played(record.seats, match.names)}, {state.removesuffix('.')}, {when}",
    }
