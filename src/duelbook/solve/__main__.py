"""`python -m duelbook.solve`: solve the five books and write the solutions that ship with the package."""

from __future__ import annotations

from duelbook.core import variant
from duelbook.games import ROOMS, load
from duelbook.solve.library import OPTIONS, shipped_file
from duelbook.solve.solution_file import to_bytes
from duelbook.solve.solver import solve

if __name__ == "__main__":
    for id in ROOMS:
        game = load(id)
        for settings in ((), *OPTIONS.get(id, ())):
            rules = variant(game, settings)
            data = to_bytes(solve(game, rules))
            shipped_file(game, rules).write_bytes(data)
            print(f"{' '.join([id, *settings])}: {len(data):,} bytes")
