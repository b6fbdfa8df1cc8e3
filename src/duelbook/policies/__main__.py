"""`python -m duelbook.policies`: compute the ladders of the books that ship, and write the file that ships too."""

from __future__ import annotations

from duelbook.games import ROOMS, load
from duelbook.policies.ladder import fingerprint, results
from duelbook.policies.levels import steps
from duelbook.policies.standings import FILE, as_text, entry

if __name__ == "__main__":
    duels = {}
    for id in ROOMS:
        game = load(id)
        table = results(game, game.book)
        duels[id] = {"solution": fingerprint(game), **entry(game, game.book, table)}
        shown = ", ".join(f"{kind} {share:.4f}" for kind, share in steps(table).items())
        print(f"{id}, each rung against the one below: {shown}", flush=True)
    FILE.write_text(as_text(duels), encoding="utf-8")
