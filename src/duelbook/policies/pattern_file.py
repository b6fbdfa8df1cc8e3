"""Where the table of patterns is found: shipped, kept in the user's cache, or computed now, as the ladder's is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from duelbook.core import Game, check_beginning, rules_hash
from duelbook.policies.levels import RUNGS
from duelbook.policies.patterns import Fared, Patterns
from duelbook.policies.standings import LARGEST_FILE, checksum, rungs
from duelbook.solving.cache import keep, kept_file, read_kept
from duelbook.solving.library import SHIPPED

FILE = SHIPPED / "patterns.json"


def patterns_of(game: Game, rules: object, tell: Callable[[int, int], None] = lambda done, of: None) -> Patterns:
    """How every pattern fares against every rung: shipped, cached, or computed now and cached."""
    check_beginning(game, rules)
    kept = kept_file(game, rules, ".patterns.json")
    for path in (FILE, kept):
        found = read(game, rules, path)
        if found is not None:
            return found
    from duelbook.policies.patterns import patterns

    table = patterns(game, rules, tell)
    keep(kept, as_text({game.id: entry(game, rules, table)}).encode())
    return table


def read(game: Game, rules: object, path: Path) -> Patterns | None:
    """The table in a file, or None when it holds none for these rules and rungs, or a damaged one."""
    try:
        known = json.loads(read_kept(path, LARGEST_FILE) or b"")["duels"][game.id]
        rows = known["patterns"]
        if known["rungs"] != rungs(game) or known["rules_hash"] != rules_hash(game, rules):
            return None
        if known["sha256"] != checksum(known["rules_hash"], rows):
            return None
        return {_pattern(game, row[:2]): _fared(row[2:]) for row in rows} or None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _pattern(game: Game, moves: Any) -> tuple[int, int]:
    due, other = moves
    if not all(type(move) is int and 0 <= move < len(game.moves) for move in (due, other)):
        raise ValueError("a pattern is two moves")
    return due, other


def _fared(numbers: Any) -> dict[str, Fared]:
    if not all(type(number) in (int, float) and 0 <= number <= 1 for number in numbers):
        raise ValueError("chances are numbers from 0 to 1")
    pairs = zip(numbers[::2], numbers[1::2], strict=True)
    return {kind: Fared(float(wins), float(losses)) for kind, (wins, losses) in zip(RUNGS, pairs, strict=True)}


def entry(game: Game, rules: object, table: Patterns) -> dict[str, Any]:
    """A table as a file holds it."""
    rows = [[*pattern, *(share for each in fared.values() for share in each)] for pattern, fared in table.items()]
    belongs = rules_hash(game, rules)
    return {"rules_hash": belongs, "rungs": rungs(game), "sha256": checksum(belongs, rows), "patterns": rows}


def as_text(duels: Mapping[str, Mapping[str, Any]]) -> str:
    """A file of tables, one line for each pattern."""
    blocks = []
    for id, known in duels.items():
        head = "".join(f"   {json.dumps(key)}: {json.dumps(known[key])},\n" for key in known if key != "patterns")
        lines = ",\n".join(f"    {json.dumps(row)}" for row in known["patterns"])
        blocks.append(f'  {json.dumps(id)}: {{\n{head}   "patterns": [\n{lines}\n   ]\n  }}')
    return '{\n "duels": {\n' + ",\n".join(blocks) + "\n }\n}\n"
