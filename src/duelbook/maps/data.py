"""A map for programs: docs/json.md says what each field is."""

from __future__ import annotations

from typing import Any

from duelbook.core import rules_hash, settings
from duelbook.maps.atlas import Grid, finding


def as_json(grid: Grid) -> dict[str, Any]:
    """Every row is one of Player 1's numbers, every column one of Player 2's; null where there is no position."""
    game, rules = grid.game, grid.rules
    ones, twos = grid.numbers
    cells = [[grid.cells.get((one, two)) for two in twos] for one in ones]
    return {
        "game": game.id,
        "rules": settings(game, rules),
        "rules_hash": rules_hash(game, rules),
        "at": game.write_position(rules, grid.template),
        "finding": finding(grid),
        "mover": grid.viewer + 1 if hasattr(grid.template, "mover") else None,
        "numbers": grid.field,
        "player1": ones,
        "player2": twos,
        "values": [[cell and cell.value for cell in row] for row in cells],
        "plies": [[cell and cell.plies for cell in row] for row in cells] if grid.kind == "backwards" else None,
    }


__all__ = ["as_json"]
