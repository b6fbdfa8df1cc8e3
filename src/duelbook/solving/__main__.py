"""`python -m duelbook.solving`: solve the books that ship and write the solutions that ship with the package."""

from __future__ import annotations

from duelbook.core import variant
from duelbook.games import READINGS, ROOMS, load
from duelbook.solving.library import shipped_file
from duelbook.solving.solution_file import to_bytes
from duelbook.solving.solver import solve

if __name__ == "__main__":
    for id in ROOMS:
        game = load(id)
        for settings in ((), *READINGS.get(id, ())):
            rules = variant(game, settings)
            data = to_bytes(solve(game, rules))
            shipped_file(game, rules).write_bytes(data)
            print(f"{' '.join([id, *settings])}: {len(data):,} bytes")
