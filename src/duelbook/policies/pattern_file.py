"""Where the table of patterns is found: shipped, kept in the user's cache, or computed now, as the ladder's is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from duelbook.core import Game, check_beginning
from duelbook.policies import table_file
from duelbook.policies.levels import RUNGS
from duelbook.policies.patterns import Fared, Patterns
from duelbook.policies.table_file import as_text, table_in
from duelbook.solving.cache import keep, kept_file
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

    def made(rows: Any) -> Patterns | None:
        return {_pattern(game, row[:2]): _fared(row[2:]) for row in rows} or None

    return table_in(path, game, rules, "patterns", made)


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
    return table_file.entry(game, rules, "patterns", rows)
