"""Tables of the ladder as files: by duel which rules and rungs a table belongs to, its checksum, and its rows.

A table is believed only if it belongs to the same rules and the same rungs and if its checksum holds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from duelbook.core import Game, rules_hash
from duelbook.policies import inclination
from duelbook.policies.alarm import alarm_of
from duelbook.policies.levels import mistakes_of
from duelbook.policies.temptation import MODEL
from duelbook.solving.cache import read_kept

LARGEST_FILE = 1 << 24

Table = TypeVar("Table")


def table_in(path: Path, game: Game, rules: object, name: str, made: Callable[[Any], Table]) -> Table | None:
    """What `made` makes of the rows that have this name in a file; None when it holds none for these rules and rungs,
    or damaged ones, of which `made` may raise a ValueError."""
    try:
        known = json.loads(read_kept(path, LARGEST_FILE) or b"")["duels"][game.id]
        if known["rungs"] != _rungs(game) or known["rules_hash"] != rules_hash(game, rules):
            return None
        rows = known[name]
        return made(rows) if known["sha256"] == checksum(known["rules_hash"], rows) else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def entry(game: Game, rules: object, name: str, rows: list[Any]) -> dict[str, Any]:
    """A table as a file holds it, its rows last."""
    belongs = rules_hash(game, rules)
    return {"rules_hash": belongs, "rungs": _rungs(game), "sha256": checksum(belongs, rows), name: rows}


def _rungs(game: Game) -> dict[str, Any]:
    """Who the rungs and characters of a duel are: tables of others are not believed."""
    alarm = alarm_of(game)
    return {
        "model": list(MODEL),
        "characters": list(inclination.MODEL),
        **({"alarm": alarm} if alarm else {}),
        **mistakes_of(game),
    }


def checksum(belongs: str, rows: object) -> str:
    return sha256(json.dumps([belongs, rows]).encode()).hexdigest()


def as_text(duels: Mapping[str, Mapping[str, Any]]) -> str:
    """A file of tables, one line for each row."""
    blocks = []
    for id, known in duels.items():
        *head, (name, rows) = known.items()
        before = "".join(f"   {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head)
        lines = ",\n".join(f"    {json.dumps(row)}" for row in rows)
        blocks.append(f"  {json.dumps(id)}: {{\n{before}   {json.dumps(name)}: [\n{lines}\n   ]\n  }}")
    inside = ",\n".join(blocks)
    return f'{{\n "duels": {{\n{inside}\n }}\n}}\n'
