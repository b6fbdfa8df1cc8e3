"""`python -m duelbook.solve`: solve the five books and write the solutions that ship with the package."""

from __future__ import annotations

from duelbook.games import ROOMS, load
from duelbook.solve.library import SHIPPED
from duelbook.solve.solver import solve

if __name__ == "__main__":
    for id in ROOMS:
        game = load(id)
        data = solve(game, game.book).to_bytes()
        (SHIPPED / f"{id}.solution").write_bytes(data)
        print(f"{id}: {len(data):,} bytes")
