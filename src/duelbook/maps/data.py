"""A map for programs: docs/json.md says what each field is."""

from __future__ import annotations

from duelbook.core import rules_hash, settings
from duelbook.maps.atlas import Grid, finding


def as_json(grid: Grid) -> dict[str, object]:
    """Every row is one of Player 1's numbers, every column one of Player 2's; null where there is no position."""
    game, rules = grid.game, grid.rules
    ones, twos = grid.numbers
    cells = [[grid.cells.get((one, two)) for two in twos] for one in ones]
    return {
        "game": game.id,
        "rules": settings(game, rules),
        "rules_hash": rules_hash(game, rules),
        "at": grid.like,
        "finding": finding(grid),
        "mover": None if grid.mover is None else grid.mover + 1,
        "numbers": grid.field,
        "player1": ones,
        "player2": twos,
        "values": [[cell and cell.value for cell in row] for row in cells],
        "plies": [[cell and cell.plies for cell in row] for row in cells] if grid.kind == "backwards" else None,
    }
